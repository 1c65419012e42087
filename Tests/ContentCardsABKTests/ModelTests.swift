import ContentCards
import ContentCardsABK
import ContentCardsTesting
import Foundation
import Testing

@Suite("An object of a card")
struct ModelTests {
    @Test("that is described by a dictionary is of the class of its kind")
    func kinds() throws {
        let card = ABKContentCard.deserializeCard(from: ["id": "a", "type": "classic", "title": "T"])
        let classic = try #require(card as? ABKClassicContentCard)
        #expect(classic.title == "T")
        #expect(classic.image == nil)
        #expect(ABKContentCard.deserializeCard(from: ["id": "b", "type": "banner"]) is ABKBannerContentCard)
        #expect(ABKContentCard.deserializeCard(from: ["id": "c", "type": "control"])?.isControlCard() == true)
        #expect(ABKContentCard.deserializeCard(from: ["type": "banner"]) == nil)
        #expect(ABKContentCard.deserializeCard(from: nil) == nil)
    }

    @Test("is of a class that only cards of its kind have, and so are its copies")
    func classes() throws {
        let cards = try (ContentCard.Kind.known + [.unknown("hologram")]).map { kind in
            let card = try #require(ABKContentCard.deserializeCard(from: ["id": "a", "type": kind.wireName]))
            #expect(card.contentCard.kind == kind)
            let copy = try #require(card.copy() as? ABKContentCard)
            let isOfClass = type(of: copy) == type(of: card)
            #expect(isOfClass && copy.contentCard.kind == kind, "\(kind)")
            return card
        }
        // Control cards and those of a kind that isn't known are of the class that all others come from.
        #expect(Set(cards.map { ObjectIdentifier(type(of: $0)) }).count == cards.count - 1)
        #expect(ABKBannerContentCard().contentCard.kind == .banner)
        #expect(ABKCaptionedImageContentCard().contentCard.kind == .captionedImage)
        #expect(ABKClassicContentCard().contentCard.kind == .classic)
    }

    @Test("says -1 where it never expires, and 0 where the ratio is unknown")
    func defaults() throws {
        let banner = ABKContentCard.deserializeCard(from: ["id": "a", "type": "banner"]) as? ABKBannerContentCard
        #expect(banner?.expiresAt == -1)
        #expect(banner?.imageAspectRatio == 0)
        #expect(banner?.openUrlInWebView == false)
        #expect(banner?.urlString == nil)
        #expect(banner?.extras?.isEmpty == true)
    }

    @Test("is copied deeply, and is the same card as its copy")
    func copies() throws {
        let card = ABKContentCard.deserializeCard(from: ["id": "a", "type": "classic", "title": "T"])
        let original = try #require(card as? ABKClassicContentCard)
        let copy = try #require(original.copy() as? ABKClassicContentCard)
        copy.title = "Other"
        #expect(original.title == "T")
        #expect(copy.title == "Other")
        #expect(copy == original)
        #expect(copy.hasSameId(original))
        #expect(Set([copy, original]).count == 1)
    }

    @Test("comes back from its data as it was")
    func serialized() throws {
        let card = ABKContentCard.deserializeCard(from: ["id": "a", "type": "captioned_image", "extras": ["k": "v"]])
        card?.pinned = true
        let data = try #require(card?.serializeToData())
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let back = ABKContentCard.deserializeCard(from: object)
        #expect(back is ABKCaptionedImageContentCard)
        #expect(back?.pinned == true)
        #expect(back?.extras?["k"] as? String == "v")
    }

    @Test("is understood with the short keys of wrappers")
    func shortKeys() throws {
        let fields: [AnyHashable: Any] = [
            "id": "a", "tp": "short_news", "tt": "T", "ds": "D", "ea": -1, "ca": 12, "u": "", "p": true, "db": 0,
        ]
        let card = try #require(ABKContentCard.deserializeCard(from: fields) as? ABKClassicContentCard)
        #expect(card.title == "T")
        #expect(card.cardDescription == "D")
        #expect(card.expiresAt == -1)
        #expect(card.created == 12)
        #expect(card.pinned)
        #expect(!card.dismissible)
    }
}
