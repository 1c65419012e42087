import CardModel

extension SQL {
    static let insertTrigger = """
        INSERT INTO triggers (user_id, campaign_id, trigger_id, at, due_at, due_locally, until,
            properties, is_scheduled)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (user_id, campaign_id, trigger_id) DO NOTHING
        """

    /// Lets a trigger wait that keeps a broadcast from a user, in the place of one of that id, if there is one.
    static let coverBroadcast = """
        INSERT INTO triggers (user_id, campaign_id, trigger_id, at, due_at, due_locally, until, properties)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (user_id, campaign_id, trigger_id) DO UPDATE SET
            at = excluded.at, due_at = excluded.due_at, due_locally = excluded.due_locally, until = excluded.until,
            properties = NULL, outcome = NULL, is_scheduled = FALSE
        """

    /// A trigger that waits no more keeps its id and its outcome, so that it is never taken for a new one.
    static let useTrigger = """
        UPDATE triggers SET outcome = $4, properties = NULL
        WHERE user_id = $1 AND campaign_id = $2 AND trigger_id = $3 AND (outcome IS NULL OR $4 = 'delivered')
        """

    /// The number of triggers of a user that wait, and the bytes of their properties; of the limit where there are
    /// more.
    static let waitingCount = """
        SELECT count(*) AS count, coalesce(sum(size), 0) AS size FROM (
            SELECT octet_length(properties) AS size FROM triggers
            WHERE user_id = $1 AND outcome IS NULL LIMIT \(Trigger.waitingLimit)
        ) AS waiting
        """

    /// The columns that say when triggers and broadcasts are due.
    private static let plannedSends = "SELECT trigger_id, at, due_at, due_locally, until"

    /// The triggers of a user that wait, of a campaign.
    static let waitingTriggers = """
        \(plannedSends) FROM triggers
        WHERE user_id = $1 AND campaign_id = $2 AND outcome IS NULL
        """

    /// The broadcasts of a campaign that may still give a card, but for those of which a trigger of the user has.
    static let openBroadcasts = """
        \(plannedSends) FROM broadcasts AS b
        WHERE campaign_id = $2 AND until > $3 AND NOT EXISTS (
            SELECT 1 FROM triggers AS t
            WHERE t.user_id = $1 AND t.campaign_id = $2 AND t.trigger_id = b.trigger_id AND t.outcome = 'delivered'
        )
        """

    /// Locks the recipients of a send, with whether each has had the trigger, used or not, or was given a card by a
    /// broadcast of its id, and how much waits for each at a moment and does more than keep a broadcast from them.
    static let recipients = """
        SELECT u.id, u.version, waiting.count, waiting.size, EXISTS (
            SELECT 1 FROM triggers AS t WHERE t.user_id = u.id AND t.campaign_id = $2 AND t.trigger_id = $3
        ) OR EXISTS (
            SELECT 1 FROM deliveries AS d WHERE d.user_id = u.id AND d.campaign_id = $2 AND d.trigger_id = $3
        ) AS has_trigger
        FROM users AS u CROSS JOIN LATERAL (
            SELECT count(*) AS count, coalesce(sum(size), 0) AS size FROM (
                SELECT octet_length(w.properties) AS size FROM triggers AS w
                WHERE w.user_id = u.id AND w.outcome IS NULL AND w.until > $4 AND (w.due_locally OR w.due_at <> w.until)
                LIMIT \(Trigger.TriggerLoad.limit)
            ) AS sizes
        ) AS waiting
        WHERE u.id = ANY ($1) ORDER BY u.id FOR UPDATE OF u
        """

    static let pastTriggers = """
        SELECT trigger_id, at, outcome FROM triggers
        WHERE user_id = $1 AND campaign_id = $2 AND outcome IS NOT NULL
        ORDER BY at DESC, trigger_id LIMIT $3
        """

    static let lastTriggers = """
        SELECT DISTINCT ON (campaign_id) campaign_id, trigger_id, at, outcome FROM triggers
        WHERE user_id = $1 AND outcome IS NOT NULL
        ORDER BY campaign_id, at DESC, trigger_id
        """
}
