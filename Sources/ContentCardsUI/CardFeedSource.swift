import ContentCards

/// Feeds a controller with cards, and takes what the user does with them.
///
/// `ContentCardsClient` is one.
///
/// A conformer gives the current feed at once, and from `updates` first the current feed and then every later one.
public protocol CardFeedSource: Sendable {
    /// The feed as it is now.
    var feed: CardFeed { get }
    /// Every state of the feed, the current one first. Each use makes a stream of its own.
    var updates: AsyncStream<CardFeed> { get }
    /// Asks for new cards, and returns when the feed has them.
    func refresh(_ reason: SyncReason) async throws(ContentCardsError)
    /// Logs that a card was seen. Returns whether that was logged.
    @discardableResult
    func logImpression(_ card: ContentCard) -> Bool
    /// Logs a click. Returns whether that was logged.
    @discardableResult
    func logClick(_ card: ContentCard, customAction: Bool) -> Bool
    /// Logs that a card was dismissed. Returns whether that was logged.
    @discardableResult
    func logDismissal(_ card: ContentCard) -> Bool
}

extension ContentCardsClient: CardFeedSource {}
