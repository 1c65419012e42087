import Foundation
import Testing
import WireJSON

@Suite("Server: test sends")
struct TestSendTests {
    private static let draft: JSONValue = [
        "id": "draft", "name": "Draft",
        "variants": [
            [
                "id": "a", "name": "A",
                "card": [
                    "type": "classic", "title": "Hello {{${first_name}}}", "description": "English", "language": "en",
                    "translations": ["ja": ["title": "こんにちは"]],
                ],
            ],
            ["id": "b", "name": "B", "card": ["type": "classic", "title": "Bye", "description": "B"]],
            ["id": "c", "name": "Control", "control": true],
        ],
    ]
    private static let path = "/v1/campaigns/draft/test-send"

    /// A workspace with a draft and the user u, who has synced.
    private static func run(_ body: @escaping @Sendable (Workspace, String) async throws -> Void) async throws {
        try await Workspace.run { space in
            let created = try await space.manage(.post, "/v1/campaigns", draft)
            guard created.status == 201 else { throw Unexpected(answer: created) }
            try await space.manage(.patch, "/v1/users/u", ["attributes": ["first_name": "Anna"]])
            try await body(space, try await space.sync("u").cursor)
        }
    }

    @Test("A card of a draft reaches the users who are named, rendered for each and marked as a test")
    func sends() async throws {
        try await Self.run { space, cursor in
            let sent = try await space.manage(.post, Self.path, ["users": ["u", "nobody", "u"]])
            #expect(sent.status == 200)
            #expect(sent.json["sent"]?.array?.map { $0["user_id"]?.string } == ["u"])
            #expect(sent.json["failed"]?.array?.map { $0["code"]?.string } == ["user_unknown"])
            let feed = try await space.sync("u", cursor: cursor)
            let card = try #require(feed.cards.first)
            #expect(feed.cards.count == 1)
            #expect(card["title"] == "Hello Anna" && card["test"] == true && card["variant_id"] == "a")
            #expect(card["campaign_id"] == "draft" && card["id"] == sent.json["sent"]?.array?.first?["card_id"])
            #expect(try await space.sync("other").cards.isEmpty)

            let other = try await space.manage(.post, Self.path, ["users": ["u"], "variant_id": "a", "language": "ja"])
            #expect(other.status == 200)
            let second = try await space.sync("u", cursor: feed.cursor)
            #expect(second.cards.map { $0["title"]?.string } == ["こんにちは"])
            #expect(try await space.sync("u").cards.count == 2)
        }
    }

    @Test("Events of a test card are accepted and marked, but no report counts them")
    func counts() async throws {
        try await Self.run { space, cursor in
            try await space.manage(.post, Self.path, ["users": ["u"]])
            let feed = try await space.sync("u", cursor: cursor)
            let id = try #require(feed.cards.first?["id"]?.string)
            let events = ["impression", "click", "dismissal"].map { space.event($0, id) }
            let told = try await space.sync("u", cursor: feed.cursor, events: events)
            #expect(told.json["events"]?["accepted"] == 3)
            #expect(try await space.sync("u").cards.isEmpty)
            #expect(try await space.sync("u", cursor: feed.cursor).removed == [id])
            let totals = try await space.totals("draft")
            #expect(totals["impressions"] == 0 && totals["delivered"] == 0 && totals["unique_clicks"] == 0)
            #expect(try await space.manage(.get, "/v1/users/u/events").json["events"] == [])
        }
    }

    @Test("A test card leaves after a day, and for a newer one of the same variant and language")
    func leaves() async throws {
        try await Self.run { space, cursor in
            try await space.manage(.post, Self.path, ["users": ["u"]])
            let first = try await space.sync("u", cursor: cursor)
            let id = try #require(first.cards.first?["id"]?.string)
            try await space.manage(.post, Self.path, ["users": ["u"]])
            let second = try await space.sync("u", cursor: first.cursor)
            #expect(second.cards.count == 1 && second.removed == [id])
            space.time.advance(by: 86_400)
            let third = try await space.sync("u", cursor: second.cursor)
            #expect(third.cards.isEmpty && third.removed.count == 1)
        }
    }

    @Test("A test that names no user goes to the test users")
    func testUsers() async throws {
        try await Self.run { space, cursor in
            let missing = try await space.manage(.post, Self.path, [:])
            #expect(missing.status == 400 && missing.code == "field_missing")
            let saved = try await space.manage(.put, "/v1/test-users", ["users": ["u", "u"]])
            #expect(saved.json == ["users": ["u"], "devices": [], "groups": []])
            #expect(try await space.manage(.get, "/v1/test-users").json == saved.json)
            #expect(try await space.manage(.post, Self.path, [:]).json["sent"]?.array?.count == 1)
            #expect(try await space.sync("u", cursor: cursor).cards.count == 1)
        }
    }

    @Test(
        "A test of what isn't there is refused, and says which field is wrong",
        arguments: [
            (["users": ["u"], "variant_id": "z"], "variant_id"), (["users": ["u"], "variant_id": "c"], "variant_id"),
            (["users": ["u"], "language": "fr"], "language"), (["users": "u"], "users"), (["users": [1]], "users[0]"),
            (["users": [""]], "users[0]"), (["people": ["u"]], "people"),
            (["users": ["u"], "trigger_properties": 1], "trigger_properties"),
            (["users": .array((0...50).map { .string("u\($0)") })], "users"),
        ] as [(JSONValue, String)]
    )
    func refuses(_ body: JSONValue, _ path: String) async throws {
        try await Self.run { space, cursor in
            let refused = try await space.manage(.post, Self.path, body)
            #expect(refused.status == 400 && refused.path == path)
            #expect(try await space.sync("u", cursor: cursor).cards.isEmpty)
        }
    }
}
