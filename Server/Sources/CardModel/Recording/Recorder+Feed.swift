extension Recorder {
    /// Records what was decided for a user's feed.
    ///
    /// - Parameters:
    ///   - change: What was decided.
    ///   - known: The user as the store has them in this transaction, or `nil` for none.
    /// - Returns: What to write, or `nil` where the user has changed since it was decided.
    public mutating func save(_ change: FeedChange, over known: KnownUser?) -> FeedWrites? {
        guard (known?.version ?? 0) == change.version else { return nil }
        var writes = FeedWrites(
            version: change.version,
            user: change.device == nil ? .nothing : .seen,
            triggers: change.discards.map { UsedTrigger($0.trigger, of: $0.campaign, $0.outcome) }
        )
        guard known.map(change.changes) ?? true else { return writes }
        // safe: versions go up by one
        writes.version = change.version + 1
        writes.user = change.userWrite(isKnown: known != nil)
        writes.endings = change.endings
        writes.deliveries = change.additions
        for index in writes.deliveries.indices { writes.deliveries[index].changedAt = writes.version }
        count(change)
        for delivery in change.additions {
            guard let trigger = delivery.origin?.trigger else { continue }
            writes.triggers.append(UsedTrigger(trigger, of: delivery.campaign, .delivered))
        }
        return writes
    }

    // safe: counts go up by one
    private mutating func count(_ change: FeedChange) {
        for delivery in change.additions {
            let isFirst = delivery.ordinal == 0
            counts.add(to: delivery.campaign, delivery.variant, on: calendar.day(of: change.at)) {
                $0.delivered += 1
                if isFirst { $0.recipients += 1 }
            }
            if isFirst, let allocation = change.allocations[delivery.campaign] { counts.add(delivery, by: allocation) }
        }
    }
}

/// The writes that save a change of a user's feed.
public struct FeedWrites: Sendable, Hashable {
    /// The kinds of writes of the user themselves.
    public enum FeedUserWrite: Sendable, Hashable {
        /// Nothing.
        case nothing
        /// The time at which a device was last heard of.
        case seen
        /// The version.
        case version
        /// The version, what the device says of itself, and when it was last heard of.
        case device(DeviceContext)
        /// A new user.
        case creation(UserProfile)
    }

    /// The user's version afterwards.
    public var version: UserVersion
    /// The write of the user themselves.
    public var user: FeedUserWrite
    /// The triggers that wait no more.
    public var triggers: [UsedTrigger]
    /// The cards that the user is given, in their order.
    public var deliveries: [Delivery] = []
    /// The cards that leave for good.
    public var endings: [CardID: Delivery.End] = [:]

    /// Returns the position of a delivery, which puts the user's cards in the order in which they were given.
    ///
    /// - Parameter index: The place in ``deliveries``, of which there are fewer than 4096.
    /// - Returns: A number that is larger than those of the cards that the user was given before.
    public func position(at index: Int) -> Int64 {
        // safe: the version is far below 52 bits
        version << 12 + Int64(index)
    }
}

/// A trigger that waits no more.
public struct UsedTrigger: Sendable, Hashable {
    /// The trigger.
    public let key: TriggerKey
    /// Its outcome.
    public let outcome: Trigger.TriggerOutcome

    /// Creates a used trigger.
    public init(_ trigger: TriggerID, of campaign: CampaignID, _ outcome: Trigger.TriggerOutcome) {
        key = TriggerKey(campaign: campaign, trigger: trigger)
        self.outcome = outcome
    }
}

extension FeedChange {
    /// Whether saving would leave anything of a user's feed different.
    fileprivate func changes(_ user: KnownUser) -> Bool {
        !additions.isEmpty || !endings.isEmpty || (device.map { $0 != user.device } ?? false)
    }

    fileprivate func userWrite(isKnown: Bool) -> FeedWrites.FeedUserWrite {
        guard isKnown else { return .creation(profile) }
        return device.map(FeedWrites.FeedUserWrite.device) ?? .version
    }

    /// The user that the change creates.
    private var profile: UserProfile {
        var profile = UserProfile(id: user, createdAt: at)
        if let device {
            profile.device = device
            profile.lastSeenAt = at
        }
        return profile
    }
}
