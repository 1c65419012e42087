/// The statements whose speed matters; tests check how each is planned.
enum SQL {
    static let userRevision = "SELECT version, device, last_seen_at, created_at FROM users WHERE id = $1"

    /// The same of several users, who ask at the same time.
    static let userRevisions = """
        SELECT id, version, device, last_seen_at, created_at FROM users WHERE id = ANY ($1)
        """

    /// One statement, so that user and cards are of one moment.
    ///
    /// What is long of the user comes with the first row only, and what is kept of a card only where a feed may show it
    /// again.
    static let state = """
        SELECT u.version, u.created_at, u.last_seen_at, u.first_seen_at, u.locale, u.time_zone, u.app_version,
            CASE WHEN row_number() OVER () = 1 THEN u.custom END AS custom,
            CASE WHEN row_number() OVER () = 1 THEN u.standard END AS standard,
            d.card_id, d.campaign_id, d.ordinal, d.variant_id, d.delivered_at, d.position, d.changed_at,
            d.viewed, d.clicked, d.dismissed, d.ended, d.viewed_at, d.clicked_at, d.dismissed_at,
            d.trigger_id, CASE WHEN d.ended IS NULL AND NOT d.dismissed THEN d.properties END AS properties,
            CASE WHEN d.ended IS NULL AND NOT d.dismissed THEN d.rendered END AS rendered,
            EXISTS (SELECT 1 FROM test_cards WHERE user_id = $1) AS has_test_cards,
            EXISTS (SELECT 1 FROM triggers WHERE user_id = $1 AND outcome IS NULL) AS has_triggers
        FROM users AS u LEFT JOIN deliveries AS d ON d.user_id = u.id
        WHERE u.id = $1
        """

    static let testCards = "SELECT * FROM test_cards WHERE user_id = $1 ORDER BY sent_at, card_id"

    /// The records of histories, of which other statements say whose.
    static let historyRecords = """
        SELECT part, name, currency, count, first_at, last_at, revenue, recent FROM histories
        """

    /// The parts of a user's history that the bits of `$2` name.
    static let histories = """
        \(historyRecords)
        WHERE user_id = $1 AND part & $2 <> 0
        """

    /// The triggers that wait for a user: first those that are due by a moment somewhere on Earth, as
    /// ``PlannedTime/isDue(by:)`` says, then those that keep broadcasts of their id from the user already.
    ///
    /// `$3` is ``PlannedTime/furthestAhead``.
    ///
    /// So that what is due later never takes the place of what is due. What templates can read of it stays where it is.
    static let triggers = """
        (SELECT trigger_id, campaign_id, at, due_at, due_locally, until, properties FROM triggers
        WHERE user_id = $1 AND outcome IS NULL
            AND due_at - due_locally::INTEGER * $3::DOUBLE PRECISION <= $2::DOUBLE PRECISION
        ORDER BY at, trigger_id LIMIT 1000)
        UNION ALL
        (SELECT trigger_id, campaign_id, at, due_at, due_locally, until, NULL FROM triggers
        WHERE user_id = $1 AND outcome IS NULL
            AND due_at - due_locally::INTEGER * $3::DOUBLE PRECISION > $2::DOUBLE PRECISION
        ORDER BY at, trigger_id LIMIT 1000)
        """

    static let userEvents = """
        \(MergedLogRow.events) WHERE e.user_id = ANY \(MergedLogRow.ids(of: "$1"))
        ORDER BY position DESC LIMIT $2
        """

    /// Reads a user and keeps others from changing them until the transaction ends.
    static let user = """
        SELECT version, last_seen_at, locale, time_zone, app_version, custom, standard, created_at, first_seen_at
        FROM users WHERE id = $1 FOR UPDATE
        """

    static let insertUser = """
        INSERT INTO users
            (id, version, device, last_seen_at, created_at, locale, time_zone, app_version, custom, standard,
             first_seen_at, sample_rank, email, folded_email, phone, folded)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce($11, $4), $12, $13, $14, $15, $16)
        """

    static let setVersion = "UPDATE users SET version = $2 WHERE id = $1"

    static let setAttributes = """
        UPDATE users SET version = $2, custom = $3, standard = $4, updated_at = $5, email = $6, folded_email = $7,
            phone = $8, folded = $9
        WHERE id = $1
        """

    static let setDevice = """
        UPDATE users SET version = $2, device = $3, last_seen_at = greatest(coalesce(last_seen_at, 0), $4),
            first_seen_at = coalesce(first_seen_at, $4), locale = $5, time_zone = $6, app_version = $7
        WHERE id = $1
        """

