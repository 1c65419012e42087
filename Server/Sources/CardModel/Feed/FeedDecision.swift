/// Decides what a user is to be given that they have not got: the rules of delivery, as a value.
///
/// Delivery is decided when a device asks, so a launch costs the same for any audience. What is decided here has to be
/// saved before the cards are shown; ``FeedReply`` then says what the device is told.
public struct FeedDecision: Sendable {
    /// A card to give.
    public struct Addition: Sendable, Hashable {
        /// The campaign that gives it.
        public let campaign: CampaignID
        /// The variant that the user was assigned.
        public let variant: VariantID
        /// How often the campaign gave the user a card before.
        public let ordinal: Int
    }

    /// The cards to give, in the order of the campaigns' launch.
    public private(set) var additions: [Addition] = []
    /// The cards to take away for good.
    public private(set) var endings: [CardID: Delivery.End] = [:]

    /// Whether there is nothing to save.
    public var isEmpty: Bool { additions.isEmpty && endings.isEmpty }

    /// Decides for one user at one moment.
    public init(for user: UserState, in catalog: Catalog, at now: UnixTime) {
        let received = Set(user.deliveries.map(\.campaign))
        for entry in catalog.active where !received.contains(entry.campaign.id) {
            if let addition = Self.addition(of: entry.campaign, for: user, at: now) { additions.append(addition) }
        }
        makeRoom(for: user, in: catalog, at: now)
    }

    private static func addition(of campaign: Campaign, for user: UserState, at now: UnixTime) -> Addition? {
        guard campaign.isOpen(at: now), campaign.content.audience.matches(user.profile),
            let variant = VariantAssignment.variant(of: campaign, for: user.profile.id)
        else { return nil }
        // A card that has expired before it is given would only be counted, never seen.
        if let expiry = variant.card?.expiresAt(deliveredAt: now), expiry <= now { return nil }
        return Addition(campaign: campaign.id, variant: variant.id, ordinal: 0)
    }

    /// Ends the oldest cards where there would be more than the limit.
    private mutating func makeRoom(for user: UserState, in catalog: Catalog, at now: UnixTime) {
        additions = Array(additions.prefix(catalog.cardLimit))
        guard user.deliveries.count + additions.count > catalog.cardLimit else { return }
        let shown = user.deliveries.filter { catalog.isShown($0, at: now) }
        let excess = shown.count + additions.count - catalog.cardLimit
        for delivery in shown.sorted(by: { $0.deliveredAt < $1.deliveredAt }).prefix(max(0, excess)) {
            endings[delivery.card] = .limit
        }
    }
}

extension Catalog {
    /// Whether a card that was given is in the user's feed at that moment.
    public func isShown(_ delivery: Delivery, at now: UnixTime) -> Bool {
        guard !delivery.isDismissed, delivery.end == nil, let card = card(of: delivery) else { return false }
        return (card.expiresAt(delivery) ?? .infinity) > now
    }

    /// The card of a delivery, or `nil` where its campaign is gone or took it back.
    func card(of delivery: Delivery) -> EncodedCard? {
        guard let entry = entries[delivery.campaign], !entry.campaign.isWithdrawn else { return nil }
        return entry.variants[delivery.variant]
    }
}
