import Testing
import WireJSON

@testable import CardServer

@Suite("Campaigns for backends")
struct CampaignExportTests {
    @Test("The list goes by age, in both directions, and leaves out the archived")
    func list() async throws {
        try await Workspace.run { workspace in
            for id in ["first", "second", "third"] {
                try await workspace.create(id)
                workspace.time.advance(by: 60)
            }
            _ = try await workspace.manage(.post, "/v1/campaigns/second/archive")
            func ids(_ query: String) async throws -> [JSONValue?]? {
                let reply = try await workspace.backend("/campaigns/list\(query)")
                #expect(reply.status == 200)
                #expect(reply.json["message"] == "success")
                return reply.json["campaigns"]?.array?.map { $0["id"] }
            }
            #expect(try await ids("") == ["first", "third"])
            #expect(try await ids("?sort_direction=desc&include_archived=true") == ["third", "second", "first"])
            #expect(try await ids("?page=1") == [])
            let edited = "?last_edit.time%5Bgt%5D=2027-01-15T08:00:30Z&include_archived=true"
            let found = try await ids(edited)
            #expect(found == ["second", "third"])
            let row = try await workspace.backend("/campaigns/list").json["campaigns"]?.array?.first
            #expect(
                row == [
                    "id": "first", "last_edited": "2027-01-15T08:00:00.000Z", "name": "first",
                    "is_api_campaign": false, "tags": [],
                ]
            )
            #expect(try await workspace.backend("/campaigns/list?sort_direction=up").status == 400)
        }
    }

    @Test("The control group is no recipient, and was sent nothing")
    func control() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch(
                "sale",
                variants: [["id": "a", "card": Workspace.classic], ["id": "control", "control": true]]
            )
            var given = 0
            for number in 0..<20 {
                let card = try await workspace.sync("user-\(number)").json["cards"]?.array?.first
                if card?["type"] != "control" { given += 1 }
            }
            #expect(given > 0 && given < 20)
            let series = try await workspace.backend("/campaigns/data_series?campaign_id=sale&length=1").json
            let day = try #require(series["data"]?.array?.first)
            #expect(day["unique_recipients"]?.integer == Int64(given))
            let messages = day["messages"]?["content_cards"]?.array ?? []
            #expect(messages.map { $0["variation_api_id"] } == ["a", "control"])
            #expect(messages.map { $0["sent"]?.integer } == [Int64(given), 0])
        }
    }

    @Test("Details and series say what was counted, day by day")
    func series() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch(
                "sale",
                variants: [
                    ["id": "a", "name": "A", "card": Workspace.classic],
                    ["id": "control", "control": true, "weight": 0],
                ]
            )
            let card = try #require(try await workspace.sync("ann").json["cards"]?.array?.first?["id"]?.string)
            _ = try await workspace.sync("ann", events: [workspace.event("impression", card)])

            let details = try await workspace.backend("/campaigns/details?campaign_id=sale").json
            #expect(details["message"] == "success")
            #expect(details["enabled"] == true)
            #expect(details["channels"] == ["content_cards"])
            #expect(details["messages"]?["a"] == ["channel": "content_cards", "name": "A"])
            #expect(details["messages"]?["control"] == ["channel": "content_cards", "type": "control"])
            #expect(details["first_sent"] == "2027-01-15")

            let days = try await workspace.backend("/campaigns/data_series?campaign_id=sale&length=3").json["data"]?
                .array
            #expect(days?.map { $0["time"] } == ["2027-01-13", "2027-01-14", "2027-01-15"])
            #expect(days?.map { $0["unique_recipients"] } == [0, 0, 1])
            let counts = days?.last?["messages"]?["content_cards"]?.array?.first
            #expect(counts?["variation_api_id"] == "a")
            #expect(counts?["sent"] == 1)
            #expect(counts?["total_impressions"] == 1)
            #expect(counts?["unique_impressions"] == 1)

            let earlier = try await workspace.backend(
                "/campaigns/data_series?campaign_id=sale&length=1&ending_at=2027-01-14T23:59:59-05:00"
            )
            #expect(earlier.json["data"]?.array?.first?["time"] == "2027-01-15")
            let unknown = try await workspace.backend("/campaigns/details?campaign_id=none")
            #expect(unknown.status == 400)
            #expect(unknown.json["message"] == "Invalid Campaign ID.")
            #expect(try await workspace.backend("/campaigns/data_series?campaign_id=sale&length=101").status == 400)
        }
    }

    @Test("Conversions are described, and counted on their day in their order")
    func conversions() async throws {
        try await Workspace.run { workspace in
            let made = try await workspace.manage(
                .post,
                "/v1/campaigns",
                [
                    "id": "sale", "name": "Sale", "variants": [["id": "a", "card": Workspace.classic]],
                    "conversions": [
                        ["id": "signup", "on": ["event": "signed_up"]], ["id": "buy", "on": ["purchase": true]],
                    ],
                ]
            )
            #expect(made.status == 201, "\(made.text)")
            _ = try await workspace.manage(.post, "/v1/campaigns/sale/launch")
            #expect(try await workspace.sync("ann").json["cards"]?.array?.count == 1)
            workspace.time.advance(by: 60)
            let time = JSONValue.string(BackendTime.text(workspace.time.now))
            _ = try await workspace.backend(
                "/users/track",
                [
                    "purchases": [
                        [
                            "external_id": "ann", "product_id": "tea", "currency": "USD", "price": 2.5, "quantity": 2,
                            "time": time,
                        ]
                    ]
                ]
            )
            let series = try await workspace.backend("/campaigns/data_series?campaign_id=sale&length=1")
            let day = series.json["data"]?.array?.first
            #expect(day?["unique_recipients"] == 1)
            #expect(day?["conversions"] == 0)
            #expect(day?["conversions1"] == 1)
            #expect(day?["revenue"] == 5)
            let details = try await workspace.backend("/campaigns/details?campaign_id=sale").json
            #expect(
                details["conversion_behaviors"] == [
                    ["type": "Performs Custom Event", "custom_event_name": "signed_up", "window": 259_200],
                    ["type": "Makes Any Purchase", "window": 259_200],
                ]
            )
        }
    }
}
