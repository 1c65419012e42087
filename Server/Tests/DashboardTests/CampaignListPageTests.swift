import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: empty lists of campaigns")
struct CampaignListPageTests {
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
