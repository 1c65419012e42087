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
        var isReceived = [Bool](repeating: false, count: catalog.active.count)
        for delivery in user.deliveries {
            if let index = catalog.entries[delivery.campaign]?.activeIndex { isReceived[index] = true }
        }
        let facts = UserFacts(user, at: now, workspaceZone: catalog.timeZone)
        for (index, entry) in catalog.active.enumerated() where !isReceived[index] {
            if let addition = Self.addition(of: entry, for: facts) { additions.append(addition) }
        }
        makeRoom(for: user, in: catalog, at: now)
    }

    private static func addition(of entry: Catalog.Entry, for facts: UserFacts) -> Addition? {
        let campaign = entry.campaign
        guard campaign.isOpen(at: facts.now), entry.audience.matches(facts),
            let variant = VariantAssignment.variant(of: campaign, for: facts.profile.id)
        else { return nil }
        // A card that has expired before it is given would only be counted, never seen.
        if let expiry = variant.card?.expiresAt(deliveredAt: facts.now), expiry <= facts.now { return nil }
        return Addition(campaign: campaign.id, variant: variant.id, ordinal: 0)
    }

    /// Keeps the newest where there would be more than the limit: the oldest cards end, and what has been on offer for
    /// longer than every card that stays is not given, or it would come today and push out another tomorrow.
    private mutating func makeRoom(for user: UserState, in catalog: Catalog, at now: UnixTime) {
        guard user.deliveries.count + additions.count > catalog.cardLimit else { return }
        let shown = user.deliveries.filter { catalog.isShown($0, at: now) }
        let ages =
            shown.map { (since: $0.deliveredAt, card: CardID?.some($0.card), campaign: $0.campaign) }
            + additions.map { (since: catalog.offeredSince($0.campaign), card: nil, campaign: $0.campaign) }
        let newestFirst = ages.sorted { ($0.since, $0.campaign.rawValue) > ($1.since, $1.campaign.rawValue) }
        for (_, card, campaign) in newestFirst.dropFirst(catalog.cardLimit) {
            if let card { endings[card] = .limit } else { additions.removeAll { $0.campaign == campaign } }
        }
    }
}

extension Catalog {
    /// Since when a campaign has reached users.
    fileprivate func offeredSince(_ campaign: CampaignID) -> UnixTime {
        guard let campaign = entries[campaign]?.campaign else { return -.infinity }
        return max(campaign.launchedAt ?? -.infinity, campaign.start ?? -.infinity)
    }

    /// Whether a card that was given is in the user's feed at that moment.
    public func isShown(_ delivery: Delivery, at now: UnixTime) -> Bool {
        entries[delivery.campaign]?.card(of: delivery)?.isShown(delivery, at: now) ?? false
    }
}
