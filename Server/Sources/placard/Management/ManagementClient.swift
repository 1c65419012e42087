import Foundation
import Terminal
import WireJSON

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Speaks to a server's management API.
struct ManagementClient: Sendable {
    let server: URL
    let key: String

    /// Asks for a resource.
    func get(_ path: String..., query: [URLQueryItem] = []) async throws -> JSONValue {
        try await send("GET", path, query: query)
    }

    /// Asks for a resource, or returns `nil` where there is none.
    func find(_ path: String...) async throws -> JSONValue? {
        do {
            return try await send("GET", path)
        } catch let refusal as ServerRefusal where refusal.status == 404 {
            return nil
        }
    }

    func post(_ path: String..., body: JSONValue = [:]) async throws -> JSONValue {
        try await send("POST", path, body: body)
    }

    func put(_ path: String..., body: JSONValue) async throws -> JSONValue {
        try await send("PUT", path, body: body)
    }

    func patch(_ path: String..., body: JSONValue) async throws -> JSONValue {
        try await send("PATCH", path, body: body)
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - method: The method in capitals.
    ///   - path: The parts of the path after `/v1/`, as they are.
    ///   - query: The parameters of the query.
    ///   - body: The body, or `nil` for none.
    /// - Returns: The answer, null where it is empty.
    /// - Throws: `ServerRefusal` where the server refuses it, and `CommandFailure` where none answers.
    func send(
        _ method: String,
        _ path: [String],
        query: [URLQueryItem] = [],
        body: JSONValue? = nil
    ) async throws -> JSONValue {
        var url = url(path)
        if !query.isEmpty { url.append(queryItems: query) }
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 30)
        request.httpMethod = method
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        if let body {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data(body.bytes)
        }
        let (data, response) = try await reach { try await URLSession.shared.data(for: request) }
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        let json = data.isEmpty ? JSONValue.null : try? JSONValue(parsing: data)
        guard (200..<300).contains(status), let json else {
            throw ServerRefusal(status: status, error: json?["error"], server: server)
        }
        return json
    }

    private func reach<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch is URLError {
            throw CommandFailure(
                "No server answers at \(server.absoluteString). Start one with `placard serve`, or give --server."
            )
        }
    }

    private func url(_ path: [String]) -> URL {
        let parts = path.map(Self.encoded)
        var base = server.absoluteString
        // safe: it ends with a slash
        if base.hasSuffix("/") { base.removeLast() }
        return URL(string: base + "/v1/" + parts.joined(separator: "/")) ?? server
    }

    /// Returns a part of a path in percent encoding.
    static func encoded(_ part: String) -> String {
        // A dot alone would be taken for the folder itself.
        guard !part.allSatisfy({ $0 == "." }) else { return part.replacing(".", with: "%2E") }
        var unreserved = CharacterSet.alphanumerics
        unreserved.insert(charactersIn: "-._~")
        return part.addingPercentEncoding(withAllowedCharacters: unreserved) ?? part
    }
}

/// What a server said instead of doing what it was asked.
struct ServerRefusal: Error, CustomStringConvertible {
    let status: Int
    let code: String
    private let message: String

    init(status: Int, error: JSONValue?, server: URL) {
        self.status = status
        code = (error?["code"]?.string ?? "").printableLine
        let path = error?["path"]?.string ?? ""
        let said = error?["message"]?.string ?? "\(server.absoluteString) answered with status \(status)."
        message = (path.isEmpty ? said : "\(path): \(said)").printable
    }

    var description: String {
        switch code {
        case "key_invalid", "key_missing":
            "The server does not know this key, or it was revoked. Make one with `placard key create --kind secret`."
        case "permission_denied": "\(message) `placard key list` shows what each key may do."
        case "": message
        default: "\(message) (\(code))"
        }
    }
}
