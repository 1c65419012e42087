import CardModel
import Foundation
import Testing
import WireJSON

@Suite("Server: triggers")
struct TriggerTests {
    private static let api: JSONValue = ["type": "api_triggered"]

    @Test("A backend gives a card to those it names, once for a send, and hears who is unknown")
    func sends() async throws {
        try await Workspace.run { space in
            try await space.launch("tile", delivery: Self.api)
            let first = try await space.sync("u")
            #expect(first.cards.isEmpty)
            let body: JSONValue = [
                "send_id": "s1", "recipients": [["user_id": "u"], ["user_id": "stranger"]],
                "trigger_properties": ["tile_id": "7"],
            ]
            let sent = try await space.manage(.post, "/v1/campaigns/tile/trigger", body)
            #expect(sent.status == 202)
            #expect(sent.json == ["send_id": "s1", "accepted": 1, "duplicate": 0, "unknown": ["stranger"]])
            let second = try await space.sync("u", cursor: first.cursor)
            #expect(second.cards.count == 1)
            let again = try await space.manage(.post, "/v1/campaigns/tile/trigger", body)
            #expect(again.json["duplicate"] == 1)
            let third = try await space.sync("u", cursor: second.cursor)
            #expect(third.cards.isEmpty && third.cursor == second.cursor)
        }
    }

    @Test("A broadcast reaches its audience, those who come later too, and costs one row")
    func broadcasts() async throws {
        try await Workspace.run { space in
            try await space.launch("all", delivery: Self.api)
            let first = try await space.sync("u")
            let sent = try await space.manage(
                .post,
                "/v1/campaigns/all/trigger",
                ["audience": ["users": ["u", "new"]], "broadcast": true]
            )
            #expect(sent.status == 202 && sent.json["accepted"] == 1)
            #expect(try await space.sync("u", cursor: first.cursor).cards.count == 1)
            #expect(try await space.sync("new").cards.count == 1)
            #expect(try await space.sync("other").cards.isEmpty)
            #expect(try await space.sync("u").cards.count == 1)
        }
    }

    @Test("Broadcasts are counted for their key, by whichever path they come, and only so many wait")
    func boundedBroadcasts() async throws {
        try await Workspace.run { space in
            try await space.launch("all", delivery: Self.api)
            let allowance: JSONValue = ["trigger_broadcast": ["requests": 255, "seconds": 60]]
            #expect(try await space.manage(.put, "/v1/settings", ["rate_limits": allowance]).status == 200)
            let path = "/v1/campaigns/all/trigger"
            for _ in 0..<Broadcast.BroadcastLoad.campaignLimit {
                #expect(try await space.manage(.post, path, ["broadcast": true]).status == 202)
            }
            for _ in 0..<5 {
                let full = try await space.manage(.post, path, ["broadcast": true])
                #expect(full.status == 409 && full.code == "limit_reached")
            }
            #expect(try await space.manage(.post, path, ["broadcast": true]).status == 429)
            #expect(try await space.manage(.post, path, ["recipients": [["user_id": "u"]]]).status == 202)
        }
    }

    @Test("Recipients that an audience narrows get the card where they are in it, and nobody else does")
    func narrowed() async throws {
        try await Workspace.run { space in
            try await space.launch("tile", delivery: Self.api)
            for (user, plan) in [("ann", "gold"), ("bob", "free"), ("eve", "gold")] {
                try await space.manage(.patch, "/v1/users/\(user)", ["custom_attributes": ["plan": .string(plan)]])
            }
            let sent = try await space.manage(
                .post,
                "/v1/campaigns/tile/trigger",
                [
                    "send_id": "s", "recipients": [["user_id": "ann"], ["user_id": "bob"], ["user_id": "nobody"]],
                    "audience": ["attribute": "plan", "value": "gold"],
                ]
            )
            #expect(sent.status == 202)
            #expect(sent.json == ["send_id": "s", "accepted": 1, "duplicate": 0, "unknown": ["nobody"]])
            #expect(try await space.sync("ann").cards.count == 1)
            #expect(try await space.sync("bob").cards.isEmpty)
            #expect(try await space.sync("eve").cards.isEmpty)
        }
    }

