import CardModel
import CardStore
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: the list of segments")
struct SegmentListTests {
    private static func add(_ id: String, _ name: String, _ description: String = "", to place: Workplace) async throws
    {
        let content = Segment.SegmentContent(name: name, description: description, audience: .everyone)
        let segment = Segment(id: SegmentID(rawValue: id), content: content, createdAt: place.time.now)
        try await place.store.insertSegment(segment, by: .command)
    }

    private static func names(_ page: String) -> [String] {
        page.matches(of: /name-cell"><a class="strong" href="[^"]*">([^<]*)</).map { String($0.1) }
    }

    @Test("Segments are found by every word of their name, description or ID, in any case and without accents")
    func search() async throws {
        try await Workplace.run { place in
            try await Self.add("vip-fr", "Clients fidèles", "Ten orders or more", to: place)
            try await Self.add("vip-de", "Stammkunden", to: place)
            try await Self.add("new", "ニューカマー", "Last seven days", to: place)
            let visitor = try await place.member(.viewer)
            let found: [(String, Set<String>)] = [
                ("VIP", ["Clients fidèles", "Stammkunden"]), ("fideles%20ORDERS", ["Clients fidèles"]),
                ("%20", ["Clients fidèles", "Stammkunden", "ニューカマー"]), ("vip%20seven", []),
                ("%E3%81%AB%E3%82%85%E3%83%BC", ["ニューカマー"]),
            ]
            for (text, names) in found {
                let page = try await visitor.get("/dashboard/segments?q=\(text)").text
                #expect(Set(Self.names(page)) == names, "\(text)")
                #expect(page.contains("No matching segments") == names.isEmpty)
                #expect(!page.contains("No segments yet"))
            }
            let page = try await visitor.get("/dashboard/segments?q=a%22b").text
            #expect(page.contains("href=\"/dashboard/segments?q=a%22b&amp;sort=name\""))
        }
    }

    @Test("An audience names the segments and campaigns that it has, also those that aren't offered")
    func names() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let friends = Segment(
                id: SegmentID(rawValue: "old"),
                content: Segment.SegmentContent(name: "Old <friends>", audience: .everyone),
                isArchived: true,
                createdAt: place.time.now
            )
            try await place.store.insertSegment(friends, by: .command)
            var card = CardTemplate(layout: .classic)
            (card.title, card.description) = ("T", "D")
            let variant = Campaign.Variant(id: VariantID(rawValue: "a"), card: card)
            var campaign = Campaign(
                id: CampaignID(rawValue: "spring"),
                content: Campaign.Content(name: "Spring sale", variants: [variant]),
                createdAt: place.time.now
            )
            campaign.status = .archived
            try await place.store.insertCampaign(campaign, by: .command)
            let json = #"{"all":[{"segment":"old"},{"any":[{"campaign":{"id":"spring","contact":"clicked"}}]}]}"#
            let segment = Segment(
                id: SegmentID(rawValue: "both"),
                content: Segment.SegmentContent(name: "Both", audience: try Audience(json: JSONValue(parsing: json))),
                createdAt: place.time.now
            )
            try await place.store.insertSegment(segment, by: .command)
            let page = try await visitor.get("/dashboard/segments/both").text
            #expect(page.contains(/<option value="old"[^>]*selected[^>]*>Old &lt;friends&gt;</))
            #expect(page.contains("Spring sale"))
            // A new condition is offered neither.
            let new = try await visitor.get("/dashboard/segments/new").text
            #expect(!new.contains("Old &lt;friends&gt;") && !new.contains("Spring sale"))
        }
    }

    @Test("Of more segments than the list shows, the page says so, and a search finds each")
    func many() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.viewer)
            #expect(try await visitor.get("/dashboard/segments").text.contains("No segments yet"))
            for number in 1...200 { try await Self.add("s\(number)", "Segment \(number)", to: place) }
            let full = try await visitor.get("/dashboard/segments").text
            #expect(Self.names(full).count == 200 && !full.contains("segments are shown"))
            place.time.advance(by: 60)
            try await Self.add("last", "The last one", to: place)
            let more = try await visitor.get("/dashboard/segments").text
            #expect(more.contains("200 segments are shown. Search to find the others."))
            #expect(Self.names(more).count == 200 && Self.names(more).first == "The last one")
            #expect(try await Self.names(visitor.get("/dashboard/segments?q=s200").text) == ["Segment 200"])
        }
    }
}
