import CardModel
import Foundation
import Hummingbird
import Liquid
import LiveTesting
import Synchronization
import Testing
import WireJSON

@testable import CardServer

/// A host that templates ask: it says what it was told to say, and remembers what it was asked.
final class ContentHostServer: Sendable {
    private struct State {
        var answers: [String: (status: Int, body: String)] = [:]
        var requests: [String] = []
        var headers: [[String: String]] = []
        var port = 0
    }

    private let state = Mutex(State())

    var address: String { "http://127.0.0.1:\(state.withLock { $0.port })" }
    /// Each request as method, path and body.
    var requests: [String] { state.withLock { $0.requests } }

    /// The headers of each request, by their names in lower case.
    var headers: [[String: String]] { state.withLock { $0.headers } }

    func say(_ body: JSONValue?, status: Int = 200, at path: String) {
        state.withLock { $0.answers[path] = (status, body?.text ?? "") }
    }

    /// A card whose title is what the host says at `/weather/` and a place.
    func card(_ place: String) -> JSONValue {
        let title = "{% connected_content \(address)/weather/\(place) :save weather %}{{weather.text}}"
        return ["type": "classic", "title": .string(title), "description": "d"]
    }

    /// Runs a host beside a workspace whose settings list it.
    static func run(
        asksPrivateHosts: Bool = true,
        _ body: @escaping @Sendable (ContentHostServer, Workspace) async throws -> Void
    ) async throws {
        let host = ContentHostServer()
        let router = Router()
        for method in [HTTPRequest.Method.get, .post] {
            router.on("**", method: method) { request, _ in
                let text = String(buffer: try await request.body.collect(upTo: 1 << 20))
                let headers = request.headers.map { ($0.name.canonicalName, $0.value) }
                host.state.withLock { $0.headers.append(Dictionary(headers) { $0 + "," + $1 }) }
                return host.answer("\(request.method) \(request.uri.path) \(text)", request.uri.path)
            }
        }
        let app = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
        try await LiveClient.run(app) { client in
            let port = client.port
            host.state.withLock { $0.port = port }
            try await Workspace.run(asksPrivateHosts: asksPrivateHosts) { workspace in
                var settings = Settings()
                settings.connectedContentHosts = [try #require(ContentHost("127.0.0.1:\(port)"))]
                #expect(try await workspace.manage(.put, "/v1/settings", settings.json).status == 200)
                try await body(host, workspace)
            }
        }
    }

    private func answer(_ request: String, _ path: String) -> Response {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answers[path] ?? (404, "<h1>Nothing</h1>")
        }
        return Response(
            status: .init(code: answer.status),
            body: ResponseBody(byteBuffer: ByteBuffer(string: answer.body))
        )
    }
}