    @Test("One send id gives a user one card, by a broadcast and by name, in either order", arguments: [true, false])
    func oneSend(broadcastFirst: Bool) async throws {
        try await Workspace.run { space in
            try await space.launch("tile", delivery: Self.api)
            _ = try await space.sync("u")
            let named: JSONValue = ["send_id": "s", "recipients": [["user_id": "u"]]]
            let broadcast: JSONValue = ["send_id": "s", "broadcast": true]
            for body in broadcastFirst ? [broadcast, named] : [named, broadcast] {
                #expect(try await space.manage(.post, "/v1/campaigns/tile/trigger", body).status == 202)
            }
            #expect(try await space.sync("u").cards.count == 1)
            // And with a sync in between.
            for body in broadcastFirst ? [broadcast, named] : [named, broadcast] {
                var members = try #require(body.object)
                members["send_id"] = "s2"
                try await space.manage(.post, "/v1/campaigns/tile/trigger", .object(members))
                #expect(try await space.sync("u").cards.count == 2)
            }
        }
    }

    @Test("A trigger for later gives its card then, by the cursor's own clock")
    func later() async throws {
        try await Workspace.run { space in
            try await space.launch("tile", delivery: Self.api)
            try await space.manage(
                .post,
                "/v1/campaigns/tile/trigger",
                ["recipients": [["user_id": "u"]], "at": .number(space.time.now + 60), "create_users": true]
            )
            let first = try await space.sync("u")
            #expect(first.cards.isEmpty)
            space.time.advance(by: 59)
            let second = try await space.sync("u", cursor: first.cursor)
            #expect(second.cards.isEmpty && second.cursor == first.cursor)
            space.time.advance(by: 1)
            #expect(try await space.sync("u", cursor: second.cursor).cards.count == 1)
        }
    }

    private static let refused: [(campaign: String, body: JSONValue, status: Int, code: String)] = [
        ("tile", [:], 400, "field_missing"), ("tile", ["recipients": []], 400, "field_missing"),
        ("tile", ["recipients": [], "audience": ["users": ["u"]]], 400, "field_missing"),
        ("tile", ["broadcast": false, "audience": ["users": ["u"]]], 400, "field_missing"),
        ("tile", ["recipients": [["user_id": ""]]], 400, "field_invalid"),
        ("tile", ["recipients": [["user_id": "u"]], "wrong": 1], 400, "field_unknown"),
        ("tile", ["recipients": [["user_id": "u"]], "broadcast": true], 400, "field_invalid"),
        ("tile", ["recipients": [["user_id": "u"]], "audience": ["segment": "none"]], 400, "segment_unknown"),
        ("tile", ["broadcast": true, "audience": ["attribute": "x", "comparison": "?"]], 400, "field_invalid"),
        ("tile", ["broadcast": true, "at": 99_999_999_999], 400, "field_invalid"),
        ("always", ["broadcast": true], 400, "campaign_not_api_triggered"),
        ("paused", ["broadcast": true], 409, "campaign_not_active"),
        ("none", ["broadcast": true], 404, "not_found"),
    ]

    @Test("What cannot be sent is refused as a whole")
    func refuses() async throws {
        try await Workspace.run { space in
            try await space.launch("tile", delivery: Self.api)
            try await space.launch("paused", delivery: Self.api)
            try await space.launch("always")
            try await space.manage(.post, "/v1/campaigns/paused/pause")
            for (campaign, body, status, code) in Self.refused {
                let answer = try await space.manage(.post, "/v1/campaigns/\(campaign)/trigger", body)
                #expect(answer.status == status && answer.code == code, "\(body.text): \(answer.text)")
            }
        }
    }

    @Test("Fifty recipients fit, fifty-one do not, and neither do properties of more than 16 KiB")
    func bounds() async throws {
        try await Workspace.run { space in
            try await space.launch("tile", delivery: Self.api)
            func send(_ count: Int, _ text: String = "") async throws -> Answer {
                let users = (0..<count).map { JSONValue.object(["user_id": .string("u\($0)")]) }
                return try await space.manage(
                    .post,
                    "/v1/campaigns/tile/trigger",
                    ["recipients": .array(users), "trigger_properties": ["x": .string(text)], "create_users": true]
                )
            }
            #expect(try await send(50).json["accepted"] == 50)
            #expect(try await send(51).code == "too_many_recipients")
            #expect(try await send(1, String(repeating: "x", count: 16_384)).code == "properties_too_large")
        }
    }

