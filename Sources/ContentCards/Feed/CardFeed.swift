import Foundation

/// Shows the feed of one user at one moment.
///
/// A feed never holds dismissed or expired cards, and always holds control cards, since their impressions count.
public struct CardFeed: Sendable {
    /// The user whose feed it is; `nil` while nobody is identified, after a wipe, and when disabled.
    public let userID: String?
    /// The cards in order: pinned first, then higher priority, then newer, then by id.
    public let cards: [ContentCard]
    /// The time at which the server last answered a sync of this user, on this device; `nil` if it never did.
    ///
    /// A delivery from the cache does not move it.
    public let lastSync: Date?
    /// The time at which the next of the cards expires; `nil` if none does.
    public let nextExpiry: Date?
    /// The receiver of reports from typed objects made of this feed.
    let sink: CardEventSink?

    init(userID: String?, cards: [ContentCard], lastSync: Date?, nextExpiry: Date?, sink: CardEventSink?) {
        self.userID = userID
        self.cards = cards
        self.lastSync = lastSync
        self.nextExpiry = nextExpiry
        self.sink = sink
    }

    /// Creates a feed of given cards, for previews and tests.
    ///
    /// The cards are filtered and put in order.
    public init(userID: String? = nil, cards: [ContentCard], lastSync: Date? = nil, at date: Date = Date()) {
        var state = FeedState()
        state.merge(SyncReply(cursor: nil, replaces: true, cards: cards), at: date)
        self.init(
            userID: userID,
            cards: state.visible(at: date),
            lastSync: lastSync,
            nextExpiry: state.nextExpiry(after: date),
            sink: nil
        )
    }

    /// The number of cards that the user has not viewed yet, without the cards that are never shown: what a badge
    /// shows.
    public var unviewedCount: Int {
        cards.count { !$0.isViewed && $0.isPresentable }
    }

    /// The number of cards, including control cards.
    public var count: Int { cards.count }

    /// The cards to draw: without control cards and without types that the SDK does not know.
    public var presentableCards: [ContentCard] { cards.filter(\.isPresentable) }

    /// Whether there is nothing to draw, so that the empty state belongs on screen; control cards do not count.
    public var isEmpty: Bool { !cards.contains(where: \.isPresentable) }

    /// Returns the card with an id, or `nil` when it is not in the feed.
    public func card(id: ContentCard.ID) -> ContentCard? {
        let identity = BytewiseText(id)
        return cards.first { $0.identity == identity }
    }

    /// Returns the cards of the given class types in the order of the feed, control cards included.
    public func cards(of classTypes: ContentCardClassType...) -> [ContentCard] {
        cards.filter { classTypes.contains($0.classType) }
    }
}

extension CardFeed: Equatable {
    /// Returns whether both show the same cards of the same user, as of the same sync.
    public static func == (left: CardFeed, right: CardFeed) -> Bool {
        left.userID.hasSameBytes(as: right.userID) && left.lastSync == right.lastSync && left.cards == right.cards
    }
}
