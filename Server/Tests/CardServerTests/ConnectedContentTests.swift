import CardModel
import Foundation
import Hummingbird
import Liquid
import LiveTesting
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

    private static let refused = [
        "http://example.com/", "ftp://127.0.0.1/", "http://user@127.0.0.1/", "http://127.0.0.1:1/", "/weather",
        "HOST/x :basic_auth shop", "HOST/x :method delete", "HOST/x :headers [1]",
        #"HOST/x :headers {"X-Key":"a","x-key":"b"}"#, #"HOST/x :headers {"X-Key":"a","X-Key":"b"}"#,
        "HOST/x :cache_max_age forever",
    ]

    @Test("What may not be asked is not asked")
    func refusals() async throws {
        try await ContentHostServer.run { host, workspace in
            for (number, address) in Self.refused.enumerated() {
                let tag = "{% connected_content \(address.replacing("HOST", with: host.address)) :save x %}ok"
                let card: JSONValue = ["type": "classic", "title": .string(tag), "description": "d"]
                try await workspace.launch("bad-\(number)", card: card)

                let reply = try await workspace.sync("ann")
                #expect(reply.cards.isEmpty, "\(address)")
                let reason = try await workspace.explain("ann", "bad-\(number)")["reason"]
                #expect(reason?["detail"] == "connected_content", "\(address)")
                #expect(host.requests.isEmpty, "\(address)")
                try await workspace.manage(.post, "/v1/campaigns/bad-\(number)/pause")
            }
        }
    }

    @Test("A host that fails for several users is left alone for all of them, and asked again afterwards")
    func pauses() async throws {
        try await ContentHostServer.run { host, workspace in
            try await workspace.launch("weather", card: host.card("{{${user_id}}}"))
            for user in 1...6 {
                host.say(nil, status: 503, at: "/weather/\(user)")
                #expect(try await workspace.sync("\(user)").cards.isEmpty)
            }
            #expect(host.requests.count == ContentHosts.patience)

            workspace.time.advance(by: ContentHosts.pause + 1)
            host.say(["text": "Sun"], at: "/weather/7")
            #expect(try await workspace.sync("7").cards.map { $0["title"] } == ["Sun"])
            // One user's failures alone keep nothing from others.
            for user in 8...10 {
                host.say(user == 8 ? nil : ["text": "Sun"], status: user == 8 ? 500 : 200, at: "/weather/\(user)")
                #expect(try await workspace.sync("\(user)").cards.count == (user == 8 ? 0 : 1))
            }
        }
    }

    @Test("A host has so many requests under way, and no more")
    func concurrency() {
        var hosts = ContentHosts()
        let first = (0..<ContentHosts.concurrency).map { _ in hosts.begin("slow:443", at: 0) }
        let (more, other) = (hosts.begin("slow:443", at: 0), hosts.begin("other:443", at: 0))
        hosts.end("slow:443", isFailure: false, at: 0)
        let next = hosts.begin("slow:443", at: 0)
        #expect(first.allSatisfy(\.self) && !more && other && next)
    }

    @Test("No host is asked for users that an address may not create")
    func strangers() async throws {
        try await ContentHostServer.run { host, workspace in
            host.say(["text": "Rain"], at: "/weather/x")
            var settings = try await workspace.store.loadCatalog().settings
            settings.deviceLimits.newUsersPerAddress = .init(burst: 2, perSecond: 0.1)
            try await workspace.store.saveSettings(settings, at: workspace.time.now, by: .command)
            try await workspace.launch("weather", card: host.card("{{${user_id}}}"))
            for user in 1...10 {
                let status = try await workspace.sync("\(user)").status
                #expect(status == (user <= 2 ? 200 : 429))
            }
            #expect(host.requests.count == 2)
        }
    }

    @Test("A key that may only read asks no host by a preview")
    func previewsOfReaders() async throws {
        try await ContentHostServer.run { host, workspace in
            host.say(["text": "Rain"], at: "/weather/x")
            let asking: JSONValue = ["card": host.card("x")]
            let plain: JSONValue = ["card": ["type": "classic", "title": "{{${user_id}}}", "description": "d"]]
            func preview(_ body: JSONValue, _ permission: JSONValue) async throws -> Int {
                let key: JSONValue = ["name": "k", "kind": "secret", "permissions": [permission]]
                let secret = try #require(try await workspace.manage(.post, "/v1/keys", key).json["secret"]?.string)
                return try await workspace.send(.post, "/v1/preview", raw: body.text, key: secret).status
            }
            let refused = try await preview(asking, "read")
            let shown = try await preview(plain, "read")
            #expect(refused == 403 && shown == 200 && host.requests.isEmpty)
            let asked = try await preview(asking, "campaigns")
            #expect(asked == 200 && host.requests.count == 1)
        }
    }

    @Test("A preview that is to ask no host asks none, and shows a card that needs none")
    func previewsWithoutHosts() async throws {
        try await ContentHostServer.run { host, workspace in
            host.say(["text": "Rain"], at: "/weather/x")
            let plain: JSONValue = ["type": "classic", "title": "t", "description": "d"]
            func preview(_ card: JSONValue, _ wish: JSONValue) async throws -> Int {
                let body: JSONValue = ["card": card, "connected_content": wish]
                return try await workspace.manage(.post, "/v1/preview", body).status
            }
            let refused = try await preview(host.card("x"), false)
            let shown = try await preview(plain, false)
            let wrong = try await preview(plain, "no")
            #expect((refused, shown, wrong) == (403, 200, 400))
            #expect(host.requests.isEmpty)
            let asked = try await preview(host.card("x"), true)
            #expect(asked == 200 && host.requests.count == 1)
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
