import Testing
import WireJSON

@testable import CardServer

@Suite("Sync")
struct SyncTests {
    @Test("A launched card reaches everybody at their next sync, each with an id of its own")
    func launch() async throws {
        try await Workspace.run { workspace in
            let before = try await workspace.sync("ann")
            #expect(before.cards.isEmpty)

            try await workspace.launch("welcome")
            let ann = try await workspace.sync("ann", cursor: before.cursor)
            let bob = try await workspace.sync("bob")

            #expect(ann.json["replace"] == false)
            #expect(ann.cards.map { $0["title"] } == ["Hello"])
            #expect(bob.json["replace"] == true)
            #expect(bob.cards.count == 1)
            #expect(ann.cards.first?["id"] != bob.cards.first?["id"])
        }
    }

    @Test("A device that has everything gets its cursor back and empty arrays")
    func nothingChanged() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            let first = try await workspace.sync("ann")
            let second = try await workspace.sync("ann", cursor: first.cursor)

            #expect(second.cursor == first.cursor)
            #expect(second.json["replace"] == false)
            #expect(second.cards.isEmpty)
            #expect(second.removed.isEmpty)
        }
    }

    @Test("An event that puts its user into an audience brings the card with the same sync")
    func eventAudience() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch(
                "fans",
                audience: ["event": ["name": "cart", "comparison": "greater_than", "value": 1]]
            )
            func cart(_ number: Int) -> JSONValue {
                let id = "0190b2f0-5f3e-7cc1-8000-00000000000\(number)"
                return ["id": .string(id), "type": "custom", "name": "cart", "at": .number(workspace.time.now)]
            }
            let first = try await workspace.sync("ann", events: [cart(1)])
            #expect(first.cards.isEmpty)
            let other = try await workspace.sync("ann", device: "device-2")
            let second = try await workspace.sync("ann", cursor: first.cursor, events: [cart(2)])
            #expect(second.cards.count == 1)
            // The other device has done nothing, and is told as well.
            let told = try await workspace.sync("ann", device: "device-2", cursor: other.cursor)
            #expect(told.cards.count == 1)
            #expect(try await workspace.sync("bob").cards.isEmpty)
        }
    }

    @Test("A sync that leaves out locale, time zone or version keeps what was said before")
    func keepsContext() async throws {
        try await Workspace.run { workspace in
            func sync(_ members: JSONValue) async throws -> Answer {
                var body = try #require(members.object)
                body["user_id"] = "ann"
                body["device_id"] = "device-1"
                return try await workspace.send(
                    .post,
                    "/v1/sync",
                    raw: JSONValue.object(body).text,
                    key: workspace.publishable
                )
            }
            func known() async throws -> [JSONValue?] {
                let user = try await workspace.manage(.get, "/v1/users/ann").json
                return [user["attributes"]?["language"], user["attributes"]?["time_zone"], user["app_version"]]
            }
            let first = try await sync(["locale": "ja-JP", "time_zone": "Asia/Tokyo", "app_version": "3.1"])
            let cursor = JSONValue.string(first.cursor)
            workspace.time.advance(by: 10)
            // A bare sync, with a cursor and without; half a context; and long after the last one.
            for (body, expected): (JSONValue, [JSONValue]) in [
                (["cursor": cursor], ["ja", "Asia/Tokyo", "3.1"]), ([:], ["ja", "Asia/Tokyo", "3.1"]),
                (["cursor": cursor, "app_version": "3.1", "locale": .null], ["ja", "Asia/Tokyo", "3.1"]),
                // What says nothing, and a zone that there is none of, is as if it had been left out.
                (["locale": "", "time_zone": "", "app_version": ""], ["ja", "Asia/Tokyo", "3.1"]),
                (["time_zone": "Mars/X"], ["ja", "Asia/Tokyo", "3.1"]),
                (["locale": "\u{0}", "app_version": "3.2\u{0}"], ["ja", "Asia/Tokyo", "3.1"]),
                (["locale": "de\n", "app_version": "3\u{202E}"], ["ja", "Asia/Tokyo", "3.1"]),
                (["locale": "de-DE"], ["de", "Asia/Tokyo", "3.1"]),
            ] {
                #expect(try await sync(body).status == 200)
                #expect(try await known() == expected)
            }
            workspace.time.advance(by: 86_400)
            #expect(try await sync([:]).status == 200)
            #expect(try await known() == ["de", "Asia/Tokyo", "3.1"])
            let new = try await sync(["app_version": "3.2"])
            #expect(try await known() == ["de", "Asia/Tokyo", "3.2"])
            // Half a context, or none, finds nothing new once the device has caught up.
            let last = try await sync(["cursor": .string(new.cursor), "app_version": "3.2"])
            for body: JSONValue in [["app_version": "3.2"], ["locale": "de-DE"], [:]] {
                var members = try #require(body.object)
                members["cursor"] = .string(last.cursor)
                let again = try await sync(.object(members))
                #expect(again.cursor == last.cursor)
                #expect(again.json["replace"] == false)
            }
        }
    }

    @Test("A new user's time zone isn't one that there is none of, and a preview refuses it")
    func unknownZone() async throws {
        try await Workspace.run { workspace in
            let body = #"{"user_id":"ann","device_id":"d","time_zone":"Mars/X","locale":"ja-JP"}"#
            _ = try await workspace.send(.post, "/v1/sync", raw: body, key: workspace.publishable)
            let user = try await workspace.manage(.get, "/v1/users/ann").json
            #expect(user["attributes"] == ["country": "JP", "language": "ja"])
            let card: JSONValue = ["type": "classic", "title": "t", "description": "d"]
            let preview = try await workspace.manage(.post, "/v1/preview", ["card": card, "time_zone": "Mars/X"])
            #expect(preview.status == 400 && preview.code == "field_invalid")
        }
    }

    @Test("A new user is first seen by the sync that makes them, which explain says too")
    func firstSeen() async throws {
        try await Workspace.run { workspace in
            let audience: JSONValue = [
                "attribute": "first_seen_at", "comparison": "less_than_x_days_ago", "value": 7,
            ]
            try await workspace.launch("welcome", audience: audience)
            let answer = try await workspace.sync("ann", events: [workspace.event("session_start")])
            #expect(answer.cards.count == 1)
            try await workspace.manage(.patch, "/v1/users/bob", ["custom_attributes": ["plan": "gold"]])
            let said = try await workspace.manage(.get, "/v1/users/bob/explain?campaign_id=welcome").json
            #expect(said["campaigns"]?.array?.first?["gives_card"] == true)
            #expect(try await workspace.sync("bob").cards.count == 1)
            workspace.time.advance(by: 8 * 86_400)
            try await workspace.launch("again", audience: audience)
            #expect(try await workspace.sync("bob").cards.count == 1)
        }
    }

    @Test("A cursor of another user, or a damaged one, gets the whole feed")
    func foreignCursor() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            let ann = try await workspace.sync("ann")
            #expect(try await workspace.sync("bob").cards.count == 1)
            for cursor in [ann.cursor, ann.cursor + "0", String(ann.cursor.dropLast())] {
                let bob = try await workspace.sync("bob", cursor: cursor)
                #expect(bob.json["replace"] == true)
                #expect(bob.cards.count == 1)
            }
        }
    }

    @Test("What is done on one device shows on the user's other device, and a dismissed card never comes back")
    func twoDevices() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("one")
            try await workspace.launch("two")
            let phone = try await workspace.sync("ann", device: "phone")
            let tablet = try await workspace.sync("ann", device: "tablet")
            #expect(Set(phone.cards.map { $0["id"] }) == Set(tablet.cards.map { $0["id"] }))
            let ids = phone.cards.compactMap { $0["id"]?.string }

            let after = try await workspace.sync(
                "ann",
                device: "phone",
                cursor: phone.cursor,
                events: [
                    workspace.event("impression", ids[0]), workspace.event("click", ids[0]),
                    workspace.event("dismissal", ids[1]),
                ]
            )
            #expect(after.cards.isEmpty && after.removed.isEmpty, "a device is not told of what it did itself")

            let merged = try await workspace.sync("ann", device: "tablet", cursor: tablet.cursor)
            #expect(merged.removed == [ids[1]])
            #expect(merged.cards.map { $0["id"]?.string } == [ids[0]])
            #expect(merged.cards.first?["viewed"] == true)
            #expect(merged.cards.first?["clicked"] == true)
            #expect(try await workspace.sync("ann", device: "new").cards.count == 1)
        }
    }

    @Test("A user who was deleted and made again gets the new feed, whatever the old device has seen")
    func madeAgain() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("one")
            let old = try await workspace.sync("ann")
            #expect(try await workspace.manage(.delete, "/v1/users/ann").status == 204)
            workspace.time.advance(by: 1)
            #expect(try await workspace.manage(.patch, "/v1/users/ann", ["custom_attributes": ["n": 1]]).status == 200)
            let fresh = try await workspace.sync("ann", device: "new")
            let card = try #require(fresh.cards.first?["id"]?.string)
            _ = try await workspace.sync("ann", device: "new", events: [workspace.event("impression", card)])

            let again = try await workspace.sync("ann", cursor: old.cursor)
            #expect(again.json["replace"] == true)
            #expect(again.cards.map { $0["id"]?.string } == [card])
        }
    }

    @Test("Beyond the card limit the oldest card leaves")
    func cardLimit() async throws {
        try await Workspace.run { workspace in
            var settings = try await workspace.manage(.get, "/v1/settings").json.object ?? [:]
            settings["card_limit"] = 2
            #expect(try await workspace.manage(.put, "/v1/settings", .object(settings)).status == 200)
            for name in ["one", "two"] {
                try await workspace.launch(name)
                workspace.time.advance(by: 1)
            }
            let first = try await workspace.sync("ann")
            workspace.time.advance(by: 1)
            try await workspace.launch("three")
            let second = try await workspace.sync("ann", cursor: first.cursor)

            #expect(second.cards.map { $0["campaign_id"] } == ["three"])
            #expect(second.removed.count == 1)
            #expect(try await workspace.sync("ann").cards.count == 2)
        }
    }

    @Test(
        "A cursor that cannot be used gets the whole feed",
        arguments: ["", "nonsense", "1.0.0.0.0.0", "1.zzzzzzzzzzzz.9.9.9.0"]
    )
    func unusableCursor(cursor: String) async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            let reply = try await workspace.sync("ann", cursor: cursor)
            #expect(reply.status == 200)
            #expect(reply.json["replace"] == true)
            #expect(reply.cards.count == 1)
        }
    }

    @Test("Pinned cards come first, then priority, then the newest")
    func order() async throws {
        try await Workspace.run { workspace in
            func card(_ title: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
                var members: JSONValue = ["type": "classic", "title": .string(title), "description": "."]
                if case .object(var object) = members {
                    for (name, value) in more { object[name] = value }
                    members = .object(object)
                }
                return members
            }
            try await workspace.launch("a", card: card("old"))
            _ = try await workspace.sync("ann")
            workspace.time.advance(by: 10)
            try await workspace.launch("b", card: card("new"))
            try await workspace.launch("c", card: card("urgent", ["priority": 5]))
            try await workspace.launch("d", card: card("pinned", ["pinned": true]))

            let titles = try await workspace.sync("ann").cards.map { $0["title"]?.string }
            #expect(titles == ["pinned", "urgent", "new", "old"])
        }
    }
}
