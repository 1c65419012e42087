/// The decision for a user, to be saved at once.
public struct FeedChange: Sendable {
    /// The user.
    public var user: UserID
    /// The version that it was decided from; 0 for a user the store does not know.
    public var version: UserVersion
    /// The device's new context, or `nil` to leave it.
    public var device: DeviceContext?
    /// The cards to give; the store sets ``Delivery/changedAt``.
    public var additions: [Delivery]
    /// The cards to take away for good.
    public var endings: [CardID: Delivery.End]
    /// The triggers that will never give a card.
    public var discards: [FeedDecision.Discard]
    /// The weights by which the user got the variants, for campaigns that divide their users.
    public var allocations: [CampaignID: VariantAllocation] = [:]
    /// The moment.
    public var at: UnixTime
    /// The device that asked, which need not be told of the change.
    public var origin: String?

    /// Creates a change.
    public init(
        user: UserID,
        version: UserVersion,
        device: DeviceContext? = nil,
        additions: [Delivery],
        endings: [CardID: Delivery.End],
        discards: [FeedDecision.Discard] = [],
        at: UnixTime,
        origin: String? = nil
    ) {
        self.user = user
        self.version = version
        self.device = device
        self.additions = additions
        self.endings = endings
        self.discards = discards
        self.at = at
        self.origin = origin
    }
}

extension UserState {
    /// The user as a saved change leaves them.
    public mutating func apply(_ change: FeedChange, version: UserVersion) {
        self.version = version
        if let device = change.device { profile.device = device }
        for index in deliveries.indices {
            guard let end = change.endings[deliveries[index].card] else { continue }
            deliveries[index].end = end
            deliveries[index].changedAt = version
        }
        deliveries += change.additions.map { addition in
            var delivery = addition
            delivery.changedAt = version
            return delivery
        }
        let used = Set(change.usedTriggers)
        if !used.isEmpty { triggers.removeAll { used.contains(TriggerKey(campaign: $0.campaign, trigger: $0.id)) } }
    }
}

extension FeedChange {
    /// Returns whether saving the change creates its user: one the store doesn't know, and didn't when it was decided.
    public func createsUser(over known: KnownUser?) -> Bool { known == nil && version == 0 }

    /// The triggers that wait no more once the change is saved.
    public var usedTriggers: [TriggerKey] {
        additions.compactMap { addition in
            addition.origin?.trigger.map { TriggerKey(campaign: addition.campaign, trigger: $0) }
        } + discards.map { TriggerKey(campaign: $0.campaign, trigger: $0.trigger) }
    }
}
