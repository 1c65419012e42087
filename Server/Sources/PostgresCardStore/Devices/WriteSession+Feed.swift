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
        insert(writes, of: change.user)
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

    /// Gives a user cards: several by one statement, since a new user is given all of theirs at once.
    private func insert(_ writes: FeedWrites, of user: UserID) {
        let cards = writes.deliveries
        if cards.count > 1 {
            let positions = cards.indices.map { writes.position(at: $0) }
            connection.later(SQL.insertDeliveries, Self.places(of: cards, positions, user) + Self.states(of: cards))
        } else if let card = cards.first {
            connection.later(
                SQL.insertDelivery,
                [
                    user.rawValue, card.card.rawValue, card.campaign.rawValue, card.ordinal, card.variant.rawValue,
                    card.deliveredAt, writes.position(at: 0), card.changedAt, card.isViewed, card.isClicked,
                    card.isDismissed, card.end?.rawValue, card.origin?.trigger?.rawValue,
                    UTF8Text(card.origin?.properties), UTF8Text(card.origin?.rendered),
                ]
            )
        }
    }

    /// The parameters of several cards up to the version at which they changed.
    private static func places(
        of cards: [Delivery],
        _ positions: [Int64],
        _ user: UserID
    ) -> [any PostgresEncodable] {
        [
            user.rawValue, cards.map(\.card.rawValue), cards.map(\.campaign.rawValue), cards.map { Int64($0.ordinal) },
            cards.map(\.variant.rawValue), cards.map(\.deliveredAt), positions, cards.map(\.changedAt),
        ]
    }

    /// The other parameters of several cards.
    private static func states(of cards: [Delivery]) -> [any PostgresEncodable] {
        let ends: [String?] = cards.map { $0.end?.rawValue }
        let triggers: [String?] = cards.map { $0.origin?.trigger?.rawValue }
        let properties: [UTF8Text?] = cards.map { UTF8Text($0.origin?.properties) }
        let rendered: [UTF8Text?] = cards.map { UTF8Text($0.origin?.rendered) }
        return [
            cards.map(\.isViewed), cards.map(\.isClicked), cards.map(\.isDismissed), ends, triggers, properties,
            rendered,
        ]
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
