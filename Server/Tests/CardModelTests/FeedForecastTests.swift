import CardModel
import Statistics
import Testing
import WireJSON

@Suite("What a sync would leave a user with")
struct FeedForecastTests {
    @Test("Cards that put their user into the audience of another come at once, however long the chain")
    func chain() throws {
        let campaigns = try (0..<100).map { number in
            let before = CampaignID(rawValue: "c\(number - 1)")
            let audience: Audience = number == 0 ? .everyone : .contact(ContactClause(.received, before))
            return try Sample.launched("c\(number)", audience: audience)
        }
        let catalog = Catalog(campaigns: campaigns, generation: 1)
        let forecast = FeedForecast(for: Sample.user(), in: catalog, at: 10)
        #expect(forecast.last.isEmpty && forecast.given.count == 100)
    }

    private static func received(_ id: String) -> Audience {
        .contact(ContactClause(.received, CampaignID(rawValue: id)))
    }

    @Test("A card that another one of the same sync takes out of the feed is not said to be shown")
    func takenAgain() throws {
        let follows = Campaign.Rules(followsAudience: true)
        let leaving = try Sample.launched("leaving", audience: .none([Self.received("other")]), rules: follows)
        let other = try Sample.launched("other", audience: Self.received("leaving"))
        let said = Catalog(campaigns: [leaving, other], generation: 1)
            .explanations(of: [leaving, other], for: Sample.user(), at: 10)
        #expect(said.map(\.code) == ["audience", "shown"])
        #expect(said.map(\.gives) == [false, true])
        let sentence = try #require(said.first?.sentence)
        #expect(sentence.hasPrefix("The user is not in the audience: “received campaign other” holds"))

        let first = try Sample.launched("first")
        var important = Sample.variant("a")
        important.card?.priority = 1
        let better = try Sample.launched("better", audience: Self.received("first"), variants: [important])
        let limited = Catalog(campaigns: [first, better], generation: 1, cardLimit: 1)
            .explanations(of: [first, better], for: Sample.user(), at: 10)
        #expect(limited.map(\.code) == ["limit_reached", "shown"])
    }

    @Test("What is said to be shown is what syncs leave in the feed, in whatever way campaigns depend on each other")
    func agrees() throws {
        var random = SplitMix(seed: 7)
        for round in 0..<1_000 {
            let catalog = try Self.catalog(&random)
            var user = Sample.user()
            for now in [10.0, 20] {
                let said = catalog.explanations(of: catalog.campaigns(concerning: user), for: user, at: now)
                for _ in 0..<FeedForecast.rounds(for: user, in: catalog) {
                    let decision = FeedDecision(for: user, in: catalog, at: now)
                    user.apply(decision, at: now)
                    if decision.isEmpty { break }
                }
                let reply = FeedReply(for: user, in: catalog, since: nil, epoch: 0, at: now)
                let shown = Set(try reply.cards().compactMap { $0.json["campaign_id"]?.string })
                let expected = Set(said.filter { $0.code == "shown" }.map(\.campaign.id.rawValue))
                #expect(shown == expected, "Round \(round) at \(now)")
                #expect(said.allSatisfy { !$0.gives || $0.code == "shown" }, "Round \(round) at \(now)")
            }
        }
    }

    /// Some campaigns, of which each may want its users to have had others or not.
    private static func catalog(_ random: inout SplitMix) throws -> Catalog {
        let count = Int.random(in: 2...6, using: &random)
        var campaigns: [Campaign] = []
        for number in 0..<count {
            let other = received("c\(Int.random(in: 0..<count, using: &random))")
            let audience: Audience =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: .everyone
                case 1: .none([other])
                case 2: .any([.none([other]), received("c\(Int.random(in: 0..<count, using: &random))")])
                default: other
                }
            var variant = Sample.variant("a")
            variant.card?.priority = Int.random(in: 0...2, using: &random)
            // Some begin between the two syncs.
            let start: UnixTime? = Bool.random(using: &random) ? nil : 15
            campaigns.append(
                try Sample.launched(
                    "c\(number)",
                    at: Double(number),
                    delivery: .scheduled(start: start, end: nil),
                    audience: audience,
                    variants: [variant],
                    rules: Campaign.Rules(followsAudience: Bool.random(using: &random))
                )
            )
        }
        var settings = Settings()
        settings.cardLimit = Int.random(in: 1...4, using: &random)
        if Bool.random(using: &random) { settings.frequencyCaps = [FrequencyCap(cards: 2, days: 1)] }
        return Catalog(campaigns: campaigns, generation: 1, settings: settings)
    }

    @Test("A draft is explained with the segments of its audience")
    func draft() throws {
        let vip = SegmentID(rawValue: "vip")
        let draft = Sample.campaign("draft", audience: .segment(vip))
        let catalog = Catalog(campaigns: [], generation: 1, segments: [vip: .everyone])
        let said = try #require(catalog.explanations(of: [draft], for: Sample.user(), at: 10).first)
        #expect(said.code == "draft" && said.audience.matches && said.audience.note == nil)
    }
}
