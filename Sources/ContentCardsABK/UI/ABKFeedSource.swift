#if !os(tvOS)
import ContentCards
import ContentCardsUI

/// Feeds the controllers from the shared instance: refreshes end in a notification, and what is logged is logged by the
/// live objects, so that the app finds their flags set.
///
/// The instance is looked up each time: a storyboard makes its controllers before the app has started the SDK.
struct ABKFeedSource: CardFeedSource {
    /// The shared instance; `nil` before the start.
    var instance: Appboy? { Appboy.sharedInstance() }

    var feed: CardFeed { instance?.client.feed ?? CardFeed(cards: []) }

    /// An empty feed before the start, and then what the instance has that was started last.
    var updates: AsyncStream<CardFeed> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let task = Task {
                var following: Task<Void, Never>?
                for await instance in Appboy.instances {
                    following?.cancel()
                    // What the old one had comes before what the new one has, or never.
                    await following?.value
                    following = instance.map { Self.follow($0, continuation) }
                    if instance == nil { continuation.yield(CardFeed(cards: [])) }
                }
                following?.cancel()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private static func follow(
        _ instance: Appboy,
        _ continuation: AsyncStream<CardFeed>.Continuation
    ) -> Task<Void, Never> {
        let updates = instance.client.updates
        return Task {
            for await feed in updates { continuation.yield(feed) }
        }
    }

    /// Before the start there is nobody to ask, and the session that begins with it asks by itself.
    func refresh(_ reason: SyncReason) async throws(ContentCardsError) {
        try await instance?.refresh(reason)
    }

    func logImpression(_ card: ContentCard) -> Bool { log(card) { $0.logContentCardImpression() } }

    func logClick(_ card: ContentCard, customAction: Bool) -> Bool { log(card) { $0.logContentCardClicked() } }

    func logDismissal(_ card: ContentCard) -> Bool { log(card) { $0.logContentCardDismissed() } }

    private func log(_ card: ContentCard, _ body: (ABKContentCard) -> Void) -> Bool {
        guard
            let live = instance?.contentCardsController.contentCards.first(where: {
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
