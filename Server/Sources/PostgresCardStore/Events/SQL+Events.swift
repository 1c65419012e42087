import CardModel

extension SQL {
    /// The events of a user that are in the log.
    ///
    /// Each is looked for by its whole key and in its own partition, however many the user has: `OFFSET` keeps the
    /// planner from reading all of them.
    static let knownEvents = """
        SELECT e.id FROM unnest($2::BYTEA[]) AS k (id)
        CROSS JOIN LATERAL (SELECT id FROM events WHERE user_id = $1 AND id = k.id OFFSET 0) AS e
        UNION ALL
        SELECT e.id FROM merged_logs AS m CROSS JOIN unnest($2::BYTEA[]) AS k (id)
        CROSS JOIN LATERAL (SELECT id FROM events WHERE user_id = m.former_id AND id = k.id OFFSET 0) AS e
        WHERE m.user_id = $1
        """

    /// The events of logs, of which other statements say whose.
    static let logEntries = "SELECT id, type, at, details FROM events"

    /// The events of a user that are in this log, or in that of a database where the user was before.
    static let knownEventsOfShard = """
        \(knownEvents)
        UNION ALL
        SELECT id FROM moved_events WHERE user_id = $1 AND id = ANY ($2::BYTEA[])
        """

    /// The history of a user in some time, of the newest events by their IDs.
    static let loggedEvents = loggedEvents()

    /// The history of a user in some time, with that in the logs of databases where the user was before.
    static let loggedEventsOfShard = loggedEvents(
        beside: "UNION ALL SELECT id, type, at, details FROM moved_events WHERE user_id = $1"
    )

    private static func loggedEvents(beside others: String = "") -> String {
        """
        SELECT id, type, at, details FROM (
            SELECT id, type, at, details,
                sum(coalesce(octet_length(details), 0)) OVER (ORDER BY id DESC ROWS UNBOUNDED PRECEDING) AS bytes
            FROM (
                (
                    \(logEntries) WHERE user_id = $1
                    ORDER BY id DESC LIMIT \(RecordingState.loggedLimit)
                )
                UNION ALL
                SELECT e.* FROM merged_logs AS m CROSS JOIN LATERAL (
                    \(logEntries) WHERE user_id = m.former_id
                    ORDER BY id DESC LIMIT \(RecordingState.loggedLimit)
                ) AS e
                WHERE m.user_id = $1
                \(others)
                ORDER BY id DESC LIMIT \(RecordingState.loggedLimit)
            ) AS newest
        ) AS counted
        WHERE bytes <= \(RecordingState.loggedBytes) AND at >= $2 AND at < $3
            AND type IN ('custom', 'purchase', 'session_start')
        """
    }

    /// The newest events of a log that are in another one too; each is looked for as by ``knownEvents``.
    static let repeatedEvents = """
        SELECT e.id, e.type, e.at, e.details FROM (
            \(logEntries) WHERE user_id = $1
            ORDER BY id DESC LIMIT \(MergeState.repeatedLimit)
        ) AS e
        CROSS JOIN LATERAL (SELECT 1 FROM events WHERE user_id = $2 AND id = e.id OFFSET 0) AS o
        """

    /// The events of a user that are in one of the logs, with what conversions depend on; each is looked for as by
    /// ``knownEvents``.
    static let namedEvents = """
        SELECT e.* FROM unnest($2::BYTEA[]) AS k (id) CROSS JOIN LATERAL (
            SELECT id, type, at, details FROM events WHERE user_id = $1 AND id = k.id OFFSET 0
        ) AS e
        UNION ALL
        SELECT e.* FROM merged_logs AS m CROSS JOIN unnest($2::BYTEA[]) AS k (id) CROSS JOIN LATERAL (
            SELECT id, type, at, details FROM events WHERE user_id = m.former_id AND id = k.id OFFSET 0
        ) AS e
        WHERE m.user_id = $1
        UNION ALL
        SELECT id, type, at, details FROM moved_events WHERE user_id = $1 AND id = ANY ($2::BYTEA[])
        """

    /// The newest events of a log that a user has sent before, as is known though another database has them.
    static let repeatedElsewhere = """
        SELECT e.id, e.type, e.at, e.details FROM (
            SELECT id, type, at, details FROM events WHERE user_id = $1
            ORDER BY id DESC LIMIT \(MergeState.repeatedLimit)
        ) AS e
        JOIN moved_events AS v ON v.user_id = $2 AND v.id = e.id
        """

    /// The records of a user's history with the keys whose parts are in three arrays.
    static let namedHistories = """
        \(historyRecords)
        WHERE user_id = $1 AND (part, name, currency) IN (
            SELECT k.part, k.name, k.currency FROM unnest($2::BIGINT[], $3::TEXT[], $4::TEXT[])
                AS k (part, name, currency)
        )
        """

    static let saveHistory = """
        INSERT INTO histories (user_id, part, name, currency, count, first_at, last_at, revenue, recent)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (user_id, part, name, currency) DO UPDATE SET
            count = excluded.count, first_at = excluded.first_at, last_at = excluded.last_at,
            revenue = excluded.revenue, recent = excluded.recent
        """

    /// The number of names of events and products of a user; sessions have none.
    static let countHistory = "SELECT count(*) AS count FROM histories WHERE user_id = $1 AND part <> 4"

    /// The user's cards of a campaign: what happens to one can depend on the others.
    static let campaignCards = """
        SELECT card_id, variant_id, delivered_at, first_viewed_at, viewed, clicked, ended FROM deliveries
        WHERE user_id = $1 AND campaign_id = $2
        """

    static let conversions = """
        SELECT card_id, at, local_day FROM conversions WHERE user_id = $1 AND campaign_id = $2 AND conversion = $3
        """

    static let setConversion = """
        INSERT INTO conversions (user_id, campaign_id, conversion, card_id, at, local_day)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (user_id, campaign_id, conversion, card_id) DO UPDATE SET
            at = excluded.at, local_day = excluded.local_day
        """

    static let deleteConversion = """
        DELETE FROM conversions WHERE user_id = $1 AND campaign_id = $2 AND conversion = $3 AND card_id = $4
        """

    static let spending = """
        SELECT currency, amount, purchases, first_at, counted FROM spending
        WHERE user_id = $1 AND campaign_id = $2 AND conversion = $3
        """

    static let setSpending = """
        INSERT INTO spending (user_id, campaign_id, conversion, currency, amount, purchases, first_at, counted)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (user_id, campaign_id, conversion, currency) DO UPDATE SET
            amount = excluded.amount, purchases = excluded.purchases, first_at = excluded.first_at,
            counted = excluded.counted
        """

    static let deleteSpending = """
        DELETE FROM spending WHERE user_id = $1 AND campaign_id = $2 AND conversion = $3 AND currency = $4
        """

    /// The launched campaigns that have conversions, of which `known` is said elsewhere.
    static let convertingCampaigns = """
        SELECT * FROM campaigns WHERE launched_at IS NOT NULL AND status <> 'archived' AND has_conversions
        """
}
