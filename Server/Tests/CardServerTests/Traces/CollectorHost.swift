import Foundation
import HTTPTypes
import Hummingbird
import LiveTesting
import Synchronization
import Testing
import WireJSON

@testable import CardServer

/// A collector of OpenTelemetry on the loopback interface: it says what it was told to say, and keeps what it gets.
final class CollectorHost: Sendable {
    /// A span, as the collector got it.
    struct Span {
        let json: JSONValue

        var name: String { json["name"]?.string ?? "" }
        var trace: String { json["traceId"]?.string ?? "" }
        var id: String { json["spanId"]?.string ?? "" }
        var parent: String? { json["parentSpanId"]?.string }

        /// An attribute, as text.
        subscript(_ attribute: String) -> String? {
            let member = json["attributes"]?.array?.first { $0["key"]?.string == attribute }
            return member?["value"]?["stringValue"]?.string ?? member?["value"]?["intValue"]?.string
        }
    }

    private struct State {
        var bodies: [String] = []
        var headers: [HTTPFields] = []
        var statuses: [Int] = []
    }

    private let state = Mutex(State())

    /// The bodies of all requests.
    var bodies: [String] { state.withLock { $0.bodies } }
    var headers: [HTTPFields] { state.withLock { $0.headers } }

    /// The resource of the first request.
    var resource: JSONValue? {
        bodies.first.flatMap { try? JSONValue(parsing: $0) }?["resourceSpans"]?.array?.first?["resource"]
    }

    /// All spans, in the order in which they ended.
    var spans: [Span] {
        get throws {
            try bodies.flatMap { body in
                let resources = try JSONValue(parsing: body)["resourceSpans"]?.array ?? []
                let scopes = resources.flatMap { $0["scopeSpans"]?.array ?? [] }
                return scopes.flatMap { $0["spans"]?.array ?? [] }.map(Span.init)
            }
        }
    }

    /// Answers the next requests with these statuses, and those after them with 200.
    func say(_ statuses: [Int]) { state.withLock { $0.statuses = statuses } }

    /// Runs a collector for as long as `body` takes.
    static func run(
        _ body: @escaping @Sendable (CollectorHost, TraceSettings) async throws -> Void
    ) async throws {
        let host = CollectorHost()
        let router = Router()
        router.post("/v1/traces") { request, _ in
            let text = String(buffer: try await request.body.collect(upTo: 8 << 20))
            let status = host.state.withLock { state in
                state.headers.append(request.headers)
                let status = state.statuses.isEmpty ? 200 : state.statuses.removeFirst()
                if status == 200 { state.bodies.append(text) }
                return status
            }
            return Response(
                status: .init(code: status),
                body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"partialSuccess":{}}"#))
            )
        }
        let app = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
        try await LiveClient.run(app) { client in
            var settings = try #require(TraceSettings(endpoint: "http://127.0.0.1:\(client.port)/v1/traces"))
            // However busy the machine is.
            (settings.timeout, settings.flushSeconds) = (300, 300)
            try await body(host, settings)
        }
    }
}
