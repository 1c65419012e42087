import CardModel
import Foundation
import HTTPTypes
import LiveTesting
import Testing
import WireJSON

@testable import CardServer

/// Requests that name the same thing to Swift's `==`, and two things to a database.
@Suite("Over HTTP, canonically equivalent names are different names")
struct ByteIdentityTests {
    static let pairs = [("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("\u{C5}", "\u{212B}")]

    /// Control and directional characters, escaped as JSON needs it.
    static let refused = ["\u{0}", "\u{1F}", "\u{7F}", "\u{85}", "\u{200F}", "\u{202E}", "\u{2066}"]

    private func path(_ text: String) -> String {
        text.utf8.map { "%" + String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    }

    // MARK: Tokens

    @Test("A token for a canonically equivalent id opens nobody else's feed", arguments: pairs)
    func tokens(_ first: String, _ second: String) async throws {
        let signers = try UserTokenTests.Signers()
        try await Workspace.run { workspace in
            try await workspace.manage(.put, "/v1/settings", signers.settings("required"))
            let token = try await signers.es256(second + "ate", expires: workspace.time.now + 600)
            let headers: HTTPFields = [.placardUserToken: token]
            // Twice, since a token that was found good is remembered.
            for _ in 0..<2 {
                #expect(try await workspace.sync(second + "ate", headers: headers).status == 200)
                let other = try await workspace.sync(first + "ate", headers: headers)
                #expect(other.status == 401)
                #expect(other.code == "token_invalid")
            }
            let body: JSONValue = ["user_id": .string(first + "ate"), "device_id": "d", "events": []]
            let events = try await workspace.send(
                .post,
                "/v1/events",
                raw: body.text,
                key: workspace.publishable,
                headers: headers
            )
            #expect(events.code == "token_invalid")
            let live = try await workspace.send(
                .get,
                "/v1/live?user_id=\(path(first + "ate"))",
                raw: nil,
                key: workspace.publishable,
                headers: headers
            )
            #expect(live.code == "token_invalid")
        }
    }

    // MARK: Users

    @Test("Two users have two feeds, two profiles and two paths", arguments: pairs)
    func users(_ first: String, _ second: String) async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            let card = try #require(try await workspace.sync(first).cards.first?["id"]?.string)
            _ = try await workspace.sync(first, events: [workspace.event("dismissal", card)])
            #expect(try await workspace.sync(first).cards.isEmpty)
            #expect(try await workspace.sync(second).cards.count == 1)
            let theft = try await workspace.sync(second, events: [workspace.event("click", card)])
            #expect(theft.json["events"]?["rejected"]?.array?.first?["code"] == "card_unknown")

            for (name, plan) in [(first, "gold"), (second, "silver")] {
                let changed = try await workspace.manage(
                    .patch,
                    "/v1/users/\(path(name))",
                    ["custom_attributes": ["plan": .string(plan)]]
                )
                #expect(changed.json["user_id"] == .string(name))
            }
            let kept = try await workspace.manage(.get, "/v1/users/\(path(first))")
            #expect(kept.json["custom_attributes"] == ["plan": "gold"])
            #expect(try await workspace.manage(.delete, "/v1/users/\(path(first))").status == 204)
            #expect(try await workspace.manage(.get, "/v1/users/\(path(first))").status == 404)
            #expect(try await workspace.manage(.get, "/v1/users/\(path(second))").status == 200)
        }
    }

    @Test("An audience of listed users, of attributes and of events means the one it names", arguments: pairs)
    func audiences(_ first: String, _ second: String) async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("users", audience: ["users": [.string(first)]])
            try await workspace.launch(
                "attribute",
                audience: ["attribute": .string("x" + first), "comparison": "exists"]
            )
            try await workspace.launch("value", audience: ["attribute": "plan", "value": .string(first)])
            try await workspace.launch("event", audience: ["event": ["name": .string(first)]])
            try await workspace.launch("purchase", audience: ["purchase": ["product_id": .string(first)]])
            for name in [second, first] {
                let time = JSONValue.number(workspace.time.now)
                let reply = try await workspace.backend(
                    "/users/track",
                    [
                        "attributes": [["external_id": .string(name), "x\(name)": 1, "plan": .string(name)]],
                        "events": [["external_id": .string(name), "name": .string(name), "time": time]],
                        "purchases": [
                            [
                                "external_id": .string(name), "product_id": .string(name), "currency": "EUR",
                                "price": 1, "time": time,
                            ]
                        ],
                    ]
                )
                #expect(reply.status == 201)
                #expect(try await workspace.sync(name).cards.count == (name.hasSameBytes(as: first) ? 5 : 0))
            }
        }
    }

    // MARK: What backends send

    @Test("An object of a request keeps both names, and events count once each", arguments: pairs)
    func tracking(_ first: String, _ second: String) async throws {
        try await Workspace.run { workspace in
            let time = JSONValue.number(workspace.time.now - 10)
            func event(_ name: String) -> JSONValue {
                ["external_id": "ann", "name": .string(name), "time": time]
            }
            let body: JSONValue = [
                "attributes": [["external_id": "ann", "x\(first)": 1, "x\(second)": 2]],
                "events": [event(first), event(second)],
            ]
            #expect(try await workspace.backend("/users/track", body).status == 201)
            // What is sent again alone is the same event as it was beside the other.
            #expect(try await workspace.backend("/users/track", ["events": [event(second)]]).status == 201)

            let user = try await workspace.manage(.get, "/v1/users/ann").json
            #expect(user["custom_attributes"] == ["x\(first)": 1, "x\(second)": 2])
            #expect(user["history"]?["events"]?.array?.map { $0["count"] } == [1, 1])
        }
    }

    @Test("Aliases, exports, identities and sends reach the one that is named", arguments: pairs)
    func references(_ first: String, _ second: String) async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("api", delivery: ["type": "api_triggered"])
            let names = [first, second]
            let aliases = names.map { name in
                JSONValue.object(["external_id": .string(name), "alias_label": .string(name), "alias_name": "n"])
            }
            let attributes = names.map { name in
                JSONValue.object(["external_id": .string(name), "email": .string(name + "@example.com")])
            }
            _ = try await workspace.backend("/users/track", ["attributes": .array(attributes)])
            let given = try await workspace.backend("/users/alias/new", ["user_aliases": .array(aliases)])
            #expect(given.json["aliases_processed"] == 2)
            for name in names {
                #expect(try await workspace.exported(name)["external_id"] == .string(name))
                let exported = try await workspace.backend(
                    "/users/export/ids",
                    ["email_address": .string(name + "@example.com")]
                )
                #expect(exported.json["users"]?.array?.map { $0["external_id"] } == [.string(name)])
            }
            let sent = try await workspace.backend(
                "/campaigns/trigger/send",
                ["campaign_id": "api", "recipients": [["external_user_id": .string(first)]]]
            )
            #expect(sent.status == 201)
            #expect(try await workspace.sync(second).cards.isEmpty)
            #expect(try await workspace.sync(first).cards.count == 1)
            let deleted = try await workspace.backend("/users/delete", ["external_ids": [.string(second)]])
            #expect(deleted.json["deleted"] == 1)
            #expect(try await workspace.manage(.get, "/v1/users/\(path(first))").status == 200)
        }
    }

    // MARK: Campaigns

    @Test("The ids of campaigns, variants, segments and content blocks are ASCII, and no letter stands for another")
    func slugs() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("Kite")
            let kelvin = "\u{212A}ite"
            for path in ["/v1/campaigns/\(path(kelvin))", "/v1/campaigns/\(path(kelvin))/report"] {
                #expect(try await workspace.manage(.get, path).status == 404)
            }
            let sent = try await workspace.backend(
                "/campaigns/trigger/send",
                ["campaign_id": .string(kelvin), "broadcast": true]
            )
            #expect(sent.code == "campaign_unknown")
            let campaign: JSONValue = ["id": .string(kelvin), "name": "x", "variants": [["card": Workspace.classic]]]
            #expect(try await workspace.manage(.post, "/v1/campaigns", campaign).status == 400)
            let variant: JSONValue = ["name": "x", "variants": [["id": .string(kelvin), "card": Workspace.classic]]]
            #expect(try await workspace.manage(.post, "/v1/campaigns", variant).status == 400)
            #expect(
                try await workspace.manage(.post, "/v1/segments", ["id": .string(kelvin), "name": "x"]).status == 400
            )
            let block = try await workspace.manage(.put, "/v1/content-blocks/\(path(kelvin))", ["content": "x"])
            #expect(block.status == 400)
        }
    }

    @Test("An edit of an extra from one spelling to the other reaches devices", arguments: pairs)
    func edits(_ first: String, _ second: String) async throws {
        try await Workspace.run { workspace in
            func card(_ code: String) -> JSONValue {
                ["type": "classic", "title": "T", "description": "D", "extras": ["code": .string(code), code: "x"]]
            }
            try await workspace.launch("coupon", card: card("c" + first))
            let before = try await workspace.sync("ann")
            _ = try await workspace.edit("coupon", card: card("c" + second))
            let after = try await workspace.sync("ann", cursor: before.cursor)
            #expect(after.cards.first?["extras"]?["code"] == .string("c" + second))
            #expect(after.cards.first?["extras"]?["c" + second] == "x")
        }
    }

    // MARK: What is refused

    @Test("A device sends no name with a control or directional character", arguments: refused)
    func refusedOfDevices(_ character: String) async throws {
        try await Workspace.run { workspace in
            let name = "a\(character)b"
            #expect(try await workspace.sync(name).code == "field_invalid")
            #expect(try await workspace.sync("ann", device: name).code == "field_invalid")
            let live = "/v1/live?user_id=\(path(name))"
            #expect(try await workspace.send(.get, live, raw: nil, key: workspace.publishable).status == 400)
            let event = { (type: String, members: JSONObject) -> JSONValue in
                let base = workspace.event(type).object ?? [:]
                return .object(base.merging(members) { $1 })
            }
            let events: [JSONValue] = [
                event("custom", ["name": .string(name)]),
                event("purchase", ["product_id": .string(name), "currency": "EUR", "price": 1]),
                event("click", ["card_id": .string(name)]), event("attributes", ["attributes": [name: 1]]),
            ]
            let answer = try await workspace.sync("ann", events: events)
            #expect(answer.status == 200)
            let codes = answer.json["events"]?["rejected"]?.array?.map { $0["code"] }
            #expect(codes == events.map { _ in "field_invalid" })
            let types: JSONValue = ["types": [["class_type": .string(name), "fields": []]]]
            let published = try await workspace.send(
                .put,
                "/v1/content-types",
                raw: types.text,
                key: workspace.publishable
            )
            #expect(published.status == 400)
        }
    }

    @Test("A backend sends no name with a control or directional character", arguments: refused)
    func refusedOfBackends(_ character: String) async throws {
        try await Workspace.run { workspace in
            let name = "a\(character)b"
            let time = JSONValue.number(workspace.time.now)
            let objects: [(String, JSONValue)] = [
                ("attributes", ["external_id": .string(name)]), ("attributes", ["external_id": "ann", name: 1]),
                ("attributes", ["external_id": "ann", "email": .string(name + "@example.com")]),
                ("attributes", ["external_id": "ann", "phone": .string(name)]),
                ("events", ["external_id": "ann", "name": .string(name), "time": time]),
                ("events", ["external_id": "ann", "name": "n", "time": time, "properties": [name: 1]]),
                ("attributes", ["user_alias": ["alias_name": .string(name), "alias_label": "l"], "x": 1]),
            ]
            for (array, object) in objects {
                let answer = try await workspace.backend("/users/track", .object([array: [object]]))
                #expect(answer.status == 400)
            }
            let read = try await workspace.manage(.get, "/v1/users/\(path(name))")
            #expect(read.status == 400)
            let patch: [JSONValue] = [
                ["custom_attributes": [name: 1]], ["attributes": ["email": .string(name)]],
                ["attributes": ["phone": .string(name)]],
            ]
            for body in patch {
                let answer = try await workspace.manage(.patch, "/v1/users/ann", body)
                #expect(answer.status == 400)
            }
            for audience in [
                ["event": ["name": .string(name)]], ["attribute": .string(name), "comparison": "exists"],
                ["purchase": ["product_id": .string(name)]], ["users": [.string(name)]],
            ] as [JSONValue] {
                let body: JSONValue = ["name": "x", "audience": audience]
                let answer = try await workspace.manage(.post, "/v1/segments", body)
                #expect(answer.status == 400)
            }
        }
    }

    @Test(
        "A path or query that is not UTF-8 names nobody",
        arguments: ["a%FF", "a%C0%AF", "a%ED%A0%80", "a%", "a%4", "a%ZZ"]
    )
    func invalidEncodings(_ text: String) async throws {
        try await Workspace.run { workspace in
            let live = """
                GET /v1/live?user_id=\(text) HTTP/1.1\r\nHost: placard\r\n\
                Authorization: Bearer \(workspace.publishable)\r\n\r\n
                """
            let refused = try await RawConnection(to: try workspace.endpoint).exchange([live], count: 1).first
            #expect(refused?.status == 400)
            // Clients of libraries would encode it once more.
            for method in ["GET", "DELETE"] {
                let request = """
                    \(method) /v1/users/\(text) HTTP/1.1\r\nHost: placard\r\n\
                    Authorization: Bearer \(workspace.secret)\r\n\r\n
                    """
                let answer = try await RawConnection(to: try workspace.endpoint).exchange([request], count: 1).first
                #expect(answer?.status == 400)
            }
        }
    }

    @Test("A stream is asked for by one user id")
    func twoUsersInAQuery() async throws {
        try await Workspace.run { workspace in
            let path = "/v1/live?user_id=ann&user_id=bob"
            let answer3 = try await workspace.send(.get, path, raw: nil, key: workspace.publishable)
            #expect(answer3.status == 400)
        }
    }

    @Test("A lone surrogate or an overlong form in a body is refused as a whole")
    func invalidJSON() async throws {
        try await Workspace.run { workspace in
            for body in [#"{"user_id":"a\ud800","device_id":"d"}"#, #"{"user_id":"a\udc00b","device_id":"d"}"#] {
                let answer = try await workspace.send(.post, "/v1/sync", raw: body, key: workspace.publishable)
                #expect(answer.status == 400)
                #expect(answer.code == "json_invalid")
            }
        }
    }
}
