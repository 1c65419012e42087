import CardModel
import Foundation
import Testing
import WireJSON

@testable import CardServer

@Suite("Reports")
struct ReportTests {
    private static let variants: JSONValue = [
        ["id": "a", "weight": 1, "card": Workspace.classic], ["id": "control", "weight": 0, "control": true],
    ]

    private func create(_ workspace: Workspace, _ members: [(String, JSONValue)] = []) async throws -> Answer {
        var body: JSONValue = [
            "id": "sale", "name": "Sale", "variants": Self.variants,
            "conversions": [["id": "bought", "name": "Bought", "on": ["purchase": true], "from": "impression"]],
        ]
        if case .object(var object) = body {
            for (name, value) in members { object[name] = value }
            body = .object(object)
        }
        return try await workspace.manage(.post, "/v1/campaigns", body)
    }

    private func purchase(_ workspace: Workspace, _ price: Double) -> JSONValue {
        [
            "id": .string(UUID().uuidString), "type": "purchase", "product_id": "tea", "currency": "EUR",
            "price": .number(price), "quantity": 2, "at": .number(workspace.time.now),
        ]
    }

    @Test("A purchase after the impression is a conversion with its amount, in variants, totals and days")
    func conversions() async throws {
        try await Workspace.run { workspace in
            #expect(try await create(workspace).status == 201)
            #expect(try await workspace.manage(.post, "/v1/campaigns/sale/launch").status == 200)
            let card = try #require(try await workspace.sync("ann").cards.first?["id"]?.string)
            _ = try await workspace.sync("ben")

            _ = try await workspace.sync("ann", events: [purchase(workspace, 1)])
            workspace.time.advance(by: 1)
            _ = try await workspace.sync(
                "ann",
                events: [workspace.event("impression", card), purchase(workspace, 2.5), purchase(workspace, 5)]
            )

            let report = try await workspace.manage(.get, "/v1/campaigns/sale/report").json
            let variant = try #require(report["variants"]?.array?.first)
            #expect(variant["recipients"] == 2)
            #expect(variant["rates"]?["seen"]?["rate"] == 0.5)
            let conversion = try #require(variant["conversions"]?.array?.first)
            #expect(conversion["users"] == 1)
            #expect(conversion["unique_conversions"] == 1)
            #expect(conversion["amounts"]?.array?.first?["amount"] == 15)
            #expect(conversion["amounts"]?.array?.first?["purchases"] == 2)
            #expect(report["totals"]?["conversions"]?.array?.first?["unique_conversions"] == 1)
            let day = try #require(report["days"]?.array?.first)
            #expect(day["conversions"]?.array?.first?["amounts"]?.array?.first?["amount"] == 15)
            #expect(report["experiment"]?["verdict"]?["code"] == "not_enough_data")
            let series = try await workspace.manage(.get, "/campaigns/data_series?campaign_id=sale&length=1").json
            #expect(series["data"]?.array?.first?["conversions"] == 1)
            #expect(series["data"]?.array?.first?["revenue"] == 15)
            #expect(series["data"]?.array?.first?["unique_recipients"] == 2)
        }
    }

    @Test("Days keep the zone in which they were counted, also in a workspace that is in UTC by now")
    func formerZone() async throws {
        try await Workspace.run { workspace in
            var settings = Settings()
            settings.timeZone = "Pacific/Kiritimati"
            #expect(try await workspace.manage(.put, "/v1/settings", settings.json).status == 200)
            try await workspace.launch("welcome")
            let moment = workspace.time.now
            _ = try await workspace.sync("ann")
            settings.timeZone = "UTC"
            #expect(try await workspace.manage(.put, "/v1/settings", settings.json).status == 200)
            func day(_ query: String) async throws -> String? {
                let answer = try await workspace.manage(.get, "/v1/campaigns/welcome/report\(query)").json
                return answer["days"]?.array?.first?["day"]?.string
            }
            let local = Day(of: moment, offset: 14 * 3600)
            #expect(try await day("") == local.description)
            #expect(try await day("?time_zone=UTC") == Day(of: moment).description)
            #expect(try await workspace.store.dayTotals(from: Day(number: 0)).keys.sorted() == [local])
        }
    }

