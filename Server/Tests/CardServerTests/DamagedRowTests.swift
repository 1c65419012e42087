import CardModel
import CardStore
import CardStoreConformance
import HTTPTypes
import Testing
import WireJSON

@testable import CardServer
@testable import SQLiteCardStore

@Suite("Rows of users and events that can't be read, over HTTP")
struct DamagedRowTests {
    @Test("A damaged card and a damaged event are left out and counted, and the rest is answered as JSON")
    func leftOut() async throws {
        try await Workspace.run { workspace in
            for (id, freezes) in [("kept", true), ("live", false)] {
                let card: JSONValue = ["type": "classic", "title": "T", "description": "D"]
                let variant: JSONValue = ["id": "a", "weight": 1, "card": card]
                let campaign: JSONValue = [
                    "id": .string(id), "name": .string(id), "rules": ["freeze": .bool(freezes)],
                    "variants": .array([variant]),
                ]
                #expect(try await workspace.manage(.post, "/v1/campaigns", campaign).status == 201)
                #expect(try await workspace.manage(.post, "/v1/campaigns/\(id)/launch", [:]).status == 200)
            }
            #expect(try await workspace.sync("u").cards.count == 2)
            let events = [UInt64(1), 2].map { DeviceEvent($0, .custom(name: ByteString("e"))) }
            try await workspace.store.record(events, of: UserID(rawValue: "u"))
            try await workspace.store.writer.write { session in
                let cut = "UPDATE deliveries SET rendered = ',\"type\":\"cl' WHERE rendered > ''"
                try session.database.execute(sql: cut)
                #expect(session.database.changesCount == 1)
                try session.database.execute(sql: "UPDATE events SET details = '{x' WHERE position = 1")
            }

            #expect(try await workspace.sync("u").cards.map { $0["campaign_id"] } == ["live"])
            let report = try await workspace.store.campaignReport(of: CampaignID(rawValue: "kept"))
            #expect(report?.withheld.map(\.reason) == ["unreadable"])
            let lines = try await workspace.manage(.get, "/v1/events/export").text.split(separator: "\n")
            #expect(try lines.map { try JSONValue(parsing: String($0))["position"] } == [2])
            let metrics = try await workspace.manage(.get, "/metrics").text
            for kind in ["card", "event"] {
                #expect(metrics.contains("placard_damaged_rows_total{kind=\"\(kind)\"} 1"))
            }
        }
    }
}
