import CardModel
import Testing
import WireJSON

@testable import CardServer

/// Campaigns whose times leave nobody a card aren't launched, unless that is forced.
struct ScheduleLaunchTests {
    private static func codes(_ answer: Answer) -> [String] {
        (answer.json["checks"]?.array ?? answer.json["error"]?["checks"]?.array ?? []).compactMap { $0["code"]?.string }
    }

    private static let deliveries: [(JSONValue, String)] = [
        (["type": "scheduled", "end_at": "2001-01-01T00:00:00Z"], "schedule_over"),
        (["type": "scheduled", "local_time": true, "end_at": "2001-01-01T00:00:00"], "schedule_over"),
        (
            [
                "type": "action", "trigger": ["event": "cart"], "delay": 86_400, "start_at": "2099-01-01T00:00:00Z",
                "end_at": "2099-01-02T00:00:00Z",
            ], "schedule_never_opens"
        ),
        (
            [
                "type": "scheduled", "local_time": true, "start_at": "2099-01-01T23:00:00",
                "end_at": "2099-01-02T05:00:00",
            ], "schedule_never_opens"
        ),
    ]

    @Test func `A launch says which times are wrong, and can be forced`() async throws {
        try await Workspace.run { space in
            try await space.manage(.put, "/v1/settings", ["quiet_hours": ["from": "22:00", "to": "06:00"]])
            for (index, (delivery, code)) in Self.deliveries.enumerated() {
                let id = "c\(index)"
                try await space.create(id, delivery: delivery)
                let refused = try await space.manage(.post, "/v1/campaigns/\(id)/launch")
                #expect(refused.status == 422 && refused.code == "checks_failed", "\(id)")
                #expect(Self.codes(refused) == [code], "\(id): \(refused.json.text)")
                let forced = try await space.manage(.post, "/v1/campaigns/\(id)/launch", ["force": true])
                #expect(forced.status == 200, "\(id)")
            }
        }
    }

    @Test func `A start after the end is refused where a campaign is saved`() async throws {
        try await Workspace.run { space in
            let delivery: JSONValue = [
                "type": "scheduled", "start_at": "2099-01-02T00:00:00Z", "end_at": "2099-01-01T00:00:00Z",
            ]
            let body: JSONValue = [
                "id": "turned", "name": "Turned", "delivery": delivery, "variants": [["card": Workspace.classic]],
            ]
            let answer = try await space.manage(.post, "/v1/campaigns", body)
            #expect(answer.status == 400 && answer.code == "field_invalid")
        }
    }
}
