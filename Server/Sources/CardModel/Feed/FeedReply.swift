public import WireJSON

/// The answer to a device: everything, or what changed since its cursor.
public struct FeedReply: Sendable {
    /// A card to tell of, without anything that costs to move while they are put in order.
    private struct Place: Sendable {
        let index: Int
        let isPinned: Bool
        let priority: Int
        let deliveredAt: UnixTime
        let expiresAt: UnixTime?
        let members: [UInt8]

        init(_ index: Int, _ place: FrozenCard.Place, members: [UInt8], deliveredAt: UnixTime) {
            self.index = index
            isPinned = place.isPinned
            priority = place.priority
            self.deliveredAt = deliveredAt
            expiresAt = place.expiresAt
            self.members = members
        }

        init(_ index: Int, _ test: TestCard) {
            self.index = index
            isPinned = test.isPinned
            priority = test.priority
            deliveredAt = test.sentAt
            expiresAt = test.expiresAt
            members = test.members
        }
    }

    /// Whether the cards are the whole feed.
    public let replaces: Bool
    /// The cards that left since the cursor.
    public private(set) var removed: [CardID] = []
    /// The cards that their templates keep from the user.
    public private(set) var withheld: [Withholding] = []
    /// The position of the device after this.
    public let cursor: FeedCursor
    private var deliveries: [Delivery]
    private var places: [Place] = []

    /// The number of cards that the device is told.
    public var cardCount: Int { places.count }

    /// Works out the reply for a user whose decisions have been saved.
    ///
    /// - Parameters:
    ///   - user: The user as saved.
    ///   - catalog: The campaigns.
    ///   - cursor: Where the device stands, or `nil` for nowhere.
    ///   - epoch: The name of the user's history; see ``FeedCursor/history(of:createdAt:in:)``.
    ///   - now: The moment.
    ///   - platform: Where the app of the device runs, if it is known.
    ///   - recheckAt: When a new decision may give other cards; see ``FeedDecision/recheckAt``.
    ///   - budget: What rendering the cards may cost.
    public init(
        for user: UserState,
        in catalog: Catalog,
        since cursor: FeedCursor?,
        epoch: UInt64,
        at now: UnixTime,
        platform: CardTemplate.Platform? = nil,
        recheckAt: UnixTime? = nil,
        budget: RenderBudget = .feed
    ) {
        let cursor = cursor.flatMap {
            $0.isUsable(epoch: epoch, generation: catalog.generation, version: user.version, at: now) ? $0 : nil
        }
        replaces = cursor == nil
        deliveries = user.deliveries
        let viewer = CardViewer(user, in: catalog, at: now, platform: platform, budget: budget)
        var recheckAt = min(catalog.nextStart(after: now) ?? .infinity, recheckAt ?? .infinity)
        places.reserveCapacity(deliveries.count)
        // By index, since a delivery is too much to copy for each card of each sync.
        for index in deliveries.indices {
            let entry = catalog.entries[deliveries[index].campaign]
            let hasChanged = cursor?.isBehind(deliveries[index].changedAt, of: entry) ?? true
            guard let entry, let card = entry.liveCard(of: deliveries[index].variant) else {
                if cursor != nil, hasChanged { removed.append(deliveries[index].card) }
                continue
            }
            let status = entry.status(of: deliveries[index], card, for: viewer)
            guard let stay = status.stay else {
                if let cursor, hasChanged || card.leaves(with: status, since: cursor) {
                    removed.append(deliveries[index].card)
                }
                if case .outsideAudience(let until?) = status { recheckAt = min(recheckAt, until) }
                continue
            }
            recheckAt = min(recheckAt, stay.until ?? .infinity)
            // Where that isn't known, a device that has the card keeps it, and another isn't told of it.
            guard hasChanged || card.isPersonal && stay.isKnown else { continue }
            do {
                let members = try card.members(of: deliveries[index].origin, for: viewer)
                let place = card.place(of: deliveries[index], for: viewer)
                places.append(Place(index, place, members: members, deliveredAt: deliveries[index].deliveredAt))
            } catch {
                if cursor != nil { removed.append(deliveries[index].card) }
                withheld.append(
                    Withholding(campaign: deliveries[index].campaign, variant: card.variant, failure: error)
                )
                if let pause = error.retryAfter { recheckAt = min(recheckAt, now + pause) }
            }
        }
        if !user.testCards.isEmpty {
            let changes = TestCardChanges(user.testCards, since: cursor, at: now)
            removed += changes.removed
            recheckAt = min(recheckAt, changes.recheckAt)
            for test in changes.shown {
                guard FrozenCard.isReadable(members: test.members) else {
                    if cursor != nil { removed.append(test.card) }
                    withheld.append(Withholding(campaign: test.campaign, variant: test.variant, failure: .unreadable))
                    continue
                }
                places.append(Place(deliveries.count, test))
                deliveries.append(test.delivery)
            }
        }
        self.cursor = FeedCursor(
            epoch: epoch,
            generation: catalog.generation,
            version: user.version,
            issuedAt: now,
            recheckAt: recheckAt.isFinite ? recheckAt : nil
        )
        // The method would copy the whole reply for each comparison.
        places.sort { [deliveries] in Self.precedes($0, $1, deliveries) }
    }

    /// Pinned first, then by priority, then the newest, then by id.
    private static func precedes(_ first: Place, _ second: Place, _ deliveries: [Delivery]) -> Bool {
        if first.isPinned != second.isPinned { return first.isPinned }
        if first.priority != second.priority { return first.priority > second.priority }
        if first.deliveredAt != second.deliveredAt { return first.deliveredAt > second.deliveredAt }
        // safe: places were made of the deliveries
        return deliveries[first.index].card < deliveries[second.index].card
    }

    /// Appends the array of cards.
    public func writeCards(to writer: inout JSONWriter) {
        writer.raw("[")
        var isFirst = true
        for place in places {
            if !isFirst { writer.raw(",") }
            isFirst = false
            // safe: places were made of the deliveries
            deliveries[place.index].write(place.members, expiresAt: place.expiresAt, to: &writer)
        }
        writer.raw("]")
    }
}

extension FeedCursor {
    /// Whether something of a delivery changed since.
    fileprivate func isBehind(_ changedAt: UserVersion, of entry: Catalog.Entry?) -> Bool {
        changedAt > version || (entry?.campaign.generation ?? 0) > generation
    }

    /// Whether a moment came after the cursor was given out.
    fileprivate func precedes(_ time: UnixTime) -> Bool { time >= Double(issuedAt) }
}

extension CatalogCard {
    /// Whether a device that stands at a cursor may have the card, though nothing was changed since.
    fileprivate func leaves(with status: CardStatus, since cursor: FeedCursor) -> Bool {
        switch status {
        case .expired(let time): isPersonal || cursor.precedes(time)
        case .outsideAudience: true
        case .shown, .kept, .dismissed, .taken, .withdrawn, .withheld: false
        }
    }
}
