import CardModel
import CardStore

/// The error where a job needs events in the log that jobs before it have recorded in the same group.
struct EarlierEventsError: Error {}

extension WriteSession {
    /// Positions come from one row of which each transaction takes a piece right before it commits.
    ///
    /// So they are in the order of the commits, and whoever reads the log by position misses nothing. Where that row
    /// was deleted, there is no position, which no event may lack: the group fails, and nothing is said to be
    /// recorded.
    private static let appendEvents = """
        WITH head AS (UPDATE log_head SET position = position + $1 WHERE id = 1 RETURNING position)
        INSERT INTO events
            (position, user_id, id, type, at, received_at, card_id, campaign_id, variant_id, details)
        SELECT (SELECT position FROM head) - $1 + e.place, e.user_id, e.id, e.type, e.at, e.received_at,
            e.card_id, e.campaign_id, e.variant_id, e.details
        FROM unnest(
            $2::TEXT[], $3::BYTEA[], $4::TEXT[], $5::DOUBLE PRECISION[], $6::DOUBLE PRECISION[], $7::TEXT[],
            $8::TEXT[], $9::TEXT[], $10::TEXT[]
        ) WITH ORDINALITY
            AS e (user_id, id, type, at, received_at, card_id, campaign_id, variant_id, details, place)
        """

    /// Makes sure that all events of some users are in the log, for a job that changes whose they are.
    ///
    /// The log's end would be locked from here on, while other groups lock it last: what this group has still to lock,
    /// such as the end of the audit log, one of them may have, and wait for the log. So the group is committed first.
    ///
    /// - Throws: ``EarlierEventsError`` where jobs before the present one have recorded events of theirs.
    func settleEvents(of users: Set<UserID>) throws {
        guard pending.hasEvents(of: users) else { return }
        guard !hasEarlierEvents else { throw EarlierEventsError() }
        try flushEvents()
    }

    /// Appends the group's events to the log.
    ///
    /// Users are locked while events of theirs are recorded, so none is there already; if one is, the group fails, and
    /// finds it when it is tried again.
    func flushEvents() throws {
        let events = pending.takeEvents()
        guard !events.isEmpty else { return }
        connection.later(
            Self.appendEvents,
            [
                events.count, events.map(\.user.rawValue), events.map(\.event.id.bytes), events.map(\.event.kind.name),
                events.map(\.event.at), events.map(\.receivedAt), events.map(\.card?.id.rawValue),
                events.map(\.card?.campaign.rawValue), events.map(\.card?.variant.rawValue),
                events.map { UTF8Text($0.event.details) },
            ]
        )
    }
}
