import CardModel
import CardStore
import Testing
import WireJSON

@testable import CardServer

@Suite("Segments and audiences")
struct SegmentTests {
    private static let gold: JSONValue = ["attribute": "plan", "comparison": "equals", "value": "gold"]

    @Test("A segment is made, listed, read, changed by version, archived and restored")
    func lives() async throws {
        try await Workspace.run { workspace in
            let made = try await workspace.manage(
                .post,
                "/v1/segments",
                ["id": "vip", "name": "VIP", "audience": Self.gold]
            )
            #expect(made.status == 201)
            #expect(
                try await workspace.manage(.post, "/v1/segments", ["id": "vip", "name": "x"]).code == "already_exists"
            )
            let other = try await workspace.manage(.post, "/v1/segments", ["name": "Others"])
            #expect(other.json["id"]?.string?.hasPrefix("seg_") == true)
            #expect(other.json["audience"] == .null)
            let list = try await workspace.manage(.get, "/v1/segments?limit=1&offset=1")
            #expect(list.json["segments"]?.array?.count == 1)

            var members = try #require(made.json.object)
            members["name"] = "Gold"
            let changed = try await workspace.manage(.put, "/v1/segments/vip", .object(members))
            #expect((changed.status, changed.json["version"], changed.json["name"]) == (200, 2, "Gold"))
            let late = try await workspace.manage(.put, "/v1/segments/vip", .object(members))
            #expect((late.status, late.code, late.json["error"]?["version"]) == (409, "version_conflict", 2))

            #expect(try await workspace.manage(.post, "/v1/segments/vip/archive").json["archived"] == true)
            func names(_ query: String) async throws -> [JSONValue?] {
                try await workspace.manage(.get, "/v1/segments\(query)").json["segments"]?.array?.map { $0["name"] }
                    ?? []
            }
            #expect(try await names("") == ["Others"])
            #expect(try await Set(names("?include_archived=true")) == ["Gold", "Others"])
            let stale = try await workspace.manage(.post, "/v1/segments/vip/restore", ["version": 2])
            #expect(stale.code == "version_conflict")
            #expect(try await workspace.manage(.post, "/v1/segments/vip/restore", ["version": 3]).json["version"] == 4)
            #expect(try await workspace.manage(.get, "/v1/segments/none").status == 404)
            #expect(try await workspace.manage(.get, "/v1/segments?include_archived=2").code == "field_invalid")
        }
    }

    @Test("A duplicate has the audience and another ID, is changed by itself, and may be of an archived segment")
    func duplicates() async throws {
        try await Workspace.run { workspace in
            let draft: JSONValue = [
                "id": "vip", "name": "VIP", "description": "Who pays", "tags": ["crm"], "audience": Self.gold,
            ]
            let made = try await workspace.manage(.post, "/v1/segments", draft)
            #expect(made.status == 201)
            let copy = try await workspace.manage(.post, "/v1/segments/vip/duplicate")
            #expect((copy.status, copy.json["name"], copy.json["version"]) == (201, "VIP (copy)", 1))
            for field in ["description", "tags", "audience"] { #expect(copy.json[field] == made.json[field]) }
            let id = try #require(copy.json["id"]?.string)
            #expect(id.hasPrefix("seg_"))

            let edit: JSONValue = ["name": "Others", "version": 1]
            #expect(try await workspace.manage(.put, "/v1/segments/\(id)", edit).status == 200)
            #expect(try await workspace.manage(.get, "/v1/segments/vip").json["audience"] == made.json["audience"])

            _ = try await workspace.manage(.post, "/v1/segments/vip/archive")
            let second = try await workspace.manage(.post, "/v1/segments/vip/duplicate")
            #expect((second.status, second.json["archived"]) == (201, false))
            let unknown = try await workspace.manage(.post, "/v1/segments/none/duplicate")
            #expect((unknown.status, unknown.code) == (404, "not_found"))
        }
    }

    @Test("Two that are saved at the same time don't become part of each other, be they segments or content blocks")
    func races() async throws {
        try await Workspace.run { workspace in
            for round in 0..<8 {
                let names = ["a\(round)", "b\(round)"]
                for name in names {
                    let body: JSONValue = ["id": .string(name), "name": "x", "audience": Self.gold]
                    #expect(try await workspace.manage(.post, "/v1/segments", body).status == 201)
                    let block = try await workspace.manage(.put, "/v1/content-blocks/\(name)", ["content": "x"])
                    #expect(block.status == 200)
                }
                async let first = name(names[1], by: names[0], workspace)
                async let second = name(names[0], by: names[1], workspace)
                let (ones, others) = (try await first, try await second)
                #expect([ones.segment, others.segment].sorted() != [200, 200])
                #expect([ones.block, others.block].sorted() != [200, 200])
            }
        }
    }

    /// Makes a segment and a content block name others, and returns the statuses.
    private func name(
        _ other: String,
        by name: String,
        _ workspace: Workspace
    ) async throws -> (segment: Int, block: Int) {
        let segment: JSONValue = ["name": "x", "version": 1, "audience": ["segment": .string(other)]]
        let block: JSONValue = ["content": .string("{{content_blocks.${\(other)}}}")]
        return (
            try await workspace.manage(.put, "/v1/segments/\(name)", segment).status,
            try await workspace.manage(.put, "/v1/content-blocks/\(name)", block).status
        )
    }

    @Test("A segment that is not there, or that would be part of itself, is refused where it is named")
    func refuses() async throws {
        try await Workspace.run { workspace in
            let unknown: JSONValue = ["any": [Self.gold, ["segment": "none"]]]
            for path in ["/v1/segments", "/v1/campaigns", "/v1/audience/reach"] {
                var body: JSONValue = ["audience": unknown]
                if path != "/v1/audience/reach" {
                    body = [
                        "name": "a", "audience": unknown,
                        "variants": [["card": ["type": "classic", "title": "t", "description": "d"]]],
                    ]
                    if path == "/v1/segments" { body = ["name": "a", "audience": unknown] }
                }
                let answer = try await workspace.manage(.post, path, body)
                #expect(
                    (answer.status, answer.code, answer.path) == (400, "segment_unknown", "audience.any[1].segment")
                )
            }
            _ = try await workspace.manage(.post, "/v1/segments", ["id": "a", "name": "a"])
            _ = try await workspace.manage(
                .post,
                "/v1/segments",
                ["id": "b", "name": "b", "audience": ["segment": "a"]]
            )
            let cycle = try await workspace.manage(
                .put,
                "/v1/segments/a",
                ["name": "a", "version": 1, "audience": ["none": [["segment": "b"]]]]
            )
            #expect((cycle.code, cycle.path) == ("segment_cycle", "audience.none[0].segment"))
        }
    }

    @Test("A segment does not grow beyond what those that use it may have, and what is beyond isn't launchable")
    func boundsUses() async throws {
        try await Workspace.run { workspace in
            func many(_ condition: JSONValue, _ count: Int) -> JSONValue {
                ["any": .array(Array(repeating: condition, count: count))]
            }
            _ = try await workspace.manage(.post, "/v1/segments", ["id": "a", "name": "a", "audience": Self.gold])
            for (id, used) in [("b", "a"), ("c", "b")] {
                let audience = many(["segment": .string(used)], 10)
                let body: JSONValue = ["id": .string(id), "name": "x", "audience": audience]
                #expect(try await workspace.manage(.post, "/v1/segments", body).status == 201)
            }
            typealias Outcome = (status: Int, path: String?, message: String)
            func grow(to count: Int, version: Int64 = 1) async throws -> Outcome {
                let answer = try await workspace.manage(
                    .put,
                    "/v1/segments/a",
                    ["name": "a", "version": .integer(version), "audience": many(Self.gold, count)]
                )
                return (answer.status, answer.path, answer.json["error"]?["message"]?.string ?? "")
            }
            let segment = try await grow(to: 99)
            #expect((segment.status, segment.path) == (400, "audience"))
            #expect(segment.message == "The segment c would have more than 10000 conditions.")
            try await workspace.launch("two", audience: ["any": [["segment": "c"], ["segment": "c"]]])
            let campaign = try await grow(to: 60)
            #expect(campaign.message == "The campaign two would have more than 10000 conditions.")
            #expect(try await grow(to: 40).status == 200)

            // As a store may have it that was written before, or by two requests at once.
            let found = try await workspace.store.segment(SegmentID(rawValue: "a"))
            let stored = try #require(found)
            var content = stored.content
            content.audience = .any(Array(repeating: .everyone, count: 900))
            let next = stored.updating(content, at: workspace.time.now)
            _ = try await workspace.store.updateSegment(next, from: 2, action: "segment.update", by: .command)
            let checks = try await workspace.manage(.get, "/v1/campaigns/two/checks").json
            #expect(checks["launchable"] == false && checks["checks"]?.array?.first?["path"] == "audience")
            #expect(try await grow(to: 800, version: 3).status == 200, "It may become less.")
        }
    }

    @Test("A change of a segment reaches the campaigns that use it at the next sync")
    func reachesCampaigns() async throws {
        try await Workspace.run { workspace in
            _ = try await workspace.manage(.post, "/v1/segments", ["id": "vip", "name": "VIP", "audience": Self.gold])
            try await workspace.launch("welcome", audience: ["all": [["segment": "vip"]]])
            let before = try await workspace.sync("ann")
            #expect(before.cards.isEmpty)
            _ = try await workspace.manage(.put, "/v1/segments/vip", ["name": "VIP", "version": 1])
            let after = try await workspace.sync("ann", cursor: before.cursor)
            #expect(after.cards.count == 1)
        }
    }

    @Test("The reach of an audience is counted, and the reasons for one user are told")
    func reachesAndExplains() async throws {
        try await Workspace.run { workspace in
            for (user, plan) in [("ann", "gold"), ("bob", "silver"), ("cid", "gold")] {
                _ = try await workspace.manage(
                    .patch,
                    "/v1/users/\(user)",
                    ["custom_attributes": ["plan": .string(plan)]]
                )
            }
            for exact in [false, true] {
                let reach = try await workspace.manage(
                    .post,
                    "/v1/audience/reach",
                    ["audience": Self.gold, "exact": .bool(exact)]
                )
                #expect(
                    reach.json == [
                        "users": 2, "exact": true, "total": 3, "asked": 3, "margin": 0, "low": 2, "high": 2,
                    ]
                )
            }
            #expect(try await workspace.manage(.post, "/v1/audience/reach", ["exact": 1]).code == "field_invalid")

            let audience: JSONValue = ["all": [Self.gold, ["session": [:]]]]
            let bob = try await workspace.manage(
                .post,
                "/v1/audience/explain",
                ["audience": audience, "user_id": "bob"]
            )
            #expect(bob.json["matches"] == false)
            #expect(bob.json["reasons"]?.array?.map { $0["path"] } == ["audience.all[0]", "audience.all[1]"])
            #expect(bob.json["reasons"]?.array?.map { $0["found"] } == ["silver", 0])
            #expect(bob.json["explanation"]?["branches"]?.array?.first?["clause"] == Self.gold)
            #expect(try await workspace.manage(.post, "/v1/audience/explain", ["user_id": "dan"]).status == 404)
            #expect(try await workspace.manage(.post, "/v1/audience/explain", [:]).code == "field_missing")
        }
    }

    @Test("What a user did is shown with the user")
    func showsHistory() async throws {
        try await Workspace.run { workspace in
            let at = workspace.time.now
            func event(_ number: Int, _ members: JSONValue) -> JSONValue {
                guard case .object(var event) = members else { return members }
                event["id"] = .string("0190b2f0-5f3e-7cc1-8000-00000000000\(number)")
                event["at"] = .number(at - Double(number))
                return .object(event)
            }
            _ = try await workspace.sync(
                "ann",
                events: [
                    event(1, ["type": "custom", "name": "cart"]), event(2, ["type": "custom", "name": "cart"]),
                    event(3, ["type": "custom", "name": "like"]), event(4, ["type": "session_start"]),
                    event(
                        5,
                        ["type": "purchase", "product_id": "book", "currency": "usd", "price": 2.5, "quantity": 2]
                    ),
                ]
            )
            let user = try await workspace.manage(.get, "/v1/users/ann").json
            #expect(user["first_seen_at"] == .number(at).whole)
            #expect(
                user["history"] == [
                    "sessions": ["count": 1, "first_at": .number(at - 4).whole, "last_at": .number(at - 4).whole],
                    "events": [
                        [
                            "count": 2, "first_at": .number(at - 2).whole, "last_at": .number(at - 1).whole,
                            "name": "cart",
                        ],
                        [
                            "count": 1, "first_at": .number(at - 3).whole, "last_at": .number(at - 3).whole,
                            "name": "like",
                        ],
                    ],
                    "purchases": [
                        [
                            "count": 1, "first_at": .number(at - 5).whole, "last_at": .number(at - 5).whole,
                            "product_id": "book", "currency": "USD", "revenue": 5,
                        ]
                    ],
                ]
            )
        }
    }

    @Test("Segments and audiences are for keys that manage")
    func needsKey() async throws {
        try await Workspace.run { workspace in
            for path in ["/v1/segments", "/v1/audience/reach", "/v1/audience/explain"] {
                let answer = try await workspace.send(.post, path, raw: "{}", key: workspace.publishable)
                #expect(answer.status == 403)
            }
        }
    }
}

extension JSONValue {
    /// The number as parsing gives it.
    fileprivate var whole: JSONValue { integer.map(JSONValue.integer) ?? self }
}
