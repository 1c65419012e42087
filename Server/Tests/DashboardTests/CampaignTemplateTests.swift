import CardModel
import CardStore
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: templates of campaigns")
struct CampaignTemplateTests {
    private func content(_ template: CampaignTemplate) throws -> Campaign.Content {
        let begun = CampaignDraft(campaign: template.campaign, timeZone: "Asia/Tokyo")
        return try CampaignDraft(fields: begun.fields, over: [:], timeZone: "Asia/Tokyo").content()
    }

    @Test("Each template is a campaign that can be saved, in both languages", arguments: CampaignTemplate.allCases)
    func contents(template: CampaignTemplate) throws {
        for catalog in TextCatalog.all {
            try TextCatalog.$current.withValue(catalog) {
                let content = try content(template)
                #expect(content.name == template.name)
                let cards = content.variants.compactMap(\.card)
                #expect(cards.count == 1 && cards[0].image == nil)
                #expect("\(cards[0].title ?? "")\(cards[0].description ?? "")".contains("| default: '"))
                #expect(content.checks(types: [], at: 1_800_000_000).isEmpty)
            }
        }
    }

    @Test("A coupon is compared with a control group, is removed on a purchase and expires")
    func coupon() throws {
        let content = try content(.coupon)
        #expect(content.variants.map(\.weight) == [90, 10] && content.variants[1].isControl)
        #expect(content.variants[0].card?.expiry == .afterDelivery(seconds: 14 * 86_400))
        #expect(content.rules.removal == [EventCondition(.purchase(product: nil))])
        #expect(content.conversions.map(\.window) == [7 * 86_400])
    }

    @Test("Onboarding is for new users, and a survey has a link")
    func others() throws {
        let new = AttributeClause(.system(.firstSeenAt), .lessThanDaysAgo, 7)
        #expect(try content(.onboarding).audience == .all([.attribute(new)]))
        #expect(try content(.survey).variants[0].card?.url == "https://example.com/survey")
        #expect(try content(.announcement).audience == .everyone)
    }

    @Test("A new campaign begins with the template of the address, and nothing is saved by that")
    func pages() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let address = "/dashboard/campaigns/new"
            let coupon = try await visitor.get("\(address)?template=coupon").text
            #expect(coupon.contains("<nav class=\"tabs\" aria-label=\"Templates\">"))
            #expect(coupon.contains("href=\"\(address)?template=coupon\" aria-current=\"page\">Coupon</a>"))
            #expect(coupon.contains("10% off for you") && coupon.contains("WELCOME10"))
            for unknown in ["?template=nothing", "?template=", ""] {
                let blank = try await visitor.get(address + unknown).text
                #expect(blank.contains("href=\"\(address)\" aria-current=\"page\">Blank</a>"))
                #expect(!blank.contains("10% off"))
            }
            #expect(try await place.store.campaignCountsByStatus().isEmpty)
            let kenji = Visitor(client: place.client, languages: "ja")
            _ = try await kenji.signIn("editor@example.com")
            let japanese = try await kenji.get("\(address)?template=coupon").text
            #expect(japanese.contains("aria-label=\"テンプレート\"") && japanese.contains("10%オフクーポン"))
        }
    }
}
