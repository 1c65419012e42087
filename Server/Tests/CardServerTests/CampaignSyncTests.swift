import Testing
import WireJSON

@testable import CardServer

@Suite("Sync: what campaigns change")
struct CampaignSyncTests {
    @Test("Editing a campaign changes the card in place")
    func liveEdit() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            let first = try await workspace.sync("ann")

            let edited = try await workspace.edit(
                "welcome",
                card: ["type": "classic", "title": "Hello again", "description": "World", "pinned": true]
            )
            #expect(edited.status == 200)
            let second = try await workspace.sync("ann", cursor: first.cursor)

            #expect(second.cards.count == 1)
            #expect(second.cards.first?["id"] == first.cards.first?["id"])
            #expect(second.cards.first?["title"] == "Hello again")
            #expect(second.cards.first?["dismissible"] == false)
            #expect(second.removed.isEmpty)
        }
    }

    @Test("Stopping with withdrawal takes the card away, and launching again brings the same card back")
    func withdraw() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            let first = try await workspace.sync("ann")
            let id = try #require(first.cards.first?["id"]?.string)

            try await workspace.manage(.post, "/v1/campaigns/welcome/stop", ["withdraw": true])
            let second = try await workspace.sync("ann", cursor: first.cursor)
            #expect(second.removed == [id])

            try await workspace.manage(.post, "/v1/campaigns/welcome/launch")
            let third = try await workspace.sync("ann", cursor: second.cursor)
            #expect(third.cards.map { $0["id"] } == [.string(id)])
            #expect(try await workspace.totals("welcome")["delivered"] == 1)
        }
    }

    @Test(
        "Stopping or pausing without withdrawal keeps delivered cards and reaches nobody new",
        arguments: ["stop", "pause"]
    )
    func endsWithoutWithdrawal(action: String) async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            let first = try await workspace.sync("ann")
            try await workspace.manage(.post, "/v1/campaigns/welcome/\(action)")

            let again = try await workspace.sync("ann", cursor: first.cursor)
            #expect(again.cards.isEmpty && again.removed.isEmpty)
            #expect(try await workspace.sync("ann").cards.count == 1)
            #expect(try await workspace.sync("bob").cards.isEmpty)
        }
    }

    @Test("A scheduled campaign reaches users from its start to its end")
    func schedule() async throws {
        try await Workspace.run { workspace in
            let now = workspace.time.now
            try await workspace.launch(
                "sale",
                delivery: ["start_at": .number(now + 100), "end_at": .number(now + 200)]
            )
            let early = try await workspace.sync("ann")
            #expect(early.cards.isEmpty)

            workspace.time.advance(by: 100)
            let open = try await workspace.sync("ann", cursor: early.cursor)
            #expect(open.cards.count == 1)

            workspace.time.advance(by: 100)
            #expect(try await workspace.sync("bob").cards.isEmpty)
            #expect(try await workspace.sync("ann", cursor: open.cursor).removed.isEmpty)
        }
    }

    @Test("Only the audience gets the card, and a user who comes to belong to it gets it then")
    func audience() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch(
                "gold",
                audience: [
                    "all": [
                        ["attribute": "plan", "comparison": "equals", "value": "gold"],
                        ["attribute": "country", "value": "JP"],
                    ]
                ]
            )
            try await workspace.launch("named", audience: ["users": ["bob"]])
            let ann = try await workspace.sync("ann", locale: "ja-JP")
            #expect(ann.cards.isEmpty)
            #expect(try await workspace.sync("bob", locale: "en-US").cards.map { $0["campaign_id"] } == ["named"])

            let patched = try await workspace.manage(.patch, "/v1/users/ann", ["custom_attributes": ["plan": "gold"]])
            #expect(patched.status == 200)
            let later = try await workspace.sync("ann", cursor: ann.cursor, locale: "ja-JP")
            #expect(later.cards.map { $0["campaign_id"] } == ["gold"])
        }
    }

    @Test("The control variant arrives as a control card with nothing to show, and is left out of the totals")
    func control() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch(
                "test",
                variants: [
                    ["id": "shown", "weight": 0, "card": Workspace.classic], ["id": "control", "control": true],
                ]
            )
            let reply = try await workspace.sync("ann")
            let card = try #require(reply.cards.first)
            #expect(card["type"] == "control")
            #expect(card["title"] == nil)
            #expect(card["dismissible"] == false)

            let id = try #require(card["id"]?.string)
            _ = try await workspace.sync("ann", cursor: reply.cursor, events: [workspace.event("impression", id)])
            let report = try await workspace.manage(.get, "/v1/campaigns/test/report").json
            #expect(report["totals"]?["impressions"] == 0)
            #expect(report["variants"]?.array?[1]["impressions"] == 1)
            #expect(report["variants"]?.array?[1]["delivered"] == 1)
        }
    }

    @Test("A card expires some time after it was delivered, and the device is told")
    func expiry() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch(
                "brief",
                card: ["type": "classic", "title": "a", "description": "b", "expires_after": 60]
            )
            let first = try await workspace.sync("ann")
            let card = try #require(first.cards.first)
            #expect(card["expires_at"]?.double == workspace.time.now + 60)

            workspace.time.advance(by: 60)
            let second = try await workspace.sync("ann", cursor: first.cursor)
            #expect(second.removed == [card["id"]?.string])
            #expect(try await workspace.sync("ann").cards.isEmpty)
        }
    }
}
