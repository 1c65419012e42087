import ContentCards
import Foundation

/// Shows given cards and logs nothing: for previews.
public struct PreviewFeed: CardFeedSource {
    /// The cards.
    public let feed: CardFeed

    /// Creates a source of given cards.
    public init(_ feed: CardFeed) {
        self.feed = feed
    }

    /// A feed with a card of each kind that is shown, one of them pinned, one read, and one with a link.
    public static let sample = PreviewFeed(
        CardFeed(cards: samples(of: ContentCard.Kind.known.filter(\.isPresentable)), lastSync: day, at: day)
    )

    private static let day = Date(timeIntervalSince1970: 1_789_000_000)
    /// A picture of four pixels, so that previews need no network.
    private static let picture =
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEE"
        + "lEQVR42mOImnYCiBggFAAudgbhK+VZjAAAAABJRU5ErkJggg=="

    /// Returns the cards that were written for previews, and after them one of each kind that they lack.
    static func samples(of kinds: [ContentCard.Kind]) -> [ContentCard] {
        let written = writtenSamples
        return written + kinds.filter { kind in !written.contains { $0.kind == kind } }.map(plainSample)
    }

    /// Returns a card with all that a card can show.
    private static func plainSample(of kind: ContentCard.Kind) -> ContentCard {
        card(kind.wireName, kind, title: "New arrivals", "Have a look at what came in this week.") {
            $0.image = picture
            $0.imageAlt = "New arrivals"
            $0.imageAspectRatio = 4.0 / 3
            $0.domain = "shop.example"
        }
    }

    private static var writtenSamples: [ContentCard] {
        [
            card("welcome", .classic, title: "Welcome", "Cards about your orders, and offers, come here.") {
                $0.isPinned = true
                $0.isDismissible = false
            },
            card("delivery", .classic, title: "On its way", "Your parcel arrives tomorrow between 9 and 12.") {
                $0.image = picture
                $0.imageAlt = "A parcel"
                $0.domain = "shop.example"
            },
            card("sale", .captionedImage, title: "Summer sale", "Up to half off until Sunday.") {
                $0.image = picture
                $0.imageAlt = "A beach"
                $0.imageAspectRatio = 4.0 / 3
            },
            card("banner", .banner, title: "Free shipping", "") {
                $0.image = picture
                $0.imageAlt = "Free shipping on all orders"
                $0.imageAspectRatio = 3
                $0.isViewed = true
            },
        ]
    }

    private static func card(
        _ id: String,
        _ kind: ContentCard.Kind,
        title: String,
        _ description: String,
        change: (inout ContentCard) -> Void
    ) -> ContentCard {
        var card = ContentCard(id: id, kind: kind, title: title, description: description, createdAt: day)
        card.urlString = "https://shop.example/\(id)"
        card.language = "en"
        change(&card)
        return card
    }

    /// The feed once; it never changes.
    public var updates: AsyncStream<CardFeed> {
        AsyncStream { continuation in
            continuation.yield(feed)
            continuation.finish()
        }
    }

    /// Does nothing.
    public func refresh(_ reason: SyncReason) async throws(ContentCardsError) {}

    /// Logs nothing.
    public func logImpression(_ card: ContentCard) -> Bool { false }

    /// Logs nothing.
    public func logClick(_ card: ContentCard, customAction: Bool) -> Bool { false }

    /// Logs nothing.
    public func logDismissal(_ card: ContentCard) -> Bool { false }
}
