import CardModel
import CardStore
import WireJSON

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
        for (card, end) in writes.endings {
            connection.later(
                SQL.endDelivery,
                [change.user.rawValue, card.rawValue, end.rawValue, writes.version]
            )
        }
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
            insertRow(of: profile, version: version, by: change.origin)
        }
    }

    private func insert(_ delivery: Delivery, of user: UserID, position: Int64) throws {
        connection.later(
            SQL.insertDelivery,
            [
                user.rawValue, delivery.card.rawValue, delivery.campaign.rawValue, delivery.ordinal,
                delivery.variant.rawValue, delivery.deliveredAt, position, delivery.changedAt, delivery.isViewed,
                delivery.isClicked, delivery.isDismissed, delivery.end?.rawValue, delivery.origin?.trigger?.rawValue,
                UTF8Text(delivery.origin?.properties), UTF8Text(delivery.origin?.rendered),
            ]
        )
    }

    /// Lets a trigger wait no more.
    func use(_ trigger: UsedTrigger, for user: UserID) throws {
        connection.later(
            SQL.useTrigger,
            [user.rawValue, trigger.key.campaign.rawValue, trigger.key.trigger.rawValue, trigger.outcome.rawValue]
        )
    }

    // MARK: Withheld cards

    /// Notes and counts what a template withheld from a user, unless it is known or there is no such user.
    func withhold(_ card: Withholding, from user: UserID, at now: UnixTime) throws {
        let isNew = try connection.execute(
            """
            INSERT INTO withholdings (user_id, campaign_id, variant_id, kind, at)
            SELECT $1, $2, $3, $4, $5 WHERE EXISTS (SELECT 1 FROM users WHERE id = $1)
            ON CONFLICT (user_id, campaign_id, variant_id, kind) DO NOTHING
            """,
            [user.rawValue, card.campaign.rawValue, card.variant.rawValue, card.failure.kind.rawValue, now]
        )
        guard isNew > 0 else { return }
        pending.count(
            WithheldKey(
                campaign: card.campaign,
                variant: card.variant,
                day: try day(of: now),
                kind: card.failure.kind,
                reason: ByteString(card.failure.countedReason)
            )
        )
    }
}
