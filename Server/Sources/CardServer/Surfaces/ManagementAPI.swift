import CardModel
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import WireJSON

/// The management API for callers inside this process: the same routes, rules and refusals as over HTTP.
package struct ManagementAPI: Sendable {
    /// What the API says instead of doing what was asked.
    package struct Refusal: Error, Sendable {
        /// The HTTP status.
        package let status: Int
        /// The code that stays the same.
        package let code: String
        /// What to do.
        package let message: String
        /// The field that is wrong, such as `variants[0].card.title`, or empty.
        package let path: String
        /// The whole error object.
        package let details: JSONValue
    }

    let router: RouterResponder<AppContext>

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path with its query, such as `/v1/campaigns?limit=20`.
    ///   - body: The body.
    ///   - caller: Who asks.
    ///   - context: The context of the request that this one is made for.
    /// - Returns: The answer's body; `null` where it has none, text that is no JSON as a string.
    /// - Throws: ``Refusal``, or `CancellationError`.
    package func call(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: JSONValue? = nil,
        by caller: Caller,
        in context: AppContext
    ) async throws -> JSONValue {
        let request = Request(
            head: HTTPRequest(method: method, scheme: "http", authority: "inside", path: path),
            body: RequestBody(buffer: ByteBuffer(bytes: body?.bytes ?? []))
        )
        do {
            return try await read(try await router.respond(to: request, context: context.inside(by: caller)))
        } catch let error as Refusal {
            throw error
        } catch {
            throw Refusal(RequestError(error))
        }
    }

    private func read(_ response: Response) async throws -> JSONValue {
        let collected = Mutex(ByteBuffer())
        try await response.body.write(
            CollectingWriter { part in
                var part = part
                collected.withLock { _ = $0.writeBuffer(&part) }
            }
        )
        let text = collected.withLock { String(buffer: $0) }
        let json = (try? JSONValue(parsing: text)) ?? (text.isEmpty ? .null : .string(text))
        guard response.status.kind == .successful else { throw Refusal(status: response.status.code, json) }
        return json
    }
}

extension ManagementAPI.Refusal {
    /// Asks a service for something, and returns its answer.
    ///
    /// - Throws: `ManagementAPI.Refusal`, as the management API says the same over HTTP.
    package static func catching<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            throw Self(RequestError(error))
        }
    }

    /// Says why something that was asked for is not shown.
    package init(notShown message: String) {
        self.init(status: 422, code: "not_shown", message: message, details: [])
    }

    init(_ error: RequestError) {
        self.init(status: error.status.code, code: error.code, message: error.message, details: error.details)
    }

    private init(status: Int, code: String, message: String, details: [(name: String, value: JSONValue)]) {
        self.status = status
        self.code = code
        self.message = message
        path = details.first { $0.name == "path" }?.value.string ?? ""
        self.details = .object(.init(details.map { ($0.name, $0.value) }) { first, _ in first })
    }

    init(status: Int, _ json: JSONValue) {
        let error = json["error"] ?? .null
        self.status = status
        code = error["code"]?.string ?? "internal_error"
        message = error["message"]?.string ?? "Something went wrong here. It was logged."
        path = error["path"]?.string ?? ""
        details = error
    }
}

/// Keeps what a response writes.
private struct CollectingWriter: ResponseBodyWriter {
    let keep: @Sendable (ByteBuffer) -> Void

    func write(_ buffer: ByteBuffer) async throws { keep(buffer) }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
