import ContentCards
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@Suite("What SwiftUI shows")
struct PreviewTests {
    @Test("has a sample of each cell that is shown, with pictures that need no network")
    func sample() async throws {
        let feed = PreviewFeed.sample.feed
        let shown = Set(feed.cards.map { CardCellIdentifier(for: $0) })
        #expect(shown == Set(CardCellIdentifier.allCases).subtracting([.control]))
        #expect(feed.cards.contains(where: \.isPinned) && feed.cards.contains(where: \.isViewed))
        #expect(!feed.cards.allSatisfy(\.isViewed) && feed.cards.allSatisfy { $0.url != nil })
        for card in feed.cards where card.image != nil {
            let url = try #require(card.imageURL)
            let data = try #require(URLSessionImages.bytes(within: url))
            #expect(await ImageDecoder.image(from: data, width: 100) != nil)
            #expect(card.imageAlt?.isEmpty == false)
        }
    }

    @Test("has a sample of each kind, with all that a card can show where none was written")
    func plainSamples() throws {
        let written = PreviewFeed.samples(of: [.banner, .classic])
        #expect(written == PreviewFeed.samples(of: []))
        let cards = PreviewFeed.samples(of: [.unknown("gallery"), .banner, .unknown("poll")])
        #expect(Array(cards.prefix(written.count)) == written)
        let added = cards.dropFirst(written.count)
        #expect(added.map(\.kind) == [.unknown("gallery"), .unknown("poll")])
        #expect(added.map(\.id) == ["gallery", "poll"])
        let gallery = try #require(added.first)
        #expect(!gallery.title.isEmpty && !gallery.description.isEmpty && gallery.url != nil)
        #expect(gallery.imageURL != nil && gallery.imageAlt?.isEmpty == false && gallery.domain != nil)
    }

    @Test("gives a card the width that it is offered, and its own greatest where that is none or endless")
    func width() {
        func width(_ proposed: CGFloat?) -> CGFloat { CardWidth(proposed: proposed, greatest: 380).value }
        #expect(width(320) == 320)
        #expect(width(1_000) == 1_000)
        #expect(width(0) == 0)
        for proposed in [nil, CGFloat.infinity, .nan] { #expect(width(proposed) == 380) }
        #expect(width(-1) == 0)
    }

    @Test("takes taps on the card alone, and none in the room around it, which is wide in a wide view")
    func frame() {
        func frame(_ width: CGFloat, _ height: CGFloat) -> CGRect {
            let bounds = CGRect(x: 5, y: 7, width: width, height: height)
            return CardFrame(in: bounds, sidePadding: 10, spacing: 20, maxWidth: 380).rect
        }
        #expect(frame(320, 120) == CGRect(x: 15, y: 17, width: 300, height: 100))
        #expect(frame(1_000, 120) == CGRect(x: 315, y: 17, width: 380, height: 100))
        #expect(frame(10, 10).size == .zero)
    }
}
