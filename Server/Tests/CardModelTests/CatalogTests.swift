import CardModel
import Testing
import WireJSON

@Suite("Catalog: many campaigns")
struct CatalogTests {
    private static let audience = Audience.segment(SegmentID(rawValue: "s"))

    @Test("A catalog made from the last one decides as a new one")
    func reuse() throws {
        let names = (0..<6).map { "c\($0)" }
        var campaigns = try names.enumerated().map { index, name in
            try Sample.launched(name, at: Double(index), audience: index % 2 == 0 ? .everyone : Self.audience)
        }
        var segments: [SegmentID: Audience] = [SegmentID(rawValue: "s"): .users([UserID(rawValue: "u")])]
        var last: Catalog?
        func check(_ expected: [String]) {
            let new = Catalog(campaigns: campaigns, generation: 1, segments: segments, settings: Settings())
            let next = Catalog(
                campaigns: campaigns,
                generation: 1,
                segments: segments,
                settings: Settings(),
                reusing: last
            )
            let user = UserState(profile: UserProfile(id: UserID(rawValue: "u"), createdAt: 0))
            let decisions = [new, next].map { FeedDecision(for: user, in: $0, at: 100) }
            #expect(decisions[0].additions == decisions[1].additions)
            #expect(decisions[1].additions.map(\.campaign.rawValue) == expected)
            last = next
        }
        check(names)
        campaigns[1] = try campaigns[1].applying(.pause, at: 10)
        check(["c0", "c2", "c3", "c4", "c5"])
        campaigns.append(try Sample.launched("c6", at: 6))
        check(["c0", "c2", "c3", "c4", "c5", "c6"])
        segments[SegmentID(rawValue: "s")] = .users([])
        check(["c0", "c2", "c4", "c6"])
        campaigns[0].content.audience = Self.audience
        check(["c2", "c4", "c6"])
        campaigns[1] = try campaigns[1].applying(.launch, at: 20)
        segments[SegmentID(rawValue: "s")] = .everyone
        check(["c0", "c1", "c2", "c3", "c4", "c5", "c6"])
    }

    @Test("A catalog with other content blocks compiles no campaign again, and shows them as they are by then")
    func contentBlocks() throws {
        let json: JSONValue = ["type": "classic", "title": "{{content_blocks.${sign}}}", "description": "D"]
        let card = try CardTemplate(json: json, at: "card")
        let campaigns = try (0..<3).map { index in
            let variant = Campaign.Variant(id: VariantID(rawValue: "a"), card: card)
            return try Sample.launched("c\(index)", variants: [variant])
        }
        var last: Catalog?
        /// Makes the next catalog, and returns how many campaigns it has compiled and the titles that a user gets.
        func next(_ content: String?) throws -> (compiled: Int, titles: [String?]) {
            let blocks = content.map { [ContentBlock(name: "sign", content: $0, updatedAt: 0)] } ?? []
            let engine = TemplateEngine(contentBlocks: blocks)
            let catalog = Catalog(
                campaigns: campaigns,
                generation: 1,
                settings: Settings(),
                engine: engine,
                reusing: last
            )
            let compiled = catalog.entries.filter { $0.value !== last?.entries[$0.key] }.count
            last = catalog
            var user = Sample.user()
            user.apply(FeedDecision(for: user, in: catalog, at: 5), at: 5)
            let reply = FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: 5)
            return (compiled, try reply.cards().map { $0.json["title"]?.string })
        }
        let (first, second, gone) = (try next("one"), try next("two"), try next(nil))
        #expect([first.compiled, second.compiled, gone.compiled] == [3, 0, 0])
        #expect(first.titles == ["one", "one", "one"] && second.titles == ["two", "two", "two"])
        #expect(gone.titles.isEmpty)
    }

    @Test("The next start is found among any number", arguments: 0..<10)
    func nextStart(_ count: Int) throws {
        let campaigns = try (0..<count).map { index in
            let start = Double(10 * (index + 1))
            return try Sample.launched("c\(index)", delivery: .scheduled(start: start, end: nil))
        }
        let catalog = Catalog(campaigns: campaigns.shuffled(), generation: 1)
        for moment in 0...10 * count + 5 {
            let next = 10 * (moment / 10 + 1)
            let expected: Double? = next <= 10 * count ? Double(next) : nil
            #expect(catalog.nextStart(after: Double(moment)) == expected)
        }
    }
}
