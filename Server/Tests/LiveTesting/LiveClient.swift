import AsyncHTTPClient
package import HTTPTypes
package import Hummingbird
import HummingbirdTesting
package import NIOCore
import NIOHTTP1

/// A client of a server on a port of this machine, which waits for as long as a busy machine needs: the clients that
/// come with the library give up connecting after 5 seconds, and an answer after 15 or 20.
package struct LiveClient: Sendable {
    /// What a server answered.
    package struct Answer: Sendable {
        package let status: HTTPResponse.Status
        package let headers: HTTPFields
        package let body: ByteBuffer
    }

    private static let patience = TimeAmount.minutes(5)
    /// More than any answer has, in bytes.
    private static let bodyLimit = 1 << 30

    /// One for all servers; it lives as long as the tests.
    private static let shared = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: HTTPClient.Configuration.Timeout(connect: patience, read: patience)
        )
    )

    /// The port of the server.
    package let port: Int

    /// Runs a server on a free port for as long as something takes.
    package static func run<Value: Sendable>(
        _ application: some ApplicationProtocol,
        _ body: @escaping @Sendable (LiveClient) async throws -> Value
    ) async throws -> Value {
        try await application.test(.ahc(.http)) { client in
            guard let port = client.port else { throw ChannelError.unknownLocalAddress }
            return try await body(LiveClient(port: port))
        }
    }

    /// Sends a request and returns what is made of its answer.
    @discardableResult
    package func execute<Value>(
        uri: String,
        method: HTTPRequest.Method,
        headers: HTTPFields = [:],
        body: ByteBuffer? = nil,
        _ read: (Answer) async throws -> Value = { (answer: Answer) in answer }
    ) async throws -> Value {
        var request = HTTPClientRequest(url: "http://localhost:\(port)\(uri)")
        request.method = HTTPMethod(rawValue: method.rawValue)
        request.headers.add(name: "Host", value: "localhost")
        for field in headers { request.headers.add(name: field.name.rawName, value: field.value) }
        if let body { request.body = .bytes(body) }
        let response = try await Self.shared.execute(request, deadline: .now() + Self.patience)
        var fields = HTTPFields()
        for (name, value) in response.headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        return try await read(
            Answer(
                status: HTTPResponse.Status(code: Int(response.status.code)),
                headers: fields,
                body: try await response.body.collect(upTo: Self.bodyLimit)
            )
        )
    }
}
