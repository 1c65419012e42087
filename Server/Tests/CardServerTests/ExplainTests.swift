import Foundation
import Testing
import WireJSON

@Suite("Server: explain, preview and templates")
struct ExplainTests {
    private static let gold: JSONValue = ["attribute": "plan", "comparison": "equals", "value": "gold"]

    /// What `explain` says of a user and a campaign.
    private static func explain(_ space: Workspace, _ campaign: String, user: String = "u") async throws -> JSONValue {
        let answer = try await space.manage(.get, "/v1/users/\(user)/explain?campaign_id=\(campaign)")
        return answer.json["campaigns"]?.array?.first ?? answer.json
    }

    private static func code(_ space: Workspace, _ campaign: String, user: String = "u") async throws -> String? {
        try await explain(space, campaign, user: user)["code"]?.string
    }

    private static func prepare(_ space: Workspace, _ id: String, _ more: [String: JSONValue] = [:]) async throws {
        var body: [String: JSONValue] = [
            "id": .string(id), "name": .string(id), "variants": [["card": Workspace.classic]],
        ]
        body.merge(more) { $1 }
        let json = JSONValue.object(.init(uniqueKeysWithValues: body.map { ($0.key, $0.value) }))
        let created = try await space.manage(.post, "/v1/campaigns", json)
        guard created.status == 201 else { throw Unexpected(answer: created) }
        let launched = try await space.manage(.post, "/v1/campaigns/\(id)/launch", ["force": true])
        guard launched.status == 200 else { throw Unexpected(answer: launched) }
    }

    @Test("Before and after a sync, a card that the user gets is said to be shown")
    func shown() async throws {
        try await Workspace.run { space in
            try await Self.prepare(space, "c")
            try await space.manage(.patch, "/v1/users/u", ["custom_attributes": ["plan": "free"]])
            #expect(try await Self.explain(space, "c")["gives_card"] == true)
            #expect(try await Self.code(space, "c") == "shown")
            #expect(try await space.sync("u").cards.count == 1)
            let after = try await Self.explain(space, "c")
            #expect(after["code"] == "shown" && after["gives_card"] == false)
        }
    }

    @Test("A card that comes with another one is said to come, and is in the feed that is shown before")
    func consequences() async throws {
        try await Workspace.run { space in
            for (id, other) in [("a", nil), ("b", "a"), ("c", "b"), ("d", "none")] as [(String, String?)] {
                let audience: JSONValue = other.map { ["campaign": ["id": .string($0)]] } ?? .null
                try await Self.prepare(space, id, ["audience": audience])
            }
            try await space.manage(.patch, "/v1/users/u", ["custom_attributes": ["plan": "free"]])
            var gives: [Bool] = []
            for id in ["a", "b", "c", "d"] { gives.append(try await Self.explain(space, id)["gives_card"] == true) }
            #expect(gives == [true, true, true, false])
            func campaigns(_ cards: JSONValue?) -> Set<String> {
                Set((cards?.array ?? []).compactMap { $0["campaign_id"]?.string })
            }
            let before = try await space.manage(.get, "/v1/users/u/feed").json["cards"]
            #expect(before?.array?.allSatisfy { $0["id"] == "" } == true)
            #expect(campaigns(before) == ["a", "b", "c"])
            #expect(campaigns(try await space.sync("u").json["cards"]) == ["a", "b", "c"])
        }
    }

    @Test("What keeps a card away that another one would bring is said as of then")
    func consequencesHeldBack() async throws {
        try await Workspace.run { space in
            try await space.manage(.put, "/v1/settings", ["frequency_caps": [["cards": 1, "days": 1]]])
            try await Self.prepare(space, "a")
            try await Self.prepare(space, "b", ["audience": ["campaign": ["id": "a"]]])
            try await space.manage(.patch, "/v1/users/u", ["custom_attributes": ["plan": "free"]])
            #expect(try await Self.code(space, "a") == "shown")
            #expect(try await Self.code(space, "b") == "frequency_capped")
            #expect(try await space.sync("u").cards.count == 1)
            #expect(try await Self.code(space, "b") == "frequency_capped")
        }
    }

