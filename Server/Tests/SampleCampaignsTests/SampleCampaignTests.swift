import CardModel
import SampleCampaigns
import Testing
import WireJSON

@Suite("Sample campaigns")
struct SampleCampaignTests {
    private static let demo = SampleCampaign.demo { "https://cards.example/media/0/\($0.fileName)" }
    private static let all = demo + SampleCampaign.simulation

    @Test("pass the checks that a person's campaign passes")
    func valid() throws {
        for sample in Self.all {
            let read = try Campaign.Content(json: .object(sample.content.json))
            #expect(read == sample.content)
            #expect(CampaignID(checking: sample.id.rawValue) == sample.id)
            for card in sample.content.variants.compactMap(\.card) {
                #expect(card.contentSize <= Settings().cardSizeLimit)
                #expect(card.image?.hasPrefix("data:") != true)
            }
        }
        #expect(Set(Self.all.map(\.id)).count == Self.all.count)
    }

    @Test("of the demo show every layout, a pinned card, a control and the three uses in an app")
    func complete() {
        let variants = Self.demo.flatMap(\.content.variants)
        let cards = variants.compactMap(\.card)
        #expect(Set(cards.map(\.layout)) == Set(CardTemplate.Layout.allCases))
        #expect(cards.contains { $0.isPinned })
        #expect(variants.contains { $0.isControl })
        let types = Set(cards.compactMap { $0.extras["class_type"] })
        #expect(types == ["ad_banner", "home_tile", "message_full_page", "message_webview", "coupon_code"])
    }

    @Test("have users who differ: one in the coupon's control group, one a gold member")
    func users() throws {
        let campaigns = try SampleCampaign.launched(Self.demo, at: 1000)
        let coupon = try #require(campaigns.first { $0.id.rawValue == "demo-coupon" })
        let inControl = SampleUsers.demo.filter {
            VariantAssignment.variant(of: coupon, for: $0.id)?.isControl == true
        }
        #expect(inControl.map(\.id.rawValue) == ["dora"])
        #expect(SampleUsers.demo.filter { $0.custom["plan"] == "gold" }.map(\.id.rawValue) == ["hugo"])
    }

    @Test("are launched at the given moment")
    func launched() throws {
        let campaigns = try SampleCampaign.launched(Self.demo, at: 1000)
        #expect(campaigns.allSatisfy { $0.status == .active && $0.launchedAt == 1000 && $0.version == 2 })
    }

    @Test("show each picture of the media library once")
    func pictures() {
        let images = Self.demo.flatMap(\.content.variants).compactMap { $0.card?.image }
        let addresses = SamplePicture.allCases.map { "https://cards.example/media/0/\($0.fileName)" }
        #expect(images.sorted() == addresses.sorted())
        for picture in SamplePicture.allCases {
            // A PNG says its width in the four bytes from the 17th on.
            #expect(picture.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(picture.bytes[16..<20].reduce(0) { $0 << 8 | Int($1) } == ImageLimits.widths.first)
        }
    }

    @Test("need no pictures")
    func withoutPictures() throws {
        let bare = SampleCampaign.demo { _ in nil }
        #expect(bare.count == Self.demo.count - 1)
        for sample in bare {
            #expect(try Campaign.Content(json: .object(sample.content.json)) == sample.content)
            #expect(sample.content.variants.allSatisfy { $0.card?.image == nil })
        }
    }

    @Test("are told from what a member made of them")
    func differences() throws {
        let moved = SampleCampaign.demo { "https://elsewhere.example/\($0.fileName)" }
        for (sample, other) in zip(Self.demo, moved) {
            #expect(!sample.differsByPictures(from: sample.content))
            let isIllustrated = sample.content.variants.contains { $0.card?.image != nil }
            #expect(sample.differsByPictures(from: other.content) == isIllustrated)
            var edited = other.content
            edited.name = "Mine"
            #expect(!sample.differsByPictures(from: edited))
        }
    }
}
