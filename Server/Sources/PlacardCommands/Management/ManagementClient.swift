import Foundation
import Terminal
import WireJSON

import enum ContentCards.TransportError
import struct ContentCards.TransportRequest
import struct ContentCards.TransportResponse
import class ContentCards.URLSessionTransport

/// Speaks to a server's management API.
struct ManagementClient: Sendable {
    let server: URL
    let key: String
    /// Waits so many seconds, where the server has said that there are too many requests.
    // safe: a minute at the most
    var wait: @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }

    /// The maximum number of times that a request that the server puts off is sent, and of seconds that it waits each
    /// time.
    private static let attempts = 5
    private static let longestWait = 60.0

    /// Follows no redirect, which would take the key to another host, and reads answers of so many bytes only.
    private static let transport = URLSessionTransport()

    /// Asks for a resource.
    func get(_ path: String..., query: [URLQueryItem] = []) async throws -> JSONValue {
        try await send("GET", path, query: query)
    }

    /// Asks for a resource, or returns `nil` where there is none.
    func find(_ path: String...) async throws -> JSONValue? {
        do {
            return try await send("GET", path)
        } catch let refusal as ServerError where refusal.status == 404 {
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
    /// - Throws: `ServerError` where the server refuses it, and `CommandError` where none answers.
    func send(
        _ method: String,
        _ path: [String],
        query: [URLQueryItem] = [],
        body: JSONValue? = nil
    ) async throws -> JSONValue {
        // It would be another resource: the list in place of an object.
        guard !path.contains(where: \.isEmpty) else {
            throw CommandError("An ID is empty. Is a variable of your script not set?")
        }
        var url = url(path)
        if !query.isEmpty { url.append(queryItems: query) }
        var request = TransportRequest(method: method, url: url, timeout: 30)
        request.headers["Authorization"] = "Bearer \(key)"
        if let body {
            request.headers["Content-Type"] = "application/json"
            request.body = Data(body.bytes)
        }
        let reply = try await answer(to: request)
        if (300..<400).contains(reply.status), let target = reply.headers["location"] {
            throw CommandError(
                "\(server.absoluteString) redirects to \(target.printableLine), which gets no key from here. "
                    + "If that is your server, give its address with --server."
            )
        }
        let json = reply.body.isEmpty ? JSONValue.null : try? JSONValue(parsing: reply.body)
        guard (200..<300).contains(reply.status), let json else {
            throw ServerError(status: reply.status, error: json?["error"], server: server)
        }
        return json
    }

    /// Sends a request, again where the server did nothing for now but may soon: it says so with 429 and `Retry-After`.
    private func answer(to request: TransportRequest) async throws -> TransportResponse {
        for _ in 1..<Self.attempts {
            let reply = try await reach(request)
            guard reply.status == 429, let seconds = reply.headers["retry-after"].flatMap(Double.init),
                (0...Self.longestWait).contains(seconds)
            else { return reply }
            try await wait(seconds)
        }
        return try await reach(request)
    }

    private func reach(_ request: TransportRequest) async throws -> TransportResponse {
        do {
            return try await Self.transport.send(request)
        } catch is TransportError {
            throw CommandError(
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

/// The error of a server instead of doing what it was asked.
struct ServerError: Error, CustomStringConvertible {
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
            """
            The server does not know this key, or it was revoked. \
            Create one with `placard key create --name NAME --kind secret`.
            """
        case "permission_denied": "\(message) `placard key list` shows what each key may do."
        case "": message
        default: "\(message) (\(code))"
        }
    }
}