    @Test("An event gives its card in the same sync, and a removal event takes it away in the same one")
    func events() async throws {
        try await Workspace.run { space in
            try await space.create("cart", delivery: ["type": "action", "trigger": ["event": "cart"]])
            var draft = try await space.manage(.get, "/v1/campaigns/cart").json.object ?? [:]
            draft["rules"] = ["reeligible": true, "remove_on": [["purchase": true]]]
            try await space.manage(.put, "/v1/campaigns/cart", .object(draft))
            try await space.manage(.post, "/v1/campaigns/cart/launch")
            func event(_ type: String, _ more: [String: JSONValue]) -> JSONValue {
                var members = space.event(type).object ?? [:]
                for (name, value) in more { members[name] = value }
                return .object(members)
            }
            let first = try await space.sync("u")
            let cart = event("custom", ["name": "cart"])
            let second = try await space.sync("u", cursor: first.cursor, events: [cart])
            #expect(second.cards.count == 1)
            let again = try await space.sync("u", cursor: second.cursor, events: [cart])
            #expect(again.cards.isEmpty && again.removed.isEmpty)
            let bought = event("purchase", ["product_id": "p", "currency": "EUR", "price": 1])
            let third = try await space.sync("u", cursor: second.cursor, events: [bought])
            #expect(third.cards.isEmpty && third.removed == [second.cards[0]["id"]?.string])
        }
    }

    @Test("An event with a delay gives its card after it, and a removal event within it cancels the card")
    func delays() async throws {
        try await Workspace.run { space in
            try await space.create(
                "cart",
                delivery: ["type": "action", "trigger": ["event": "cart"], "delay": 3600]
            )
            var draft = try await space.manage(.get, "/v1/campaigns/cart").json.object ?? [:]
            draft["rules"] = ["remove_on": [["event": "checkout"]]]
            try await space.manage(.put, "/v1/campaigns/cart", .object(draft))
            try await space.manage(.post, "/v1/campaigns/cart/launch")
            func custom(_ name: String) -> JSONValue {
                var members = space.event("custom").object ?? [:]
                members["name"] = .string(name)
                return .object(members)
            }
            for user in ["buys", "leaves"] {
                #expect(try await space.sync(user, events: [custom("cart")]).cards.isEmpty)
            }
            space.time.advance(by: 1800)
            _ = try await space.sync("buys", events: [custom("checkout")])
            space.time.advance(by: 1800)
            #expect(try await space.sync("buys").cards.isEmpty)
            #expect(try await space.sync("leaves").cards.count == 1)
        }
    }

    /// Launches a campaign that backends trigger and an event cancels.
    private func launchCancelled(_ space: Workspace) async throws {
        try await space.create("sale", delivery: ["type": "api_triggered"])
        var draft = try await space.manage(.get, "/v1/campaigns/sale").json.object ?? [:]
        draft["rules"] = ["remove_on": [["event": "checkout"]]]
        try await space.manage(.put, "/v1/campaigns/sale", .object(draft))
        try await space.manage(.post, "/v1/campaigns/sale/launch")
    }

    private func checkout(_ space: Workspace, ago: Double) -> JSONValue {
        var members = space.event("custom", at: space.time.now - ago).object ?? [:]
        members["name"] = "checkout"
        return .object(members)
    }

    @Test("A broadcast that a removal event cancelled stays cancelled when another such event comes")
    func removesBroadcastsTwice() async throws {
        try await Workspace.run { space in
            try await launchCancelled(space)
            _ = try await space.sync("u")
            try await space.manage(.post, "/v1/campaigns/sale/trigger", ["broadcast": true])
            for _ in 0..<3 {
                space.time.advance(by: 60)
                #expect(try await space.sync("u", events: [checkout(space, ago: 0)]).cards.isEmpty)
                #expect(try await space.sync("u").cards.isEmpty)
            }
        }
    }

