import ContentCards
import Foundation

/// Gives the cards of the current user.
#if canImport(ObjectiveC)
@objc(ABKContentCardsController) @objcMembers
#endif
open class ABKContentCardsController: NSObject, @unchecked Sendable {
    // All that changes is behind a lock.

    /// An object that the app may hold, and what the feed said when it was last brought up to date.
    private struct Live {
        var card: ABKContentCard
        var base: ContentCard
    }

    private let client: ContentCardsClient
    private let live = Locked<[BytewiseText: Live]>([:])
    private let isSwitching: @Sendable () -> Bool

    init(_ client: ContentCardsClient, isSwitching: @escaping @Sendable () -> Bool) {
        self.client = client
        self.isSwitching = isSwitching
    }

    /// The cards in order, control cards included; none is dismissed or expired.
    ///
    /// The objects are live: the same card is the same object each time, and what the app changes in it stays until the
    /// server changes the card.
    open var contentCards: [ABKContentCard] {
        isSwitching() ? [] : cards(of: client.feed)
    }

    /// Returns the cards, as ``contentCards`` does.
    open func getContentCards() -> [ABKContentCard] { contentCards }

    /// The time at which the server last answered; `nil` if it never did.
    open var lastUpdate: Date? { isSwitching() ? nil : client.feed.lastSync }

    /// Returns how many cards the user has not seen, without those that are never shown: control cards, and cards of
    /// types that the SDK does not know.
    open func unviewedContentCardCount() -> Int {
        contentCards.count { !$0.viewed && $0.contentCard.isPresentable }
    }

    /// Returns how many cards there are, control cards included.
    open func contentCardCount() -> Int { contentCards.count }

    private func cards(of feed: CardFeed) -> [ABKContentCard] {
        live.withLock { live in
            var next: [BytewiseText: Live] = [:]
            let cards = feed.cards.map { card in
                let entry = Self.update(live[card.identity], to: card, client: client)
                next[card.identity] = entry
                return entry.card
            }
            live = next
            return cards
        }
    }

    /// Brings an object up to date: news from the server replace it, new flags alone leave the app's changes alone.
    private static func update(_ old: Live?, to new: ContentCard, client: ContentCardsClient) -> Live {
        guard let old, type(of: old.card) == ABKContentCard.type(for: new.kind) else {
            return Live(card: ABKContentCard.make(new, client: client), base: new)
        }
        guard old.base != new else { return old }
        let hasNews = old.base.withoutFlags != new.withoutFlags
        old.card.change { card in
            if hasNews { card = new }
            if old.base.isViewed != new.isViewed { card.isViewed = new.isViewed }
            if old.base.isClicked != new.isClicked { card.isClicked = new.isClicked }
            if old.base.isDismissed != new.isDismissed { card.isDismissed = new.isDismissed }
        }
        return Live(card: old.card, base: new)
    }
}

extension ContentCard {
    fileprivate var withoutFlags: ContentCard {
        var card = self
        (card.isViewed, card.isClicked, card.isDismissed) = (false, false, false)
        return card
    }
}
