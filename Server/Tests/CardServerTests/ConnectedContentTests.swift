import CardModel
import Foundation
import Hummingbird
import HummingbirdTesting
import Liquid
import Synchronization
import Testing
import WireJSON

@testable import CardServer

@Suite("Connected content")
struct ConnectedContentTests {
    @Test("A card has what a listed host says, asked once for all who get the same")
    func fetches() async throws {
        try await ContentHostServer.run { host, workspace in
            host.say(["text": "Rain"], at: "/weather/JP")
            try await workspace.launch("weather", card: host.card("{{${country}}}"))

            for user in ["ann", "bob"] {
                try await workspace.manage(.patch, "/v1/users/\(user)", ["attributes": ["country": "JP"]])
                #expect(try await workspace.sync(user).cards.map { $0["title"] } == ["Rain"])
            }
            #expect(host.requests == ["GET /weather/JP "])

            // An answer lives for five minutes unless the template says otherwise.
            workspace.time.advance(by: 301)
            host.say(["text": "Sun"], at: "/weather/JP")
            #expect(try await workspace.sync("ann").cards.map { $0["title"] } == ["Sun"])
            #expect(host.requests.count == 2)
        }
    }

    @Test("A card that comes with another one has what a host says at once")
    func consequences() async throws {
        try await ContentHostServer.run { host, workspace in
            host.say(["text": "Rain"], at: "/weather/x")
            try await workspace.launch("first")
            try await workspace.launch("weather", card: host.card("x"), audience: ["campaign": ["id": "first"]])

            let cards = try await workspace.sync("ann").cards
            #expect(Set(cards.map { $0["campaign_id"] }) == ["first", "weather"])
            #expect(cards.contains { $0["title"] == "Rain" })
            #expect(host.requests == ["GET /weather/x "])
        }
    }

    @Test("Users whose ids only look alike have answers of their own", arguments: ["headers", "body"])
    func lookalikes(_ option: String) throws {
        func fetch(_ user: String) throws -> ContentFetch {
            let request = ConnectedContentRequest(
                address: "https://api.example.com/me",
                options: [option: option == "headers" ? #"{"X-User":"\#(user)"}"# : user, "method": "post"]
            )
            return try ContentFetch(request, hosts: [try #require(ContentHost("api.example.com"))])
        }
        let (composed, decomposed) = (try fetch("andr\u{E9}"), try fetch("andre\u{301}"))
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, try fetch("andr\u{E9}")]).count == 2)
    }

    @Test("A template may ask for what depends on an answer, and post")
    func chains() async throws {
        try await ContentHostServer.run { host, workspace in
            host.say(["id": 7], at: "/me")
            host.say(["text": "Hats"], at: "/offers")
            let title = """
                {% connected_content \(host.address)/me :save me %}{% connected_content \(host.address)/offers \
                :method post :headers {"X-Key": "k"} :content_type application/json :body {"id": {{me.id}}} \
                :save offer %}{{offer.text}} {{offer.__http_status_code__}}
                """
            try await workspace.launch(
                "offers",
                card: ["type": "classic", "title": .string(title), "description": "d"]
            )

            #expect(try await workspace.sync("ann").cards.map { $0["title"] } == ["Hats 200"])
            #expect(host.requests == ["GET /me ", #"POST /offers {"id": 7}"#])
        }
    }

    @Test("A user's own words add no header to a request and replace none, and add nothing to its JSON body")
    func injections() async throws {
        try await ContentHostServer.run { host, workspace in
            host.say(["text": "Hats"], at: "/me")
            let title = """
                {% connected_content \(host.address)/me :method post :content_type application/json :headers \
                {"X-User": "{{${user_id}}}", "X-Name": "{{${first_name}}}"} \
                :body {"user": "{{${user_id}}}", "name": "{{${first_name}}}"} :save me %}{{me.text}}
                """
            try await workspace.launch("me", card: ["type": "classic", "title": .string(title), "description": "d"])
            let name = #"M","x-user":"victim","X-Admin":"1","user":"victim"#
            let event: JSONValue = [
                "id": .string(UUID().uuidString.lowercased()), "type": "attributes", "at": .number(workspace.time.now),
                "attributes": ["first_name": .string(name)],
            ]

            let synced = try await workspace.sync("ann", events: [event])
            #expect(synced.cards.map { $0["title"] } == ["Hats"])
            let headers = try #require(host.headers.first)
            #expect(headers["x-user"] == "ann")
            #expect(headers["x-name"] == name)
            #expect(headers["x-admin"] == nil)
            let body = try #require(host.requests.first?.dropFirst("POST /me ".count))
            #expect(try JSONValue(parsing: String(body)) == ["user": "ann", "name": .string(name)])
        }
    }

    @Test("A status that is no success is the template's to judge")
    func statuses() async throws {
        try await ContentHostServer.run { host, workspace in
            let title = """
                {% connected_content \(host.address)/none :save x %}{% if x.__http_status_code__ == 404 %}\
                {% abort_message('nothing there') %}{% endif %}
                """
            try await workspace.launch("none", card: ["type": "classic", "title": .string(title), "description": "d"])

            #expect(try await workspace.sync("ann").cards.isEmpty)
            let explained = try await workspace.explain("ann", "none")
            #expect(explained["code"] == "template_aborted")
            #expect(explained["reason"]?["detail"] == "nothing there")
        }
    }

