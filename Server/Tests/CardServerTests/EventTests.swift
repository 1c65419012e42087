import Foundation
import Testing
import WireJSON

@testable import CardServer

@Suite("Events")
struct EventTests {
    private func card(_ workspace: Workspace, user: String = "ann") async throws -> String {
        try await workspace.launch("welcome")
        return try #require(try await workspace.sync(user).cards.first?["id"]?.string)
    }

    private func send(
        _ workspace: Workspace,
        _ events: [JSONValue],
        user: String = "ann",
        sentAt: Double? = nil
    )
        async throws -> Answer
    {
        let body: JSONValue = [
            "user_id": .string(user), "device_id": "d", "events": .array(events),
            "sent_at": sentAt.map(JSONValue.number) ?? .null,
        ]
        return try await workspace.send(.post, "/v1/events", raw: body.text, key: workspace.publishable)
    }

    @Test("An event counts once, however often and by whichever path it is sent")
    func once() async throws {
        try await Workspace.run { workspace in
            let card = try await card(workspace)
            let event = workspace.event("impression", card)

            let first = try await send(workspace, [event, event])
            let second = try await send(workspace, [event])
            let third = try await workspace.sync("ann", events: [event])

            #expect(first.json["events"]?["accepted"] == 1)
            #expect(first.json["events"]?["duplicate"] == 1)
            #expect(second.json["events"]?["duplicate"] == 1)
            #expect(third.json["events"]?["duplicate"] == 1)
            #expect(try await workspace.totals("welcome")["impressions"] == 1)
        }
    }

    @Test("Impressions and clicks count each, and once for the user; a card is dismissed once")
    func counts() async throws {
        try await Workspace.run { workspace in
            let card = try await card(workspace)
            _ = try await send(
                workspace,
                ["impression", "impression", "click", "click", "click", "dismissal", "dismissal"].map {
                    workspace.event($0, card)
                }
            )
            let totals = try await workspace.totals("welcome")
            #expect(totals["delivered"] == 1)
            #expect(totals["impressions"] == 2)
            #expect(totals["unique_impressions"] == 1)
            #expect(totals["clicks"] == 3)
            #expect(totals["unique_clicks"] == 1)
            #expect(totals["dismissals"] == 1)
        }
    }

    @Test("What an app says of its user changes the profile, and the next cards with it; values stay out of the log")
    func attributes() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch(
                "greeting",
                card: ["type": "classic", "title": "Hello {{${first_name}}}", "description": "d"],
                audience: ["attribute": "plan", "comparison": "equals", "value": "pro"]
            )
            let before = try await workspace.sync("ann")
            #expect(before.cards.isEmpty)

            func said(_ attributes: JSONValue) -> JSONValue {
                var event = workspace.event("attributes").object ?? [:]
                event["attributes"] = attributes
                return .object(event)
            }
            let after = try await workspace.sync(
                "ann",
                cursor: before.json["cursor"]?.string,
                events: [said(["first_name": "Ann", "plan": "pro"]), said(["visits": ["inc": 3]])]
            )
            #expect(after.cards.map { $0["title"] } == ["Hello Ann"])

            let user = try await workspace.manage(.get, "/v1/users/ann").json
            #expect(user["custom_attributes"]?["visits"] == 3)
            #expect(user["attributes"]?["first_name"] == "Ann")
            let log = try await workspace.manage(.get, "/v1/users/ann/events").json["events"]?.array ?? []
            #expect(log.contains { $0["type"] == "attributes" })
            #expect(!JSONValue.array(log).text.contains("Ann"))

            let bad = try await send(workspace, [said(["gender": "unicorn"]), workspace.event("attributes")])
            #expect(bad.json["events"]?["rejected"]?.array?.map { $0["code"] } == ["field_invalid", "field_missing"])

