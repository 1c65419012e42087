import Testing
import WireJSON

@testable import CardServer

@Suite("Aliases, identities, export and deletion")
struct IdentityTests {
    private static let alias: JSONValue = ["alias_name": "4711", "alias_label": "loyalty"]

    @Test("An old device of a user who was merged has its events counted for who they are, and gets no feed")
    func oldDevice() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            _ = try await workspace.backend("/users/alias/new", ["user_aliases": [Self.alias]])
            let found = try await workspace.backend("/users/export/ids", ["user_aliases": [Self.alias]])
            let guest = try #require(found.json["users"]?.array?.first?["braze_id"]?.string)
            let first = try await workspace.sync(guest)
            let card = try #require(first.cards.first?["id"]?.string)
            _ = try await workspace.backend(
                "/users/identify",
                ["aliases_to_identify": [["external_id": "ann", "user_alias": Self.alias]]]
            )

            var seen = workspace.event("impression").object ?? [:]
            seen["card_id"] = .string(card)
            var bought = workspace.event("custom").object ?? [:]
            bought["name"] = "bought"
            let late = try await workspace.sync(guest, cursor: first.cursor, events: [.object(seen), .object(bought)])
            #expect(late.status == 200 && late.json["events"]?["accepted"] == 2)
            #expect(late.json["replace"] == true && late.cards.isEmpty)
            let report = try await workspace.manage(.get, "/v1/campaigns/welcome/report").json
            #expect(report["totals"]?["impressions"] == 1)
            let user = try await workspace.exported("ann")
            #expect(user["custom_events"]?.array?.map { $0["name"] } == ["bought"])
            let ann = try await workspace.sync("ann")
            #expect(ann.cards.count == 1 && ann.cards.first?["viewed"] == true)
            #expect(try await workspace.sync(guest).cards.isEmpty)
            #expect(try await workspace.store.userCount() == 1)
        }
    }

    @Test("A user known by an alias alone becomes one with an id")
    func identify() async throws {
        try await Workspace.run { workspace in
            let made = try await workspace.backend("/users/alias/new", ["user_aliases": [Self.alias]])
            #expect(made.status == 201)
            #expect(made.json == ["message": "success", "aliases_processed": 1])
            _ = try await workspace.backend(
                "/users/track",
                [
                    "attributes": [["user_alias": Self.alias, "plan": "gold"]],
                    "events": [["user_alias": Self.alias, "name": "seen", "time": "2026-07-16T19:20:45Z"]],
                ]
            )

            let identified = try await workspace.backend(
                "/users/identify",
                [
                    "aliases_to_identify": [
                        ["external_id": "ann", "user_alias": Self.alias],
                        ["external_id": "bob", "user_alias": ["alias_name": "0", "alias_label": "loyalty"]],
                        ["user_alias": Self.alias],
                    ]
                ]
            )

            #expect(identified.status == 201)
            #expect(identified.json["aliases_processed"] == 1)
            #expect(
                identified.json["errors"]?.array?.map { [$0["input_array"], $0["index"]] } == [
                    ["user_identifiers", 1], ["user_identifiers", 2],
                ]
            )
            let user = try await workspace.exported("ann")
            #expect(user["external_id"] == "ann")
            #expect(user["user_aliases"] == [["alias_name": "4711", "alias_label": "loyalty"]])
            #expect(user["custom_attributes"] == ["plan": "gold"])
            #expect(user["custom_events"]?.array?.first?["count"] == 1)
        }
    }

    @Test("An alias for a user who is not there is not given")
    func unknownUser() async throws {
        try await Workspace.run { workspace in
            let reply = try await workspace.backend(
                "/users/alias/new",
                ["user_aliases": [["external_id": "ann", "alias_name": "1", "alias_label": "x"]]]
            )
            #expect(reply.status == 201)
            #expect(reply.json["aliases_processed"] == 0)
            #expect(reply.json["errors"]?.array?.count == 1)
        }
    }

    @Test("The export finds users by every name, leaves out what is not known, and names who is not there")
    func export() async throws {
        try await Workspace.run { workspace in
            _ = try await workspace.backend(
                "/users/track",
                [
                    "attributes": [
                        ["external_id": 42, "email": "ann@example.com", "phone": "+8190"],
                        ["user_alias": Self.alias, "_update_existing_only": false],
                    ]
                ]
            )
            let byID = try await workspace.backend(
                "/users/export/ids",
                ["external_ids": ["42", "nobody"], "user_aliases": [Self.alias]]
            )
            #expect(byID.json["message"] == "success")
            #expect(byID.json["users"]?.array?.count == 2)
            #expect(byID.json["users"]?.array?.last?["external_id"] == nil)
            #expect(byID.json["invalid_user_ids"] == ["nobody"])

            let byEmail = try await workspace.backend(
                "/users/export/ids",
                ["email_address": "ANN@example.com", "fields_to_export": ["external_id", "purchases"]]
            )
            #expect(byEmail.json == ["message": "success", "users": [["external_id": "42"]]])
            let byPhone = try await workspace.backend("/users/export/ids", ["phone": "+8190"])
            #expect(byPhone.json["users"]?.array?.count == 1)
        }
    }

    @Test("More than fifty users, or none, are refused")
    func limits() async throws {
        try await Workspace.run { workspace in
            let ids = JSONValue.array((0..<51).map { .string("user-\($0)") })
            for (path, body): (String, JSONValue) in [
                ("/users/export/ids", ["external_ids": ids]), ("/users/delete", ["external_ids": ids]),
                ("/users/export/ids", [:]), ("/users/delete", [:]), ("/users/identify", [:]), ("/users/alias/new", [:]),
            ] {
                let reply = try await workspace.backend(path, body)
                #expect(reply.status == 400, "\(path)")
                #expect(reply.json["message"]?.string?.isEmpty == false)
                #expect(reply.json["error"]?["message"] == reply.json["message"])
            }
        }
    }

    @Test("Users are forgotten by every name, and only where it means one of them")
    func delete() async throws {
        try await Workspace.run { workspace in
            _ = try await workspace.backend(
                "/users/track",
                [
                    "attributes": [
                        ["external_id": "ann", "email": "a@example.com"],
                        ["external_id": "bob", "email": "a@example.com"],
                        ["user_alias": Self.alias, "_update_existing_only": false],
                    ]
                ]
            )
            let unclear = try await workspace.backend(
                "/users/delete",
                ["email_addresses": [["email": "a@example.com", "prioritization": ["identified"]]]]
            )
            #expect(unclear.json == ["message": "success", "deleted": 0])
            let deleted = try await workspace.backend(
                "/users/delete",
                ["user_aliases": [Self.alias], "external_ids": ["ann", "nobody"]]
            )
            #expect(deleted.json == ["message": "success", "deleted": 2])
            let last = try await workspace.backend("/users/delete", ["email_addresses": [["email": "a@example.com"]]])
            #expect(last.json["deleted"] == 1)
            #expect(try await workspace.store.userCount() == 0)
        }
    }
}
