import CardModel
import Testing
import WireJSON

@testable import CardServer

@Suite("Segments for backends")
struct SegmentExportTests {
    @Test("Segments are listed by age and described one by one; the archived are left out of the list")
    func segments() async throws {
        try await Workspace.run { workspace in
            for (index, name) in ["Gold", "Silver", "Old"].enumerated() {
                var segment = Segment(
                    id: SegmentID(rawValue: name.lowercased()),
                    content: Segment.SegmentContent(
                        name: name,
                        description: "Those with \(name)",
                        tags: ["plan"],
                        audience: try Audience(
                            json: ["custom_attribute": ["custom_attribute_name": "plan", "comparison": "exists"]]
                        )
                    ),
                    createdAt: workspace.time.now + Double(index)
                )
                segment.isArchived = name == "Old"
                try await workspace.store.insertSegment(segment, by: .command)
            }
            let list = try await workspace.backend("/segments/list?sort_direction=desc")
            #expect(list.status == 200)
            #expect(list.json["message"] == "success")
            #expect(
                list.json["segments"] == [
                    ["id": "silver", "name": "Silver", "analytics_tracking_enabled": false, "tags": ["plan"]],
                    ["id": "gold", "name": "Gold", "analytics_tracking_enabled": false, "tags": ["plan"]],
                ]
            )
            #expect(try await workspace.backend("/segments/list?page=1").json["segments"] == [])
            let details = try await workspace.backend("/segments/details?segment_id=old").json
            #expect(details["name"] == "Old")
            #expect(details["text_description"] == "Those with Old")
            #expect(details["created_at"] == "2027-01-15T08:00:02.000Z")
            let unknown = try await workspace.backend("/segments/details?segment_id=none")
            #expect(unknown.status == 400)
            #expect(unknown.json["message"] == "Invalid Segment ID.")
        }
    }
}
