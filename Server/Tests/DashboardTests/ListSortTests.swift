import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: sorted lists")
struct ListSortTests {
    private static let list = "/dashboard/campaigns"

    private static func add(_ id: String, _ name: String, tag: String? = nil, to place: Workplace) async throws {
        var card = CardTemplate(layout: .classic)
        card.title = "T"
        card.description = "D"
        let variant = Campaign.Variant(id: VariantID(rawValue: "a"), card: card)
        let content = Campaign.Content(name: name, tags: tag.map { [$0] } ?? [], variants: [variant])
        let campaign = Campaign(id: CampaignID(rawValue: id), content: content, createdAt: place.time.now)
        try await place.store.insertCampaign(campaign, by: .command)
        place.time.advance(by: 60)
    }

    /// The names of the campaigns in the order of the page.
    private static func names(_ query: String, _ visitor: Visitor) async throws -> [String] {
        let page = try await visitor.get("\(list)\(query)").text
        return page.matches(of: /name-cell"><a class="strong" href="[^"]*">([^<]*)</).map { String($0.1) }
    }

    @Test("A list is sorted by each column, either way, and stays in its own order otherwise")
    func order() async throws {
        try await Workplace.run { place in
            try await Self.add("b", "banana", to: place)
            try await Self.add("a", "Apple", to: place)
            try await Self.add("c", "Cherry", tag: "red", to: place)
            let visitor = try await place.member(.viewer)
            let newest = ["Cherry", "Apple", "banana"]
            #expect(try await Self.names("", visitor) == newest)
            #expect(try await Self.names("?sort=name", visitor) == ["Apple", "banana", "Cherry"])
            #expect(try await Self.names("?sort=-name", visitor) == ["Cherry", "banana", "Apple"])
            #expect(try await Self.names("?sort=created", visitor) == newest.reversed())
            #expect(try await Self.names("?sort=updated", visitor) == newest.reversed())
            // What is equal stays in the order of the last change.
            for key in ["status", "-status", "start", "delivered", "-impressions", "-clicks"] {
                #expect(try await Self.names("?sort=\(key)", visitor) == newest, "\(key)")
            }
            for hostile in ["", "-", "--name", "password", "name'--", "%00"] {
                #expect(try await Self.names("?sort=\(hostile)", visitor) == newest, "\(hostile)")
            }
            #expect(try await Self.names("?sort=name&status=draft&tag=red", visitor) == ["Cherry"])
        }
    }

    @Test("The head of a column says how the list is sorted, and tabs, search and menu keep it")
    func heads() async throws {
        try await Workplace.run { place in
            try await Self.add("a", "Apple", to: place)
            let visitor = try await place.member(.viewer)
            let plain = try await visitor.get(Self.list).text
            #expect(
                plain.contains("aria-sort=\"descending\"><a class=\"sort\" href=\"\(Self.list)?sort=updated\">Updated")
            )
            #expect(plain.contains("<a class=\"sort\" href=\"\(Self.list)?sort=name\">Campaign"))
            let sorted = try await visitor.get("\(Self.list)?status=draft&q=app&sort=name").text
            #expect(sorted.contains("aria-sort=\"ascending\"><a class=\"sort\""))
            #expect(sorted.contains("href=\"\(Self.list)?status=draft&amp;q=app&amp;sort=-name\">Campaign"))
            #expect(sorted.contains("href=\"\(Self.list)?status=paused&amp;q=app&amp;sort=name\""))
            #expect(sorted.contains("<option value=\"name\" selected>"))
            #expect(sorted.contains("href=\"\(Self.list)?status=draft&amp;sort=name\">Clear</a>"))
            #expect(sorted.matches(of: /aria-sort/).count == 1)
        }
    }

    @Test("A sorted list has pages, each campaign on one of them")
    func pages() async throws {
        try await Workplace.run { place in
            for number in 100..<160 { try await Self.add("c\(number)", "Campaign \(number)", to: place) }
            let visitor = try await place.member(.viewer)
            let first = try await Self.names("?sort=name", visitor)
            #expect(first == (100..<150).map { "Campaign \($0)" })
            #expect(try await visitor.get("\(Self.list)?sort=name").text.contains("?sort=name&amp;page=2\">Next page"))
            #expect(try await Self.names("?sort=name&page=2", visitor) == (150..<160).map { "Campaign \($0)" })
            for page in ["3", "99999", "9223372036854775807"] {
                #expect(try await Self.names("?sort=name&page=\(page)", visitor).isEmpty)
            }
            for page in ["0", "-1", "x", "99999999999999999999"] {
                #expect(try await Self.names("?sort=name&page=\(page)", visitor) == first)
            }
        }
    }

    @Test("Segments are sorted by their name or their last change")
    func segments() async throws {
        try await Workplace.run { place in
            for (id, name) in [("b", "banana"), ("a", "Apple"), ("c", "Cherry")] {
                let content = Segment.SegmentContent(name: name, audience: .everyone)
                let segment = Segment(id: SegmentID(rawValue: id), content: content, createdAt: place.time.now)
                try await place.store.insertSegment(segment, by: .command)
                place.time.advance(by: 60)
            }
            let visitor = try await place.member(.viewer)
            func names(_ query: String) async throws -> [String] {
                try await visitor.get("/dashboard/segments\(query)").text
                    .matches(of: /name-cell"><a class="strong" href="[^"]*">([^<]*)</).map { String($0.1) }
            }
            #expect(try await names("") == ["Cherry", "Apple", "banana"])
            #expect(try await names("?sort=name") == ["Apple", "banana", "Cherry"])
            #expect(try await names("?sort=updated") == ["banana", "Apple", "Cherry"])
        }
    }
}
