import Foundation

// A log call returns when the event is in the operating system's hands: it survives a crash and `kill -9` from then on,
// and is delivered with the next events, in order and at least once; the server counts it once.
extension ContentCardsClient {
    /// Logs that the user has seen a card, and marks it viewed.
    ///
    /// Every call counts: a feed logs once per presentation.
    ///
    /// Log it for a control card when the user would have seen it.
    /// - Returns: whether an event was logged; false for a card that is not in the feed.
    @discardableResult
    public func logImpression(_ card: ContentCard) -> Bool {
        logImpression(cardID: card.id)
    }

    /// Logs that the user has seen the card with an id.
    @discardableResult
    public func logImpression(cardID: ContentCard.ID) -> Bool {
        core.log(.impression, cardID: cardID)
    }

    /// Logs that the user has clicked a card, and marks it clicked.
    ///
    /// It opens nothing.
    ///
    /// - Parameters:
    ///   - card: the card.
    ///   - customAction: whether the app itself acts on the card. A card without a usable url is logged only with it.
    ///     The default is `false`.
    /// - Returns: whether an event was logged.
    @discardableResult
    public func logClick(_ card: ContentCard, customAction: Bool = false) -> Bool {
        logClick(cardID: card.id, customAction: customAction)
    }

    /// Logs that the user has clicked the card with an id.
    @discardableResult
    public func logClick(cardID: ContentCard.ID, customAction: Bool = false) -> Bool {
        core.log(.click, cardID: cardID, isCustomAction: customAction)
    }

    /// Logs that the user has dismissed a card, which leaves the feed at once.
    ///
    /// A card that is not dismissible, or that was dismissed before, stays as it is and nothing is logged.
    /// - Returns: whether an event was logged.
    @discardableResult
    public func logDismissal(_ card: ContentCard) -> Bool {
        logDismissal(cardID: card.id)
    }

    /// Logs that the user has dismissed the card with an id.
    @discardableResult
    public func logDismissal(cardID: ContentCard.ID) -> Bool {
        core.log(.dismissal, cardID: cardID)
    }

    /// Logs something that happened in the app, for audiences and conversions.
    ///
    /// - Returns: whether it was logged; false when nobody is identified or the event is over 16 KiB.
    @discardableResult
    public func logEvent(_ name: String, properties: [String: JSONValue] = [:]) -> Bool {
        core.log(.custom(name, properties))
    }

    /// Logs a purchase.
    ///
    /// - Parameters:
    ///   - productID: what was bought.
    ///   - currency: an ISO 4217 code, such as `USD`.
    ///   - price: the price of one piece.
    ///   - quantity: how many; 1 by default.
    ///   - properties: whatever else is worth knowing.
    /// - Returns: whether it was logged.
    @discardableResult
    public func logPurchase(
        _ productID: String,
        currency: String,
        price: Decimal,
        quantity: Int = 1,
        properties: [String: JSONValue] = [:]
    ) -> Bool {
        core.log(.purchase(productID, currency, price, quantity, properties))
    }

    /// The number of events that wait to be delivered, of all users of this device.
    public var pendingEventCount: Int {
        core.open().events.counts.values.reduce(0, +)
    }

    /// Delivers all pending events now, and returns when none is left.
    ///
    /// Throws as soon as a request fails, when a token is refused, or after `refreshTimeout`; the events stay queued.
    public func flush() async throws(ContentCardsError) {
        let parts = core.open()
        await parts.engine.updateBacklog()
        try await parts.engine.wait(timeout: core.configuration.refreshTimeout) { .flush($0) }
    }
}
