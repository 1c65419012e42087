import CardModel
import HTTPTypes
import WireJSON

extension APIRoute {
    /// A path as requests are compared with it: its parts, of which those in braces match any other.
    private struct Pattern: Sendable {
        let route: APIRoute
        let parts: [String]

        init(_ route: APIRoute) {
            self.route = route
            parts = route.path.split(at: "/").map(String.init)
        }

        func matches(_ path: [String]) -> Bool {
            path.count == parts.count
                && zip(parts, path).allSatisfy { part, text in
                    part.utf8.first == UInt8(ascii: "{") || part.hasSameBytes(as: text)
                }
        }
    }

    private static let patterns = allCases.map(Pattern.init)

    /// Returns the routes at a path, of any method.
    ///
    /// - Parameter target: The path of a request, with or without a query.
    /// - Returns: The routes, in the order of the table; none where there is no such path.
    static func routes(at target: String) -> [APIRoute] {
        let path = target.prefix(before: "?").split(at: "/").map(String.init)
        return patterns.filter { $0.matches(path) }.map(\.route)
    }

    /// Whether a path is one of the documented API, whose clients look for messages at the top of an answer.
    static func isForBackends(_ target: String) -> Bool {
        routes(at: target).contains { $0.access.permissions.first?.isForBackends ?? false }
    }
}

extension RequestError {
    /// Refuses what the router has no handler for: a path that is not there, or one that answers to other methods.
    static func unrouted(_ method: HTTPRequest.Method, _ path: String) -> RequestError {
        let routes = APIRoute.routes(at: path)
        guard !routes.isEmpty, !routes.contains(where: { $0.method == method }) else { return .notFound("path") }
        var methods: [String] = []
        for route in routes {
            // A HEAD is answered wherever a GET is.
            for name in route.method == .get ? ["GET", "HEAD"] : [route.method.rawValue] where !methods.contains(name) {
                methods.append(name)
            }
        }
        let names = methods.joined(separator: ", ")
        let message = "This path doesn't answer to that method. It answers to: \(names)."
        var refusal = RequestError(.methodNotAllowed, "method_not_allowed", message)
        refusal.headers = [(.allow, names)]
        return refusal.addressed(to: path)
    }

    /// Returns the refusal as clients of a path expect it: those of the documented API look for messages at the top.
    func addressed(to target: String?) -> RequestError {
        var refusal = self
        if let target, APIRoute.isForBackends(target) { refusal.repeatsMessageAtTop = true }
        return refusal
    }
}
