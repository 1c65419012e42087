public import WireJSON

/// What a device is told: everything, or what changed since its cursor.
public struct FeedReply: Sendable {
    private struct Shown: Sendable {
        let delivery: Delivery
        let card: EncodedCard
    }

    /// Whether the cards are the whole feed.
    public let replaces: Bool
    /// The cards that left since the cursor.
    public private(set) var removed: [CardID] = []
    /// Where the device stands after this.
    public let cursor: FeedCursor
    private var shown: [Shown] = []

    /// How many cards the device is told.
    public var cardCount: Int { shown.count }

    /// Works out the reply for a user whose decisions have been saved.
    ///
    /// - Parameters:
    ///   - user: The user as saved.
    ///   - catalog: The campaigns.
    ///   - cursor: Where the device stands, or `nil` for nowhere.
    ///   - epoch: The store's present epoch.
    ///   - now: The moment.
    public init(for user: UserState, in catalog: Catalog, since cursor: FeedCursor?, epoch: UInt64, at now: UnixTime) {
        let cursor = cursor.flatMap {
            $0.isUsable(epoch: epoch, generation: catalog.generation, version: user.version, at: now) ? $0 : nil
        }
        replaces = cursor == nil
        var recheckAt = catalog.nextStart(after: now) ?? .infinity
        for delivery in user.deliveries {
            guard catalog.isShown(delivery, at: now), let card = catalog.card(of: delivery) else {
                if let cursor, catalog.hasLeft(delivery, since: cursor) { removed.append(delivery.card) }
                continue
            }
            recheckAt = min(recheckAt, card.expiresAt(delivery) ?? .infinity)
            if let cursor, !catalog.hasChanged(delivery, since: cursor) { continue }
            shown.append(Shown(delivery: delivery, card: card))
        }
        self.cursor = FeedCursor(
            epoch: epoch,
            generation: catalog.generation,
            version: user.version,
            issuedAt: now,
            recheckAt: recheckAt.isFinite ? recheckAt : nil
        )
        shown.sort(by: Self.precedes)
    }

    /// Pinned first, then by priority, then the newest, then by id.
    private static func precedes(_ first: Shown, _ second: Shown) -> Bool {
        if first.card.isPinned != second.card.isPinned { return first.card.isPinned }
        if first.card.priority != second.card.priority { return first.card.priority > second.card.priority }
        if first.delivery.deliveredAt != second.delivery.deliveredAt {
            return first.delivery.deliveredAt > second.delivery.deliveredAt
        }
        return first.delivery.card.rawValue < second.delivery.card.rawValue
    }

    /// Appends the array of cards.
    public func writeCards(to writer: inout JSONWriter) {
        writer.raw("[")
        for (index, item) in shown.enumerated() {
            if index > 0 { writer.raw(",") }
            item.card.write(item.delivery, to: &writer)
        }
        writer.raw("]")
    }
}

extension Catalog {
    fileprivate func hasChanged(_ delivery: Delivery, since cursor: FeedCursor) -> Bool {
        delivery.changedAt > cursor.version
            || (entries[delivery.campaign]?.campaign.generation ?? 0) > cursor.generation
    }

    /// Whether a card that is not shown may have been when the cursor was given out.
    fileprivate func hasLeft(_ delivery: Delivery, since cursor: FeedCursor) -> Bool {
        if hasChanged(delivery, since: cursor) { return true }
        guard let expiry = card(of: delivery)?.expiresAt(delivery) else { return false }
        return expiry >= Double(cursor.issuedAt)
    }
}
