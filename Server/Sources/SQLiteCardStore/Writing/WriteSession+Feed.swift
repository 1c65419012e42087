import CardModel
import CardStore

extension WriteSession {
    // safe: versions and counts go up by one; the version is far below 52 bits
    /// Saves a change of a user's feed, or returns `nil` where the user has changed since.
    func save(_ change: FeedChange) throws -> UserVersion? {
        let user = try user(change.user)
        guard (user?.version ?? 0) == change.version else { return nil }
        let version = change.version + 1
        for discard in change.discards {
            try use(discard.trigger, of: discard.campaign, for: change.user, discard.outcome)
        }
        if let user {
            guard change.changes(user) else {
                if change.device != nil { try setLastSeen(change.at, of: change.user) }
                return user.version
            }
            try take(change, of: user, version: version)
        } else {
            try insertUser(change.profile, version: version, by: change.origin, isFromDevice: true)
        }
        for (index, delivery) in change.additions.enumerated() {
            try insert(delivery, of: change.user, position: version << 12 + Int64(index), version: version)
            changes.add(to: delivery.campaign, delivery.variant, on: try day(of: change.at)) {
                $0.delivered += 1
                if delivery.ordinal == 0 { $0.recipients += 1 }
            }
            if delivery.ordinal == 0, let division = change.divisions[delivery.campaign] {
                changes.divide(delivery, by: division)
            }
            if let trigger = delivery.origin?.trigger {
                try use(trigger, of: delivery.campaign, for: change.user, .delivered)
            }
        }
        for (card, end) in change.endings { try self.end(card, of: change.user, end, version: version) }
        return version
    }

    private func take(_ change: FeedChange, of user: UserRow, version: UserVersion) throws {
        guard let device = change.device else {
            return try setVersion(version, of: change.user, by: change.origin)
        }
        try setDevice(device, seenAt: change.at, version: version, of: change.user)
        changes.touch(change.user, by: change.origin)
    }

    /// The position puts the user's cards in the order in which they were given; a save gives fewer than 4096.
    private func insert(_ delivery: Delivery, of user: UserID, position: Int64, version: UserVersion) throws {
        try statements.insertDelivery.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, delivery.card.rawValue)
            statement.bind(3, delivery.campaign.rawValue)
            statement.bind(4, Int64(delivery.ordinal))
            statement.bind(5, delivery.variant.rawValue)
            statement.bind(6, delivery.deliveredAt)
            statement.bind(7, position)
            statement.bind(8, version)
            statement.bind(9, delivery.isViewed)
            statement.bind(10, delivery.isClicked)
            statement.bind(11, delivery.isDismissed)
            statement.bind(12, delivery.end?.rawValue)
            statement.bind(13, delivery.origin?.trigger?.rawValue)
            statement.bind(14, utf8: delivery.origin?.properties)
            statement.bind(15, utf8: delivery.origin?.rendered)
            try statement.run()
        }
    }

    private func use(
        _ trigger: TriggerID,
        of campaign: CampaignID,
        for user: UserID,
        _ outcome: Trigger.Outcome
    ) throws {
        try statements.useTrigger.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, campaign.rawValue)
            statement.bind(3, trigger.rawValue)
            statement.bind(4, outcome.rawValue)
            try statement.run()
        }
    }

    private func end(_ card: CardID, of user: UserID, _ end: Delivery.End, version: UserVersion) throws {
        try statements.endDelivery.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, card.rawValue)
            statement.bind(3, end.rawValue)
            statement.bind(4, version)
            try statement.run()
        }
    }
}

extension FeedChange {
    /// Whether saving would leave anything different.
    fileprivate func changes(_ user: UserRow) -> Bool {
        !additions.isEmpty || !endings.isEmpty || (device.map { $0 != user.device } ?? false)
    }

    /// The user that the change makes.
    fileprivate var profile: UserProfile {
        var profile = UserProfile(id: user, createdAt: at)
        if let device {
            profile.device = device
            profile.lastSeenAt = at
        }
        return profile
    }
}

extension GroupChanges {
    /// Adds to what was counted of a variant on a day.
    mutating func add(
        to campaign: CampaignID,
        _ variant: VariantID,
        on day: CountingDay,
        _ body: (inout CampaignCounts) -> Void
    ) {
        body(&counts[CountKey(campaign: campaign, variant: variant, day: day), default: CampaignCounts()])
    }
}