    static let setLastSeen = """
        UPDATE users SET last_seen_at = $2, first_seen_at = coalesce(first_seen_at, $2)
        WHERE id = $1 AND coalesce(last_seen_at, 0) < $2
        """

    static let insertDelivery = """
        INSERT INTO deliveries
            (user_id, card_id, campaign_id, ordinal, variant_id, delivered_at, position, changed_at,
             viewed, clicked, dismissed, ended, trigger_id, properties, rendered)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
        """

    /// The same of several cards of a user.
    static let insertDeliveries = """
        INSERT INTO deliveries
            (user_id, card_id, campaign_id, ordinal, variant_id, delivered_at, position, changed_at,
             viewed, clicked, dismissed, ended, trigger_id, properties, rendered)
        SELECT $1, c.*
        FROM unnest(
            $2::TEXT[], $3::TEXT[], $4::BIGINT[], $5::TEXT[], $6::DOUBLE PRECISION[], $7::BIGINT[], $8::BIGINT[],
            $9::BOOLEAN[], $10::BOOLEAN[], $11::BOOLEAN[], $12::TEXT[], $13::TEXT[], $14::TEXT[], $15::TEXT[]
        ) AS c
        """

    static let endDelivery = """
        UPDATE deliveries SET ended = $3, changed_at = $4 WHERE user_id = $1 AND card_id = $2 AND ended IS NULL
        """

    /// Takes away the cards of a campaign, those that ended for another reason too.
    static let removeCards = """
        UPDATE deliveries SET ended = $3, changed_at = $4
        WHERE user_id = $1 AND campaign_id = $2 AND ended IS DISTINCT FROM $3
        """

    /// The cards that events are about, and the user's others of their campaigns.
    static let cards = """
        SELECT campaign_id, variant_id, viewed, clicked, dismissed, viewed_at, clicked_at, dismissed_at,
            first_viewed_at, card_id, delivered_at, ended, card_id = ANY ($2) AS is_named
        FROM deliveries WHERE user_id = $1 AND campaign_id IN (
            SELECT campaign_id FROM deliveries WHERE user_id = $1 AND card_id = ANY ($2)
        )
        """

    /// Notes when a card was last seen, clicked and dismissed, and first seen, and what devices are told of it.
    static let markCard = """
        UPDATE deliveries SET viewed_at = $3, clicked_at = $4, dismissed_at = $5, first_viewed_at = $6,
            viewed = $7, clicked = $8, dismissed = $9, changed_at = $10
        WHERE user_id = $1 AND card_id = $2
        """

    /// Notes when a card was last seen, clicked and dismissed, and first seen, which is nothing that a device is told.
    static let touchCard = """
        UPDATE deliveries SET viewed_at = $3, clicked_at = $4, dismissed_at = $5, first_viewed_at = $6
        WHERE user_id = $1 AND card_id = $2
        """

    /// The same as ``markCard`` of several cards of a user, each of which is named once.
    static let markCards = """
        UPDATE deliveries AS d SET viewed_at = c.viewed_at, clicked_at = c.clicked_at, dismissed_at = c.dismissed_at,
            first_viewed_at = c.first_viewed_at, viewed = c.viewed, clicked = c.clicked, dismissed = c.dismissed,
            changed_at = $10
        FROM unnest(
            $2::TEXT[], $3::DOUBLE PRECISION[], $4::DOUBLE PRECISION[], $5::DOUBLE PRECISION[],
            $6::DOUBLE PRECISION[], $7::BOOLEAN[], $8::BOOLEAN[], $9::BOOLEAN[]
        ) AS c (card_id, viewed_at, clicked_at, dismissed_at, first_viewed_at, viewed, clicked, dismissed)
        WHERE d.user_id = $1 AND d.card_id = c.card_id
        """

    /// The same as ``touchCard`` of several cards of a user, each of which is named once.
    static let touchCards = """
        UPDATE deliveries AS d SET viewed_at = c.viewed_at, clicked_at = c.clicked_at, dismissed_at = c.dismissed_at,
            first_viewed_at = c.first_viewed_at
        FROM unnest(
            $2::TEXT[], $3::DOUBLE PRECISION[], $4::DOUBLE PRECISION[], $5::DOUBLE PRECISION[], $6::DOUBLE PRECISION[]
        ) AS c (card_id, viewed_at, clicked_at, dismissed_at, first_viewed_at)
        WHERE d.user_id = $1 AND d.card_id = c.card_id
        """

    static let markTestCard = """
        UPDATE test_cards SET viewed = $3, clicked = $4, dismissed = $5, changed_at = $6
        WHERE user_id = $1 AND card_id = $2
        """
}
