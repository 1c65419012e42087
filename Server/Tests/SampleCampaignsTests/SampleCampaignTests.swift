import CardModel
import SampleCampaigns
import Testing
import WireJSON

@Suite("Sample campaigns")
struct SampleCampaignTests {
    private static let all = SampleCampaign.demo + SampleCampaign.simulation

    @Test("pass the checks that a person's campaign passes")
    func valid() throws {
        for sample in Self.all {
            let read = try Campaign.Content(json: .object(sample.content.json))
            #expect(read == sample.content)
            #expect(CampaignID(checking: sample.id.rawValue) == sample.id)
            for card in sample.content.variants.compactMap(\.card) {
                #expect(card.contentSize <= Settings().cardSizeLimit)
                #expect(card.image?.hasPrefix("http") != true)
            }
        }
        #expect(Set(Self.all.map(\.id)).count == Self.all.count)
    }

    @Test("of the demo show every layout, a pinned card, a control and the three uses in an app")
    func complete() {
        let variants = SampleCampaign.demo.flatMap(\.content.variants)
        let cards = variants.compactMap(\.card)
        #expect(Set(cards.map(\.layout)) == Set(CardTemplate.Layout.allCases))
        #expect(cards.contains { $0.isPinned })
        #expect(variants.contains { $0.isControl })
        let types = Set(cards.compactMap { $0.extras["class_type"] })
        #expect(types == ["ad_banner", "home_tile", "message_full_page", "message_webview", "coupon_code"])
    }

    @Test("have users who differ: one in the coupon's control group, one a gold member")
    func users() throws {
        let campaigns = try SampleCampaign.launched(SampleCampaign.demo, at: 1000)
        let coupon = try #require(campaigns.first { $0.id.rawValue == "demo-coupon" })
        let inControl = SampleUsers.demo.filter {
            VariantAssignment.variant(of: coupon, for: $0.id)?.isControl == true
        }
        #expect(inControl.map(\.id.rawValue) == ["dora"])
        #expect(SampleUsers.demo.filter { $0.custom["plan"] == "gold" }.map(\.id.rawValue) == ["hugo"])
    }

    @Test("are launched at the given moment")
    func launched() throws {
        let campaigns = try SampleCampaign.launched(SampleCampaign.demo, at: 1000)
        #expect(campaigns.allSatisfy { $0.status == .active && $0.launchedAt == 1000 && $0.version == 2 })
    }
}
