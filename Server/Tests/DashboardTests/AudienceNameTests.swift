import CardModel
import CardStore
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: the names of segments and campaigns in sentences")
struct AudienceNameTests {
    private static let json =
        #"{"any":[{"segment":"seg_1"},{"segment":"seg_gone"},{"campaign":{"id":"spring","contact":"clicked","#
        + #""variants":["a","b"]}},{"campaign":{"id":"lost"}}]}"#

    private static func audience() throws -> Audience { try Audience(json: JSONValue(parsing: json)) }

    /// An audience whose segment and campaign exist.
    private static func known() throws -> Audience {
        let json = #"{"any":[{"segment":"seg_1"},{"campaign":{"id":"spring","contact":"clicked"}}]}"#
        return try Audience(json: JSONValue(parsing: json))
    }

    private static var variants: [Campaign.Variant] {
        var card = CardTemplate(layout: .classic)
        (card.title, card.description) = ("T", "D")
        return [
            Campaign.Variant(id: VariantID(rawValue: "a"), name: "Red", card: card),
            Campaign.Variant(id: VariantID(rawValue: "b"), card: card),
        ]
    }

    private static func insertNamed(in place: Workplace) async throws {
        let content = Segment.SegmentContent(name: "Friends", audience: .everyone)
        let segment = Segment(id: SegmentID(rawValue: "seg_1"), content: content, createdAt: place.time.now)
        try await place.store.insertSegment(segment, by: .command)
        let spring = Campaign(
            id: CampaignID(rawValue: "spring"),
            content: Campaign.Content(name: "Spring sale", variants: variants),
            createdAt: place.time.now
        )
        try await place.store.insertCampaign(spring, by: .command)
    }

    @Test("Segments, campaigns and variants have their names, and those that are gone say so")
    func sentence() async throws {
        try await Workplace.run { place in
            try await Self.insertNamed(in: place)
            let audience = try Self.audience()
            let labels = try await AudienceLabels.read([audience], place.store)
            #expect(
                audience.localizedSummary(labels)
                    == "in segment “Friends” or in a segment that doesn’t exist (ID: seg_gone) or "
                    + "clicked campaign “Spring sale” (variant Red or b) or received campaign lost (doesn’t exist)"
            )
            TextCatalog.$current.withValue(.japanese) {
                let text = audience.localizedSummary(labels)
                #expect(text.contains("セグメント「Friends」に含まれる"))
                #expect(text.contains("存在しないセグメント（ID：seg_gone）に含まれる"))
                #expect(text.contains("キャンペーン「Spring sale」") && text.contains("lost（存在しません）"))
            }
        }
    }

    @Test("A segment that was read before isn't read once more for its name")
    func knownSegments() async throws {
        try await Workplace.run { place in
            try await Self.insertNamed(in: place)
            let content = Segment.SegmentContent(name: "As read", audience: .everyone)
            let segment = Segment(id: SegmentID(rawValue: "seg_1"), content: content, createdAt: place.time.now)
            let labels = try await AudienceLabels.read([try Self.audience()], place.store, known: [segment])
            #expect(labels.segments == [segment.id: "As read"])
            #expect(labels.missingSegments == [SegmentID(rawValue: "seg_gone")])
        }
    }

    @Test("However many segments and campaigns a list names, their names are read by a call for a hundred")
    func storeCalls() async throws {
        try await Workplace.run { place in
            let ids = (0..<60).map { SegmentID(rawValue: "seg-\($0)") }
            for id in ids {
                let content = Segment.SegmentContent(name: "Name of \(id.rawValue)", audience: .everyone)
                let segment = Segment(id: id, content: content, createdAt: place.time.now)
                try await place.store.insertSegment(segment, by: .command)
            }
            var audiences: [Audience] = ids.map { .segment($0) }
            audiences += ids.map { .any([.segment(SegmentID(rawValue: "\($0.rawValue)-gone"))]) }
            for number in 0..<20 {
                let json = #"{"campaign":{"id":"gone-\#(number)","contact":"clicked"}}"#
                audiences.append(try Audience(json: JSONValue(parsing: json)))
            }
            let store = CountedCatalogStore(place.store)

            let labels = try await AudienceLabels.read(audiences, store)

            #expect(labels.segments == Dictionary(uniqueKeysWithValues: ids.map { ($0, "Name of \($0.rawValue)") }))
            #expect(labels.missingSegments.count == 60 && labels.missingCampaigns.count == 20)
            // 120 segments, and 20 campaigns.
            #expect(store.calls == ["findSegments(_:)": 2, "findCampaigns(_:)": 1])
            #expect(try await store.segmentNames([SegmentID]()).isEmpty)
            #expect(store.calls["findSegments(_:)"] == 2, "Nothing is asked for nothing.")
        }
    }

    @Test("The review, the report, the list of segments and the history call segments by their names")
    func pages() async throws {
        try await Workplace.run { place in
            try await Self.insertNamed(in: place)
            let outer = Segment(
                id: SegmentID(rawValue: "outer"),
                content: Segment.SegmentContent(name: "Outer", audience: try Self.known()),
                createdAt: place.time.now
            )
            try await place.store.insertSegment(outer, by: .command)
            var content = Campaign.Content(name: "Sale", variants: Self.variants)
            content.audience = try Self.known()
            let campaign = Campaign(id: CampaignID(rawValue: "sale"), content: content, createdAt: place.time.now)
            try await place.store.insertCampaign(campaign, by: .command)
            let visitor = try await place.member(.editor)
            for path in ["campaigns/sale/launch", "campaigns/sale", "segments"] {
                let page = try await visitor.get("/dashboard/\(path)").text
                #expect(page.contains("in segment “Friends” or clicked campaign “Spring sale”"), "\(path)")
            }
            let labels = try await AudienceLabels.read([content.audience], place.store)
            var next = campaign
            next.content.audience = .segment(SegmentID(rawValue: "seg_1"))
            let found = CampaignDifference.list(campaign.json, next.json, timeZone: "UTC", labels: labels)
            #expect(found.map(\.after).contains("in segment “Friends”"))
        }
    }
}