            func edits(_ count: Int) -> JSONValue {
                var sets = JSONObject()
                for number in 0..<count { sets["s\(number)"] = ["add": ["x"]] }
                return said(.object(sets))
            }
            let edited = try await send(
                workspace,
                [edits(EventValidator.editLimit), edits(EventValidator.editLimit + 1)]
            )
            #expect(edited.json["events"]?["accepted"] == 1)
            #expect(edited.json["events"]?["rejected"]?.array?.map { $0["code"] } == ["field_invalid"])
        }
    }

    @Test(
        "A clock up to a minute ahead is taken for now; what is further ahead counts in a window when its time has come"
    )
    func eventsAhead() async throws {
        try await Workspace.run { workspace in
            let audience: JSONValue = ["event": ["name": "cart", "within_days": 7]]
            try await workspace.launch("carts", audience: audience)
            func cart(ahead: Double) -> JSONValue {
                guard case .object(var event) = workspace.event("custom", at: workspace.time.now + ahead) else {
                    return .null
                }
                event["name"] = "cart"
                return .object(event)
            }
            #expect(try await workspace.sync("bob", events: [cart(ahead: 45)]).cards.count == 1)
            let early = try await workspace.sync("ann", events: [cart(ahead: 18_000)])
            #expect(early.cards.isEmpty)
            workspace.time.advance(by: 17_999)
            #expect(try await workspace.sync("ann", cursor: early.cursor).cards.isEmpty)
            workspace.time.advance(by: 1)
            #expect(try await workspace.sync("ann", cursor: early.cursor).cards.count == 1)
        }
    }

    @Test("One bad event is rejected with its reason and does not lose the others")
    func badEvents() async throws {
        try await Workspace.run { workspace in
            let card = try await card(workspace)
            let id = UUID().uuidString.lowercased()
            let now = JSONValue.number(workspace.time.now)
            let bad: [(JSONValue, String)] = [
                (["id": "x", "type": "impression", "card_id": .string(card), "at": now], "id_invalid"),
                (["type": "impression", "card_id": .string(card), "at": now], "id_invalid"),
                (["id": .string(id), "type": "wave", "at": now], "type_unknown"),
                (["id": .string(id), "at": now], "field_missing"),
                (["id": .string(id), "type": "impression", "at": now], "field_missing"),
                (["id": .string(id), "type": "impression", "card_id": 7, "at": now], "field_invalid"),
                (["id": .string(id), "type": "impression", "card_id": "nobody's", "at": now], "card_unknown"),
                (["id": .string(id), "type": "session_start"], "time_invalid"),
                (["id": .string(id), "type": "session_start", "at": "today"], "time_invalid"),
                (["id": .string(id), "type": "session_start", "at": 1e300], "time_invalid"),
                (["id": .string(id), "type": "session_start", "at": -5], "time_invalid"),
                (["id": .string(id), "type": "custom", "at": now], "field_missing"),
                (["id": .string(id), "type": "custom", "name": "", "at": now], "field_invalid"),
                (["id": .string(id), "type": "custom", "name": "x", "properties": 3, "at": now], "field_invalid"),
                (["id": .string(id), "type": "purchase", "product_id": "p", "price": 1, "at": now], "field_missing"),
                (
                    [
                        "id": .string(id), "type": "purchase", "product_id": "p", "currency": "yen", "price": "1",
                        "at": now,
                    ],
                    "field_invalid"
                ),
                (
                    [
                        "id": .string(id), "type": "custom", "name": "x", "at": now,
                        "properties": ["text": .string(String(repeating: "x", count: 17_000))],
                    ], "event_too_large"
                ),
                (
                    [
                        "id": .string(id), "type": "purchase", "product_id": "p", "currency": "JPY", "price": 1,
                        "quantity": 1.5, "at": now,
                    ], "field_invalid"
                ), (42, "id_invalid"),
            ]
            let answer = try await send(workspace, bad.map(\.0) + [workspace.event("impression", card)])

            #expect(answer.status == 200)
            #expect(answer.json["events"]?["accepted"] == 1)
            let codes = answer.json["events"]?["rejected"]?.array?.compactMap { $0["code"]?.string } ?? []
            #expect(answer.json["events"]?["rejected"]?.array?.contains { $0["id"] == "x" } == true)
            // The store looks for the card after the others were judged, so its verdict stands first.
            #expect(codes.sorted() == bad.map(\.1).sorted())
            #expect(try await workspace.totals("welcome")["impressions"] == 1)
        }
    }

    @Test("An event with an object in which a name stands twice is rejected alone, however deep it is")
    func repeatedNames() async throws {
        try await Workspace.run { workspace in
            func event(_ fields: String) -> String {
                let id = UUID().uuidString.lowercased()
                return #"{"id":"\#(id)","at":\#(workspace.time.now),\#(fields)}"#
            }
            let events = [
                event(#""type":"custom","name":"x","properties":{"plan":"a","plan":"b"}"#),
                event(#""type":"custom","name":"x","properties":{"list":[{"deep":{"a":1,"\u0061":1}}]}"#),
                event(#""type":"attributes","attributes":{"plan":"a","plan":"b"}"#),
                event(#""type":"attributes","attributes":{"plan":"a"}"#),
                event(#""type":"custom","name":"x","properties":{"a":{"a":[{"a":1},{"a":1}]}}"#),
            ]
            let body = #"{"user_id":"ann","device_id":"d","events":[\#(events.joined(separator: ","))]}"#
            let answer = try await workspace.send(.post, "/v1/events", raw: body, key: workspace.publishable)
            let rejected = answer.json["events"]?["rejected"]?.array ?? []
            #expect(answer.status == 200 && answer.json["events"]?["accepted"] == 2)
            #expect(rejected.map { $0["code"] } == ["field_repeated", "field_repeated", "field_repeated"])
            #expect(rejected.last?["message"] == "A name stands twice in an object of attributes.")
        }
    }

    @Test("A user cannot count for another user's card")
    func othersCard() async throws {
        try await Workspace.run { workspace in
            let card = try await card(workspace, user: "ann")
            let answer = try await send(workspace, [workspace.event("click", card)], user: "mallory")
            #expect(answer.json["events"]?["rejected"]?.array?.first?["code"] == "card_unknown")
            #expect(try await workspace.totals("welcome")["clicks"] == 0)
        }
    }

    @Test("The times of a device whose clock is wrong are put right by when it says it sent them")
    func clockSkew() async throws {
        try await Workspace.run { workspace in
            let year = 365.0 * 86_400 * 20
            let id = UUID()
            let answer = try await send(
                workspace,
                [workspace.event("session_start", id: id, at: workspace.time.now - year - 90)],
                sentAt: workspace.time.now - year
            )
            #expect(answer.json["events"]?["accepted"] == 1)
            let events = try await workspace.manage(.get, "/v1/users/ann/events").json["events"]?.array
            #expect(events?.first?["at"]?.double == workspace.time.now - 90)
        }
    }

    @Test("More events than a request may carry are refused as a whole")
    func tooMany() async throws {
        try await Workspace.run { workspace in
            let events = (0...SyncRequest.maximumEvents).map { _ in workspace.event("session_start") }
            let answer = try await send(workspace, events)
            #expect(answer.status == 400)
            #expect(answer.code == "too_many_events")
            #expect(try await workspace.manage(.get, "/v1/users/ann").status == 404)
        }
    }

    @Test("Custom events and purchases are kept with their properties")
    func kept() async throws {
        try await Workspace.run { workspace in
            let purchase: JSONValue = [
                "id": .string(UUID().uuidString), "type": "purchase", "product_id": "tea", "currency": "jpy",
                "price": 480.5, "quantity": 2, "at": .number(workspace.time.now), "properties": ["gift": true],
            ]
            #expect(try await send(workspace, [purchase]).json["events"]?["accepted"] == 1)
            let event = try await workspace.manage(.get, "/v1/users/ann/events").json["events"]?.array?.first
            #expect(event?["details"]?["product_id"] == "tea")
            #expect(event?["details"]?["currency"] == "JPY")
            #expect(event?["details"]?["price"] == 480.5)
            #expect(event?["details"]?["quantity"] == 2)
            #expect(event?["details"]?["properties"]?["gift"] == true)
        }
    }

    @Test("What devices could not decode is counted and listed on the campaign")
    func contentErrors() async throws {
        try await Workspace.run { workspace in
            let card = try await card(workspace)
            for _ in 0..<2 {
                _ = try await send(
                    workspace,
                    [
                        [
                            "id": .string(UUID().uuidString), "type": "content_error", "card_id": .string(card),
                            "at": .number(workspace.time.now), "class_type": "coupon_code",
                            "field": "discount_percentage", "message": "abc is not a number",
                        ]
                    ]
                )
            }
            let report = try await workspace.manage(.get, "/v1/campaigns/welcome/report").json
            #expect(report["totals"]?["decode_errors"] == 2)
            #expect(report["decode_errors"]?.array?.count == 1)
            #expect(report["decode_errors"]?.array?.first?["field"] == "discount_percentage")
            #expect(report["decode_errors"]?.array?.first?["count"] == 2)
        }
    }

    @Test("What a device says of a card it could not decode has nothing that steers a terminal")
    func hostileContentErrors() async throws {
        try await Workspace.run { workspace in
            let card = try await card(workspace)
            let event: JSONValue = [
                "id": .string(UUID().uuidString), "type": "content_error", "card_id": .string(card),
                "at": .number(workspace.time.now), "message": "a\u{1B}[2Jb\r\nc\u{9B}d\u{202E}e ü",
            ]
            _ = try await send(workspace, [event])
            let report = try await workspace.manage(.get, "/v1/campaigns/welcome/report").json
            #expect(report["decode_errors"]?.array?.first?["message"] == "a [2Jb  c d e ü")
        }
    }
}
