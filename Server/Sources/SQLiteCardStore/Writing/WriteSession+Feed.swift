import CardModel
import CardStore

extension WriteSession {
    /// Saves a change of a user's feed, or returns `nil` where the user has changed since.
    func save(_ change: FeedChange) throws -> UserVersion? {
        if !change.additions.isEmpty { try readSettings() }
        let known = try user(change.user)
        // Before anything is counted: what is refused changes nothing.
        if change.createsUser(over: known) { try requireNotErased(change.user) }
        guard let writes = recorder.save(change, over: known) else { return nil }
        try apply(writes.user, of: change, version: writes.version)
        for trigger in writes.triggers { try use(trigger, for: change.user) }
        for (index, delivery) in writes.deliveries.enumerated() {
            try insert(delivery, of: change.user, position: writes.position(at: index))
        }
        for (card, end) in writes.endings { try self.end(card, of: change.user, end, version: writes.version) }
        return writes.version
    }

    private func apply(_ write: FeedWrites.FeedUserWrite, of change: FeedChange, version: UserVersion) throws {
        switch write {
        case .nothing: break
        case .seen: try setLastSeen(change.at, of: change.user)
        case .version: try setVersion(version, of: change.user, by: change.origin)
        case .device(let device):
            try setDevice(device, seenAt: change.at, version: version, of: change.user)
            changes.touch(change.user, by: change.origin)
        case .creation(let profile):
            // Whether they were deleted was asked before anything was counted.
            try insertRow(of: profile, version: version, by: change.origin)
        }
    }

    private func insert(_ delivery: Delivery, of user: UserID, position: Int64) throws {
        try statements.insertDelivery.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, delivery.card.rawValue)
            statement.bind(3, delivery.campaign.rawValue)
            statement.bind(4, Int64(delivery.ordinal))
            statement.bind(5, delivery.variant.rawValue)
            statement.bind(6, delivery.deliveredAt)
            statement.bind(7, position)
            statement.bind(8, delivery.changedAt)
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

    /// Lets a trigger wait no more.
    func use(_ trigger: UsedTrigger, for user: UserID) throws {
        try statements.useTrigger.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, trigger.key.campaign.rawValue)
            statement.bind(3, trigger.key.trigger.rawValue)
            statement.bind(4, trigger.outcome.rawValue)
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