    @Test("The days can be limited, and asked for in the zones in which they are counted")
    func series() async throws {
        try await Workspace.run { workspace in
            var settings = Settings()
            settings.timeZone = "Asia/Tokyo"
            #expect(try await workspace.manage(.put, "/v1/settings", settings.json).status == 200)
            try await workspace.launch("welcome")
            let first = workspace.time.now
            for user in ["ann", "ben", "cid"] {
                _ = try await workspace.sync(user)
                workspace.time.advance(by: 86_400)
            }
            func days(_ query: String) async throws -> [String] {
                let answer = try await workspace.manage(.get, "/v1/campaigns/welcome/report?\(query)")
                #expect(answer.status == 200)
                return (answer.json["days"]?.array ?? []).compactMap { $0["day"]?.string }
            }
            let local = (0..<3).map { Day(of: first + Double($0) * 86_400, offset: 9 * 3600).description }
            let utc = (0..<3).map { Day(of: first + Double($0) * 86_400).description }

            #expect(try await days("") == local)
            #expect(try await days("time_zone=UTC") == utc)
            #expect(try await days("time_zone=Asia%2FTokyo&from=\(local[1])&to=\(local[1])") == [local[1]])
            #expect(try await days("from=\(local[1])") == Array(local.dropFirst()))
            for query in [
                "from=yesterday", "to=2026-13-01", "from=2027-01-02&to=2027-01-01", "time_zone=Europe/Berlin",
            ] {
                let answer = try await workspace.manage(.get, "/v1/campaigns/welcome/report?\(query)")
                #expect(answer.code == "field_invalid", "\(query)")
            }
        }
    }

    @Test("Users divided by the weights are counted for the sample ratio, and weights that change are no mismatch")
    func sampleRatio() async throws {
        try await Workspace.run { workspace in
            let even: JSONValue = [["id": "a", "card": Workspace.classic], ["id": "control", "control": true]]
            try await workspace.launch("split", variants: even)
            for number in 0..<60 { _ = try await workspace.sync("user-\(number)") }
            let known = try await workspace.manage(.get, "/v1/campaigns/split")
            guard case .object(var members) = known.json else { throw Unexpected(answer: known) }
            members["variants"] = [
                ["id": "a", "weight": 49, "card": Workspace.classic], ["id": "control", "weight": 1, "control": true],
            ]
            #expect(try await workspace.manage(.put, "/v1/campaigns/split", .object(members)).status == 200)
            for number in 0..<160 { _ = try await workspace.sync("user-\(number)") }

            let report = try await workspace.manage(.get, "/v1/campaigns/split/report").json

            let ratio = try #require(report["experiment"]?["sample_ratio"])
            #expect(ratio["mismatch"] == false)
            #expect(ratio["degrees_of_freedom"] == 2)
            let given = report["variants"]?.array?.compactMap { $0["recipients"]?.integer } ?? []
            #expect(given.reduce(0, +) == 160)
            // Those who were given the control keep it, whatever the weights are now.
            #expect(try #require(given.last) > 15)
        }
    }

    @Test("An event that is older than events are kept is refused, since nobody can tell whether it was counted")
    func oldEvents() async throws {
        try await Workspace.run { workspace in
            var settings = Settings()
            settings.eventDays = 31
            #expect(try await workspace.manage(.put, "/v1/settings", settings.json).status == 200)
            #expect(try await workspace.manage(.get, "/v1/settings").json["event_days"] == 31)
            let now = workspace.time.now
            let old = workspace.event("session_start", at: now - 31 * 86_400 - 1)
            let young = workspace.event("session_start", at: now - 31 * 86_400)

            let events = try await workspace.sync("ann", events: [old, young]).json["events"]

            #expect(events?["accepted"] == 1)
            #expect(events?["rejected"]?.array?.map { $0["code"] } == ["time_invalid"])
        }
    }

    @Test("So is one that a backend tells of, and the others of its request are counted")
    func oldBackendEvents() async throws {
        try await Workspace.run { workspace in
            var settings = Settings()
            settings.eventDays = 31
            #expect(try await workspace.manage(.put, "/v1/settings", settings.json).status == 200)
            func event(_ days: Double) -> JSONValue {
                let time = Timestamp.text(of: workspace.time.now - days * 86_400)
                return ["external_id": "ann", "name": "visit", "time": .string(time)]
            }

            let answer = try await workspace.manage(.post, "/users/track", ["events": [event(32), event(30)]])

            #expect(answer.json["events_processed"] == 1)
            #expect(answer.json["errors"]?.array?.count == 1)
            let kept = try await workspace.manage(.get, "/v1/users/ann/events").json["events"]?.array ?? []
            #expect(kept.map { $0["at"]?.double } == [workspace.time.now - 30 * 86_400])
        }
    }

    @Test("The users in the audience are counted where that is asked for")
    func eligible() async throws {
        try await Workspace.run { workspace in
            for (user, plan) in [("ann", "gold"), ("bob", "gold"), ("cid", "free")] {
                let body: JSONValue = ["custom_attributes": ["plan": .string(plan)]]
                #expect(try await workspace.manage(.patch, "/v1/users/\(user)", body).status < 300)
            }
            try await workspace.launch(
                "gold",
                audience: ["attribute": "plan", "comparison": "equals", "value": "gold"]
            )

            let report = try await workspace.manage(.get, "/v1/campaigns/gold/report?eligible=true").json

            #expect(report["eligible"]?["users"] == 2)
            #expect(report["eligible"]?["exact"] == true)
            #expect(try await workspace.manage(.get, "/v1/campaigns/gold/report").json["eligible"] == .null)
            #expect(try await workspace.manage(.get, "/v1/campaigns/gold/report?eligible=2").status == 400)
        }
    }

