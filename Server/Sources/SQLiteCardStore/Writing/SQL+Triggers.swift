import CardModel

extension SQL {
    /// The triggers that wait for a user and are due by a moment somewhere on Earth; see ``PlannedTime/isDue(by:)``.
    ///
    /// `?3` is ``PlannedTime/furthestAhead``.
    static let dueTriggers = """
        SELECT trigger_id, campaign_id, at, due_at, due_locally, until, properties FROM triggers
        WHERE user_id = ?1 AND outcome IS NULL AND due_at - due_locally * ?3 <= ?2
        ORDER BY at, trigger_id LIMIT 1000
        """

    /// The triggers that wait for a user and are due later, which keep broadcasts of their ID from the user already.
    ///
    /// Apart from what is due, so that it never takes the place of that, and without what templates can read of it.
    static let laterTriggers = """
        SELECT trigger_id, campaign_id, at, due_at, due_locally, until, NULL FROM triggers
        WHERE user_id = ?1 AND outcome IS NULL AND due_at - due_locally * ?3 > ?2
        ORDER BY at, trigger_id LIMIT 1000
        """

    static let insertTrigger = """
        INSERT INTO triggers (user_id, campaign_id, trigger_id, at, due_at, due_locally, until,
            properties, is_scheduled)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT (user_id, campaign_id, trigger_id) DO NOTHING
        """

    /// Lets a trigger wait that keeps a broadcast from a user, in the place of one of that id, if there is one.
    static let coverBroadcast = """
        INSERT INTO triggers (user_id, campaign_id, trigger_id, at, due_at, due_locally, until, properties)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (user_id, campaign_id, trigger_id) DO UPDATE SET
            at = excluded.at, due_at = excluded.due_at, due_locally = excluded.due_locally, until = excluded.until,
            properties = NULL, outcome = NULL, is_scheduled = 0
        """

    /// The number of triggers of a user that wait, and the bytes of their properties; of the limit where there are
    /// more.
    ///
    /// By the index of what waits, which the order asks for: a user may have had any number of triggers.
    static let waitingCount = """
        SELECT count(*), coalesce(sum(size), 0) FROM (
            SELECT length(CAST(properties AS BLOB)) AS size FROM triggers
            WHERE user_id = ?1 AND outcome IS NULL
            ORDER BY at, trigger_id LIMIT \(Trigger.waitingLimit)
        )
        """

    /// The same, of what still waits at a moment and does more than keep a broadcast from the user.
    static let waitingLoad = """
        SELECT count(*), coalesce(sum(size), 0) FROM (
            SELECT length(CAST(properties AS BLOB)) AS size FROM triggers
            WHERE user_id = ?1 AND outcome IS NULL AND until > ?2 AND (due_locally OR due_at <> until)
            ORDER BY at, trigger_id LIMIT \(Trigger.TriggerLoad.limit)
        )
        """

    /// Whether a user has had a trigger, used or not, or was given a card by a broadcast of its id.
    static let hasTrigger = """
        SELECT 1 FROM triggers WHERE user_id = ?1 AND campaign_id = ?2 AND trigger_id = ?3
        UNION ALL SELECT 1 FROM deliveries WHERE user_id = ?1 AND campaign_id = ?2 AND trigger_id = ?3
        """

    /// A trigger that waits no more keeps its id and what became of it, so that it is never taken for a new one.
    static let useTrigger = """
        UPDATE triggers SET outcome = ?4, properties = NULL
        WHERE user_id = ?1 AND campaign_id = ?2 AND trigger_id = ?3 AND (outcome IS NULL OR ?4 = 'delivered')
        """

    /// The columns that say when triggers and broadcasts are due.
    private static let plannedSends = "SELECT trigger_id, at, due_at, due_locally, until"

    /// The triggers of a user that wait, of a campaign.
    static let waitingTriggers = """
        \(plannedSends) FROM triggers
        WHERE user_id = ?1 AND campaign_id = ?2 AND outcome IS NULL
        """

    /// The broadcasts of a campaign that may still give a card, but for those of which a trigger of the user has.
    static let openBroadcasts = """
        \(plannedSends) FROM broadcasts AS b
        WHERE campaign_id = ?2 AND until > ?3 AND NOT EXISTS (
            SELECT 1 FROM triggers AS t
            WHERE t.user_id = ?1 AND t.campaign_id = ?2 AND t.trigger_id = b.trigger_id AND t.outcome = 'delivered'
        )
        """
}