    @Test("The wrong clause of the audience is named with what was found")
    func audience() async throws {
        try await Workspace.run { space in
            try await Self.prepare(space, "c", ["audience": ["all": [["users": ["u"]], Self.gold]]])
            try await space.manage(.patch, "/v1/users/u", ["custom_attributes": ["plan": "free"]])
            let said = try await Self.explain(space, "c")
            #expect(said["code"] == "audience")
            let clause = try #require(said["reason"]?["clauses"]?.array?.first)
            #expect(clause["path"] == "audience.all[1]" && clause["found"] == "free")
            #expect(
                said["message"] == "The user is not in the audience: “plan is gold” does not hold; found: \"free\"."
            )
        }
    }

    @Test("Drafts, pauses, stops, withdrawals and schedules are told apart")
    func life() async throws {
        try await Workspace.run { space in
            _ = try await space.sync("u")
            try await space.create("draft")
            #expect(try await Self.code(space, "draft") == "draft")
            for (id, action) in [("paused", "pause"), ("stopped", "stop")] {
                try await Self.prepare(space, id)
                try await space.manage(.post, "/v1/campaigns/\(id)/\(action)")
                #expect(try await Self.code(space, id) == id)
            }
            try await Self.prepare(space, "later", ["delivery": ["start_at": .number(space.time.now + 60)]])
            try await Self.prepare(space, "over", ["delivery": ["end_at": .number(space.time.now - 60)]])
            #expect(try await Self.code(space, "later") == "outside_schedule")
            #expect(try await Self.code(space, "over") == "outside_schedule")
            #expect(try await Self.explain(space, "later")["reason"]?["until"]?.double == space.time.now + 60)
            try await Self.prepare(space, "withdrawn")
            _ = try await space.sync("u")
            try await space.manage(.post, "/v1/campaigns/withdrawn/stop", ["withdraw": true])
            #expect(try await Self.code(space, "withdrawn") == "withdrawn")
        }
    }

    @Test("Control, dismissal, expiry and what the device could not read are told apart")
    func cards() async throws {
        try await Workspace.run { space in
            try await Self.prepare(space, "control", ["variants": [["id": "x", "control": true]]])
            try await Self.prepare(space, "dismissed")
            var short = Workspace.classic.object ?? [:]
            short["expires_after"] = 10
            try await Self.prepare(space, "expired", ["variants": [["card": .object(short)]]])
            try await Self.prepare(space, "unread")
            let synced = try await space.sync("u")
            func card(_ campaign: String) throws -> String {
                let card = synced.cards.first { $0["campaign_id"]?.string == campaign }
                return try #require(card?["id"]?.string)
            }
            var unread = space.event("content_error", try card("unread")).object ?? [:]
            unread["message"] = "discount_percentage is no number"
            _ = try await space.sync("u", events: [space.event("dismissal", try card("dismissed")), .object(unread)])
            space.time.advance(by: 11)
            #expect(try await Self.code(space, "control") == "control")
            #expect(try await Self.code(space, "dismissed") == "dismissed")
            #expect(try await Self.code(space, "expired") == "expired")
            let said = try await Self.explain(space, "unread")
            #expect(said["code"] == "decode_error")
            #expect(said["message"]?.string?.contains("discount_percentage is no number") == true)
        }
    }

    @Test("Caps, quiet hours, the card limit and re-eligibility are told apart")
    func limits() async throws {
        try await Workspace.run { space in
            try await Self.prepare(space, "first")
            try await Self.prepare(space, "second")
            try await space.manage(.put, "/v1/settings", ["frequency_caps": [["cards": 1, "days": 1]]])
            _ = try await space.sync("u")
            #expect(try await Self.code(space, "first") == "shown")
            #expect(try await Self.code(space, "second") == "frequency_capped")
            // The clock of these tests stands at 8:00 UTC.
            try await space.manage(.put, "/v1/settings", ["quiet_hours": ["from": "00:00", "to": "23:59"]])
            #expect(try await Self.code(space, "second") == "quiet_hours")
            try await space.manage(.put, "/v1/settings", ["card_limit": 1])
            let limited = try await space.sync("v")
            let kept = limited.cards[0]["campaign_id"]?.string ?? ""
            let other = kept == "first" ? "second" : "first"
            #expect(try await Self.code(space, other, user: "v") == "limit_reached")
            try await space.manage(.put, "/v1/settings", [:])
            try await Self.prepare(
                space,
                "tile",
                ["delivery": ["type": "api_triggered"], "rules": ["reeligible": false]]
            )
            #expect(try await Self.code(space, "tile") == "not_triggered")
            for send in ["1", "2"] {
                space.time.advance(by: 1)
                try await space.manage(
                    .post,
                    "/v1/campaigns/tile/trigger",
                    ["send_id": .string(send), "recipients": [["user_id": "u"]]]
                )
                let tile = try await space.sync("u").cards.first { $0["campaign_id"] == "tile" }
                if send == "1" {
                    let dismissal = space.event("dismissal", tile?["id"]?.string)
                    _ = try await space.sync("u", events: [dismissal])
                }
            }
            #expect(try await Self.explain(space, "tile")["reason"]?["code"] == "not_reeligible")
        }
    }

    @Test("Of many campaigns those are explained first that concern the user, page by page")
    func order() async throws {
        try await Workspace.run { space in
            for id in ["given", "over", "first", "second"] {
                space.time.advance(by: 1)
                try await Self.prepare(space, id, ["audience": ["users": id == "given" ? ["u"] : ["v"]]])
                if id == "given" { _ = try await space.sync("u") }
            }
            for id in ["given", "over"] { try await space.manage(.post, "/v1/campaigns/\(id)/stop") }
            func explained(_ query: String) async throws -> [String?] {
                let answer = try await space.manage(.get, "/v1/users/u/explain\(query)").json
                return (answer["campaigns"]?.array ?? []).map { $0["campaign_id"]?.string }
            }
            #expect(try await explained("") == ["second", "first", "given", "over"])
            #expect(try await explained("?limit=2&offset=1") == ["first", "given"])
            let all = try await space.manage(.get, "/v1/users/u/explain").json["campaigns"]?.array ?? []
            for one in all {
                let alone = try await Self.explain(space, one["campaign_id"]?.string ?? "")
                #expect(alone == one)
            }
            #expect(try await space.manage(.get, "/v1/users/u/explain?limit=0").status == 400)
        }
    }

    @Test("A template that aborts or fails is named, counted once for a user, and fixed by an edit")
    func templates() async throws {
        try await Workspace.run { space in
            func card(_ title: String) -> JSONValue {
                ["type": "classic", "title": .string(title), "description": "D"]
            }
            try await Self.prepare(
                space,
                "aborts",
                [
                    "variants": [
                        [
                            "card": card(
                                "{% unless custom_attribute.${plan} %}{% abort_message('no plan') %}{% endunless %}Hi"
                            )
                        ]
                    ]
                ]
            )
            try await Self.prepare(
                space,
                "fails",
                ["variants": [["card": card("{{ 1 | divided_by: custom_attribute.${zero} }}")]]]
            )
            try await Self.prepare(space, "fine", ["variants": [["card": card("Hi {{${user_id}}}")]]])
            try await space.manage(.patch, "/v1/users/u", ["custom_attributes": ["zero": 0]])
            for _ in 0..<3 {
                let cards = try await space.sync("u").cards
                #expect(cards.map { $0["title"] } == ["Hi u"])
            }
            let aborted = try await Self.explain(space, "aborts")
            #expect(aborted["code"] == "template_aborted" && aborted["reason"]?["detail"] == "no plan")
            #expect(try await Self.code(space, "fails") == "template_failed")
            let report = try await space.manage(.get, "/v1/campaigns/aborts/report")
            #expect(report.json["withheld"]?.array?.count == 1)
            #expect(report.json["withheld"]?.array?.first?["users"] == 1)
            #expect(report.json["withheld"]?.array?.first?["reason"] == "no plan")
            try await space.manage(.patch, "/v1/users/u", ["custom_attributes": ["plan": "gold", "zero": 1]])
            #expect(try await space.sync("u").cards.count == 3)
        }
    }

    @Test("A report says of an abort what the template says for all users, and nothing of one of them")
    func computedReason() async throws {
        try await Workspace.run { space in
            let title = "{% assign why = custom_attribute.${pin} %}{% abort_message(why) %}"
            try await Self.prepare(
                space,
                "tells",
                ["variants": [["card": ["type": "classic", "title": .string(title), "description": "D"]]]]
            )
            for (user, pin) in [("u", "4711"), ("v", "0815")] {
                try await space.manage(.patch, "/v1/users/\(user)", ["custom_attributes": ["pin": .string(pin)]])
                #expect(try await space.sync(user).cards.isEmpty)
            }
            #expect(try await Self.explain(space, "tells")["reason"]?["detail"] == "4711")
            let report = try await space.manage(.get, "/v1/campaigns/tells/report")
            #expect(report.json["withheld"]?.array?.map { $0["reason"] } == ["{{why}}"])
            #expect(report.json["withheld"]?.array?.first?["users"] == 2)
        }
    }

    @Test("The feed of any moment is shown without being given")
    func feed() async throws {
        try await Workspace.run { space in
            _ = try await space.sync("u")
            try await Self.prepare(space, "now")
            try await Self.prepare(space, "later", ["delivery": ["start_at": .number(space.time.now + 60)]])
            let now = try await space.manage(.get, "/v1/users/u/feed")
            #expect(now.cards.map { $0["campaign_id"] } == ["now"])
            let later = try await space.manage(.get, "/v1/users/u/feed?at=\(Int(space.time.now) + 60)")
            #expect(later.cards.count == 2)
            #expect(try await space.manage(.get, "/v1/users/u").json["cards"]?.array?.isEmpty == true)
        }
    }

    @Test("Any card can be previewed for any user, and says where a template is wrong")
    func preview() async throws {
        try await Workspace.run { space in
            try await space.manage(.patch, "/v1/users/u", ["attributes": ["first_name": "Ann"]])
            func preview(_ title: String, _ more: [String: JSONValue] = [:]) async throws -> Answer {
                var body: [String: JSONValue] = [
                    "card": ["type": "classic", "title": .string(title), "description": "D"], "user_id": "u",
                ]
                body.merge(more) { $1 }
                return try await space.manage(
                    .post,
                    "/v1/preview",
                    .object(.init(uniqueKeysWithValues: body.map { ($0.key, $0.value) }))
                )
            }
            let shown = try await preview(
                "{{${first_name}}} {{api_trigger_properties.${x}}}",
                ["trigger_properties": ["x": 7]]
            )
            #expect(shown.status == 200 && shown.json["card"]?["title"] == "Ann 7")
            let hashed = try await preview(
                "{{ 'abc' | sha2 | slice: 0, 8 }} {{ 'abc' | md5 | slice: 0, 8 }} {{ 'x' | hmac_sha1_hex: 'k' | size }}"
            )
            #expect(hashed.json["card"]?["title"] == "ba7816bf 90015098 40")
            let withheld = try await preview("{% abort_message('why') %}")
            #expect(withheld.json["withheld"]?["code"] == "template_aborted" && withheld.json["card"] == .null)
            let wrong = try await preview("a\n {% if %}")
            #expect(wrong.status == 400 && wrong.code == "template_invalid" && wrong.path == "card.title")
            #expect(wrong.json["error"]?["line"] == 2 && wrong.json["error"]?["column"] == 2)
        }
    }

    @Test("A template that is wrong is refused before it is kept, and content blocks change the cards that name them")
    func contentBlocks() async throws {
        try await Workspace.run { space in
            let card: JSONValue = ["type": "classic", "title": "{{content_blocks.${sign}}}", "description": "D"]
            let draft: JSONValue = ["id": "c", "name": "c", "variants": [["card": card]]]
            let refused = try await space.manage(.post, "/v1/campaigns", draft)
            #expect(refused.code == "template_invalid" && refused.path == "variants[0].card.title")
            #expect(refused.json["error"]?["reason"] == "missing_content_block")
            #expect(
                try await space.manage(.put, "/v1/content-blocks/sign", ["content": "{% if"]).code == "template_invalid"
            )
            #expect(try await space.manage(.put, "/v1/content-blocks/sign", ["content": "one"]).status == 200)
            #expect(try await space.manage(.post, "/v1/campaigns", draft).status == 201)
            #expect(try await space.manage(.post, "/v1/campaigns/c/launch").status == 200)
            let first = try await space.sync("u")
            #expect(first.cards.map { $0["title"] } == ["one"])
            try await space.manage(.put, "/v1/content-blocks/sign", ["content": "two", "description": "d"])
            let second = try await space.sync("u", cursor: first.cursor)
            #expect(second.cards.map { $0["title"] } == ["two"])
            #expect(try await space.manage(.get, "/v1/content-blocks").json["content_blocks"]?.array?.count == 1)
            #expect(try await space.manage(.get, "/v1/content-blocks/sign").json["content"] == "two")
            #expect(try await space.manage(.delete, "/v1/content-blocks/sign?force=true").status == 204)
            #expect(try await space.manage(.delete, "/v1/content-blocks/sign").status == 404)
            #expect(try await space.sync("u", cursor: second.cursor).removed.count == 1)
        }
    }
}
