#if !os(tvOS)
import ContentCards
import ContentCardsUI

/// Feeds the controllers from the instance: refreshes end in a notification, and what is logged is logged by the live
/// objects, so that the app finds their flags set.
struct ABKFeedSource: CardFeedSource {
    let instance: Appboy

    /// Returns the feed of the shared instance; an empty one before the start.
    static var current: any CardFeedSource {
        Appboy.sharedInstance().map { ABKFeedSource(instance: $0) } ?? PreviewFeed(CardFeed(cards: []))
    }

    var feed: CardFeed { instance.client.feed }
    var updates: AsyncStream<CardFeed> { instance.client.updates }

    func refresh(_ reason: SyncReason) async throws(ContentCardsError) {
        try await instance.refresh(reason)
    }

    func logImpression(_ card: ContentCard) -> Bool { log(card) { $0.logContentCardImpression() } }

    func logClick(_ card: ContentCard, customAction: Bool) -> Bool { log(card) { $0.logContentCardClicked() } }

    func logDismissal(_ card: ContentCard) -> Bool { log(card) { $0.logContentCardDismissed() } }

    private func log(_ card: ContentCard, _ body: (ABKContentCard) -> Void) -> Bool {
        guard
            let live = instance.contentCardsController.contentCards.first(where: {
                $0.idString.hasSameBytes(as: card.id)
            })
        else {
            return false
        }
        body(live)
        return true
    }
}
#endif