    @Test("A removal event takes away a card that the limit dropped as well, so that another may come")
    func removesDroppedCards() async throws {
        try await Workspace.run { space in
            #expect(try await space.manage(.put, "/v1/settings", ["card_limit": 1]).status == 200)
            try await space.create("again", rules: ["reeligible": true, "remove_on": [["event": "checkout"]]])
            try await space.manage(.post, "/v1/campaigns/again/launch")
            #expect(try await space.sync("u").cards.count == 1)
            space.time.advance(by: 60)
            try await space.create("other")
            try await space.manage(.post, "/v1/campaigns/other/launch")
            let pushed = try await space.sync("u").cards.compactMap { $0["campaign_id"]?.string }
            #expect(pushed == ["other"])

            space.time.advance(by: 60)
            let cards = try await space.sync("u", events: [checkout(space, ago: 0)]).cards
            #expect(cards.compactMap { $0["campaign_id"]?.string } == ["again"])
        }
    }

    @Test("A removal event cancels a broadcast whose send id was cancelled for the user before")
    func removesBroadcastsOfCancelledSends() async throws {
        try await Workspace.run { space in
            try await launchCancelled(space)
            _ = try await space.sync("u")
            let named: JSONValue = ["send_id": "s", "recipients": [["user_id": "u"]]]
            try await space.manage(.post, "/v1/campaigns/sale/trigger", named)
            #expect(try await space.sync("u", events: [checkout(space, ago: 0)]).cards.isEmpty)
            space.time.advance(by: 60)
            try await space.manage(.post, "/v1/campaigns/sale/trigger", ["send_id": "s", "broadcast": true])
            for _ in 0..<2 {
                space.time.advance(by: 60)
                #expect(try await space.sync("u", events: [checkout(space, ago: 0)]).cards.isEmpty)
                #expect(try await space.sync("u").cards.isEmpty)
            }
        }
    }

    @Test("A scheduled broadcast that a removal event cancelled stays cancelled when it is put off, which explain says")
    func removesScheduledBroadcasts() async throws {
        try await Workspace.run { space in
            try await launchCancelled(space)
            _ = try await space.sync("u")
            func schedule(in seconds: Double) -> JSONValue {
                ["time": .string(Timestamp.text(of: space.time.now + seconds))]
            }
            let made = try await space.backend(
                "/campaigns/trigger/schedule/create",
                ["campaign_id": "sale", "broadcast": true, "schedule": schedule(in: 3_600)]
            )
            space.time.advance(by: 60)
            _ = try await space.sync("u", events: [checkout(space, ago: 0)])
            let moved = try await space.backend(
                "/campaigns/trigger/schedule/update",
                [
                    "campaign_id": "sale", "schedule_id": made.json["schedule_id"] ?? .null,
                    "schedule": schedule(in: 40 * 86_400),
                ]
            )
            #expect(moved.status == 201)
            space.time.advance(by: 50 * 86_400)
            #expect(try await space.sync("u").cards.isEmpty)
            #expect(try await space.sync("other").cards.count == 1)
            let said = try await space.manage(.get, "/v1/users/u/explain?campaign_id=sale").json
            #expect(said["campaigns"]?.array?.first?["code"] == "removal_event")
        }
    }

    @Test("A removal event cancels a broadcast that still waits, but not a later one")
    func removesBroadcasts() async throws {
        try await Workspace.run { space in
            try await launchCancelled(space)
            for user in ["buys", "bought", "leaves"] { _ = try await space.sync(user) }
            space.time.advance(by: 600)
            try await space.manage(.post, "/v1/campaigns/sale/trigger", ["broadcast": true])
            space.time.advance(by: 60)
            let buys = try await space.sync("buys", events: [checkout(space, ago: 1)])
            #expect(buys.cards.isEmpty)
            #expect(try await space.sync("bought", events: [checkout(space, ago: 300)]).cards.count == 1)
            #expect(try await space.sync("leaves").cards.count == 1)
            #expect(try await space.sync("buys").cards.isEmpty)
            try await space.manage(.post, "/v1/campaigns/sale/trigger", ["broadcast": true])
            #expect(try await space.sync("buys", cursor: buys.cursor).cards.count == 1)
        }
    }
}
