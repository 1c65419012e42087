import CardModel
import Testing

@Suite("Catalogs of which a part can't be read")
struct CatalogGapTests {
    private let unknown = SegmentID(rawValue: "unknown")

    private func catalog(_ audience: Audience, gaps: CatalogGaps) throws -> Catalog {
        let campaign = try Sample.launched("sale", audience: audience)
        return Catalog(campaigns: [campaign], generation: 1, gaps: gaps, settings: Settings())
    }

    @Test("A campaign that names a segment which can't be read reaches nobody, also where it excludes that")
    func audiences() throws {
        let gaps = CatalogGaps(segments: [unknown])
        let facts = Sample.facts(Sample.user().profile)
        let without: Audience = .none([.segment(unknown)])
        for audience in [
            without, .any([.everyone, .segment(unknown)]), .all([.everyone, without]), .segment(unknown),
        ] {
            let catalog = try catalog(audience, gaps: gaps)
            #expect(try #require(catalog.active.first).audience.matches(facts) == false)
        }
        #expect(try #require(try catalog(without, gaps: CatalogGaps()).active.first).audience.matches(facts))
        // Whatever the last catalog had made of it.
        let last = try catalog(without, gaps: CatalogGaps())
        let campaign = try #require(last.active.first).campaign
        let next = Catalog(campaigns: [campaign], generation: 2, gaps: gaps, settings: Settings(), reusing: last)
        #expect(try #require(next.active.first).audience.matches(facts) == false)
    }

    @Test("Cards of a campaign that can't be read count for every cap")
    func caps() throws {
        var settings = Settings()
        settings.frequencyCaps = [FrequencyCap(cards: 1, days: 1, tag: "promo")]
        var user = Sample.user()
        user.deliveries = [
            Delivery(
                card: CardID(rawValue: "card"),
                campaign: CampaignID(rawValue: "lost"),
                ordinal: 0,
                variant: VariantID(rawValue: "a"),
                deliveredAt: 0,
                changedAt: 0
            )
        ]
        let next = try Sample.launched("next", tags: ["promo"])
        for (gaps, count) in [(CatalogGaps(campaigns: [CampaignID(rawValue: "lost")]), 0), (CatalogGaps(), 1)] {
            let catalog = Catalog(campaigns: [next], generation: 1, gaps: gaps, settings: settings)
            #expect(FeedDecision(for: user, in: catalog, at: 10).additions.count == count)
        }
    }
}
