import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: empty lists of campaigns")
struct CampaignListPageTests {
    @Test("A search finds the same among active campaigns, which are in memory, as in the store")
    func searches() async throws {
        try await Workplace.run { place in
            var card = CardTemplate(layout: .classic)
            (card.title, card.description) = ("Hello", "You")
            let variants = [Campaign.Variant(id: VariantID(rawValue: "a"), card: card)]
            var campaigns: [Campaign] = []
            let names = ["ete": "SOLDES D’ÉTÉ 50%", "accent": "e\u{301}t", "gift": "ギフト_1", "plain": "Sale"]
            for (id, name) in names {
                var content = Campaign.Content(name: name, variants: variants)
                content.tags = ["é"]
                let campaign = Campaign(id: CampaignID(rawValue: id), content: content, createdAt: place.time.now)
                try await place.store.insertCampaign(campaign, by: .command)
                campaigns.append(campaign)
            }
            let texts = ["été", "ÉTÉ", "soldes", "ÉT", "é", "e", "キフ", "ギ", "%", "_", "gift", "GIFT", "gif", "SALE"]
            var filters = texts.map { CampaignFilter(text: $0) }
            filters += ["é", "e\u{301}"].map { CampaignFilter(tag: $0) }
            filters.append(CampaignFilter(tag: "é", text: "sale"))
            for filter in filters {
                let stored = try await place.store.searchCampaigns(matching: filter, after: nil, limit: 10)
                let found = campaigns.filter(filter.includes)
                #expect(Set(found.map(\.id)) == Set(stored.map(\.id)), "\(filter)")
            }
        }
    }

    @Test("A tab without campaigns doesn't say that there are none at all")
    func emptyTab() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let list = "/dashboard/campaigns"
            #expect(try await visitor.get(list).text.contains("<h2>No campaigns yet</h2>"))
            var card = CardTemplate(layout: .classic)
            (card.title, card.description) = ("Hello", "You")
            let variants = [Campaign.Variant(id: VariantID(rawValue: "a"), card: card)]
            let content = Campaign.Content(name: "Draft", variants: variants)
            let campaign = Campaign(id: CampaignID(rawValue: "a"), content: content, createdAt: place.time.now)
            try await place.store.insertCampaign(campaign, by: .command)
            #expect(try await !visitor.get(list).text.contains("<h2>No "))
            for query in ["status=paused", "status=active", "status=ended", "q=nothing"] {
                let page = try await visitor.get("\(list)?\(query)").text
                #expect(page.contains("<h2>No matching campaigns</h2>"), "\(query)")
            }
        }
    }
}