    @Test("A host that fails withholds the card for a while, others stay, and it comes without any change")
    func failures() async throws {
        try await ContentHostServer.run { host, workspace in
            host.say(nil, status: 503, at: "/weather/x")
            try await workspace.launch("weather", card: host.card("x"))
            try await workspace.launch("plain")

            let first = try await workspace.sync("ann")
            #expect(first.cards.map { $0["campaign_id"] } == ["plain"])
            #expect(try await workspace.explain("ann", "weather")["reason"]?["detail"] == "connected_content")
            // It is left alone for ten seconds, whoever asks.
            _ = try await workspace.sync("bob")
            #expect(host.requests.count == 1)

            host.say(["text": "Sun"], at: "/weather/x")
            workspace.time.advance(by: 61)
            let second = try await workspace.sync("ann", cursor: first.cursor)
            #expect(second.cards.contains { $0["title"] == "Sun" })

            // What is there stays when the host fails again: the last answer stands in.
            host.say(nil, status: 500, at: "/weather/x")
            workspace.time.advance(by: 400)
            #expect(try await workspace.sync("ann").cards.contains { $0["title"] == "Sun" })
        }
    }

    @Test(
        "What may not be asked is not asked",
        arguments: [
            "http://example.com/", "ftp://127.0.0.1/", "http://user@127.0.0.1/", "http://127.0.0.1:1/", "/weather",
            "HOST/x :basic_auth shop", "HOST/x :method delete", "HOST/x :headers [1]",
            #"HOST/x :headers {"X-Key":"a","x-key":"b"}"#, #"HOST/x :headers {"X-Key":"a","X-Key":"b"}"#,
            "HOST/x :cache_max_age forever",
        ]
    )
    func refusals(_ address: String) async throws {
        try await ContentHostServer.run { host, workspace in
            let tag = "{% connected_content \(address.replacing("HOST", with: host.address)) :save x %}ok"
            try await workspace.launch("bad", card: ["type": "classic", "title": .string(tag), "description": "d"])

            #expect(try await workspace.sync("ann").cards.isEmpty)
            #expect(try await workspace.explain("ann", "bad")["reason"]?["detail"] == "connected_content")
            #expect(host.requests.isEmpty)
        }
    }

    @Test("An answer that is too large or no text is none")
    func badAnswers() async throws {
        try await ContentHostServer.run { host, workspace in
            host.say(.string(String(repeating: "x", count: 70_000)), at: "/weather/large")
            try await workspace.launch("large", card: host.card("large"))

            #expect(try await workspace.sync("ann").cards.isEmpty)
            #expect(try await workspace.explain("ann", "large")["reason"]?["detail"] == "connected_content")
        }
    }

    @Test("This machine and its network are not asked unless the operator allows it")
    func privateHosts() async throws {
        try await ContentHostServer.run(asksPrivateHosts: false) { host, workspace in
            host.say(["text": "Rain"], at: "/weather/x")
            try await workspace.launch("weather", card: host.card("x"))

            #expect(try await workspace.sync("ann").cards.isEmpty)
            #expect(host.requests.isEmpty)
        }
    }

    @Test("Without a listed host a template that asks one is refused before it is kept")
    func unlisted() async throws {
        try await Workspace.run { workspace in
            let card: JSONValue = [
                "type": "classic", "title": "{% connected_content https://example.com/x %}", "description": "d",
            ]
            let refused = try await workspace.manage(
                .post,
                "/v1/campaigns",
                ["id": "x", "name": "x", "variants": [["card": card]]]
            )
            #expect(refused.code == "template_invalid")
            #expect(refused.json["error"]?["reason"] == "connected_content")
            let hosts: JSONValue = ["connected_content_hosts": ["https://example.com"]]
            #expect(try await workspace.manage(.put, "/v1/settings", hosts).path == "connected_content_hosts")
        }
    }

    @Test("The preview and the feed of a user show what the card would")
    func previews() async throws {
        try await ContentHostServer.run { host, workspace in
            host.say(["text": "Rain"], at: "/weather/x")
            let preview = try await workspace.manage(.post, "/v1/preview", ["card": host.card("x")]).json
            #expect(preview["card"]?["title"] == "Rain")
            try await workspace.launch("weather", card: host.card("x"))
            try await workspace.manage(.patch, "/v1/users/ann", ["attributes": ["country": "JP"]])
            let feed = try await workspace.manage(.get, "/v1/users/ann/feed").json
            #expect(feed["cards"]?.array?.map { $0["title"] } == ["Rain"])
            #expect(feed["known_at"]?.double == workspace.time.now)
        }
    }
}

extension Workspace {
    fileprivate func explain(_ user: String, _ campaign: String) async throws -> JSONValue {
        let answer = try await manage(.get, "/v1/users/\(user)/explain?campaign_id=\(campaign)").json
        return try #require(answer["campaigns"]?.array?.first)
    }
}

/// A host that templates ask: it says what it was told to say, and remembers what it was asked.
private final class ContentHostServer: Sendable {
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
        try await app.test(.live) { client in
            let port = try #require(client.port)
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