    @Test("Keys without the permission for users are told hundreds, and nothing of audiences that name users")
    func eligibleByPermission() async throws {
        try await Workspace.run { workspace in
            let ann: JSONValue = ["custom_attributes": ["salary": 4_500]]
            #expect(try await workspace.manage(.patch, "/v1/users/ann", ann).status < 300)
            let key = KeySecret(
                name: "agent",
                kind: .secret,
                permissions: [.campaigns, .report],
                createdAt: workspace.time.now
            )
            try await workspace.store.insertKey(key.key, by: .command)
            let salary: JSONValue = ["attribute": "salary", "comparison": "greater_than", "value": 4_000]
            let named: JSONValue = ["users": ["ann"]]
            let segment: JSONValue = ["id": "named", "name": "Named", "audience": named]
            #expect(try await workspace.manage(.post, "/v1/segments", segment).status == 201)
            let audiences: [(String, JSONValue, Int)] = [
                ("salary", salary, 200), ("named", ["all": [named, salary]], 403),
                ("inside", ["all": [["segment": "named"], salary]], 403),
            ]
            for (id, audience, status) in audiences {
                let draft: JSONValue = [
                    "id": .string(id), "name": "Draft", "audience": audience,
                    "variants": [["card": ["type": "classic", "title": "t", "description": "d"]]],
                ]
                #expect(try await workspace.send(.post, "/v1/campaigns", raw: draft.text, key: key.text).status == 201)
                let path = "/v1/campaigns/\(id)/report?eligible=true"
                let report = try await workspace.send(.get, path, raw: nil, key: key.text)
                #expect(report.status == status, "\(id)")
                #expect(report.json["eligible"]?["users"] ?? 0 == 0, "\(id)")
                #expect(try await workspace.manage(.get, path).json["eligible"]?["users"] == 1, "\(id)")
            }
        }
    }

    // MARK: Checks

    private func publish(_ workspace: Workspace) async throws {
        let types: JSONValue = [
            "types": [["class_type": "coupon", "fields": [["name": "percent", "type": "integer", "required": true]]]]
        ]
        let answer = try await workspace.send(.put, "/v1/content-types", raw: types.text, key: workspace.secret)
        #expect(answer.status == 200)
    }

    private static func coupon(_ percent: JSONValue) -> JSONValue {
        [
            "type": "classic", "title": "t", "description": "d",
            "extras": ["class_type": "coupon", "percent": percent],
        ]
    }

    @Test("Extras that the app cannot read are told at creation and refused at launch, unless that is forced")
    func checks() async throws {
        try await Workspace.run { workspace in
            try await publish(workspace)
            let created = try await workspace.manage(
                .post,
                "/v1/campaigns",
                ["id": "coupon", "name": "c", "variants": [["card": Self.coupon("abc")]]]
            )
            #expect(created.status == 201)
            #expect(created.json["warnings"]?.array?.first?["path"] == "variants[0].card.extras.percent")

            let checks = try await workspace.manage(.get, "/v1/campaigns/coupon/checks").json
            #expect(checks["launchable"] == false)
            #expect(checks["checks"]?.array?.map { $0["code"] } == ["content_field_invalid"])
            let refused = try await workspace.manage(.post, "/v1/campaigns/coupon/launch")
            #expect(refused.status == 422)
            #expect(refused.code == "checks_failed")
            #expect(refused.json["error"]?["checks"]?.array?.first?["severity"] == "error")
            #expect(try await workspace.manage(.get, "/v1/campaigns/coupon").json["status"] == "draft")
            #expect(try await workspace.manage(.post, "/v1/campaigns/coupon/launch", ["force": 1]).status == 400)
            let forced = try await workspace.manage(.post, "/v1/campaigns/coupon/launch", ["force": true])
            #expect(forced.json["status"] == "active")

            // What was answered can be sent back.
            guard case .object(var members) = created.json else { throw Unexpected(answer: created) }
            members["version"] = forced.json["version"]
            members["variants"] = [["card": Self.coupon("20")]]
            let fixed = try await workspace.manage(.put, "/v1/campaigns/coupon", .object(members))
            #expect(fixed.status == 200)
            #expect(fixed.json["warnings"] == nil)
            #expect(try await workspace.manage(.get, "/v1/campaigns/coupon/checks").json["launchable"] == true)
            #expect(try await workspace.manage(.get, "/v1/campaigns/none/checks").status == 404)
        }
    }
}
