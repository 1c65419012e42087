import CardModel

/// The statements of the hot writes, prepared once on the writer's connection.
final class WriteStatements {
    let user: PreparedStatement
    let insertUser: PreparedStatement
    let isFormerUser: PreparedStatement
    let setVersion: PreparedStatement
    let setAttributes: PreparedStatement
    let setDevice: PreparedStatement
    let setLastSeen: PreparedStatement
    let insertDelivery: PreparedStatement
    let endDelivery: PreparedStatement
    let removeCards: PreparedStatement
    let insertTrigger: PreparedStatement
    let coverBroadcast: PreparedStatement
    let waitingCount: PreparedStatement
    let waitingLoad: PreparedStatement
    let hasTrigger: PreparedStatement
    let useTrigger: PreparedStatement
    let waitingTriggers: PreparedStatement
    let openBroadcasts: PreparedStatement
    let card: PreparedStatement
    let markCard: PreparedStatement
    let insertEvent: PreparedStatement
    let touchCard: PreparedStatement
    let generation: PreparedStatement
    let campaignCards: PreparedStatement
    let conversions: PreparedStatement
    let setConversion: PreparedStatement
    let deleteConversion: PreparedStatement
    let spending: PreparedStatement
    let setSpending: PreparedStatement
    let deleteSpending: PreparedStatement
    let loggedEvents: PreparedStatement
    let addConversions: PreparedStatement
    let countedAmount: PreparedStatement
    let addAmounts: PreparedStatement
    let addAllocation: PreparedStatement
    let history: PreparedStatement
    let histories: PreparedStatement
    let repeatedEvents: PreparedStatement
    let updateHistory: PreparedStatement
    let insertHistory: PreparedStatement
    let countHistory: PreparedStatement
    let removeEvent: PreparedStatement
    let hasMergedLogs: PreparedStatement
    let formerIDs: PreparedStatement
    let isLogged: PreparedStatement
    let addUsers: PreparedStatement
    let addCounts: PreparedStatement
    let countProblem: PreparedStatement
    let insertProblem: PreparedStatement
    let settings: PreparedStatement
    let noteWriter: PreparedStatement
    let forgetWriters: PreparedStatement

    init(on connection: OpaquePointer) throws {
        func prepare(_ sql: String) throws(SQLiteError) -> PreparedStatement {
            try PreparedStatement(sql, on: connection)
        }
        user = try prepare(SQL.user)
        insertUser = try prepare(SQL.insertUser)
        isFormerUser = try prepare(SQL.isFormerUser)
        setVersion = try prepare(SQL.setVersion)
        setAttributes = try prepare(SQL.setAttributes)
        setDevice = try prepare(SQL.setDevice)
        setLastSeen = try prepare(SQL.setLastSeen)
        insertDelivery = try prepare(SQL.insertDelivery)
        endDelivery = try prepare(SQL.endDelivery)
        removeCards = try prepare(SQL.removeCards)
        insertTrigger = try prepare(SQL.insertTrigger)
        coverBroadcast = try prepare(SQL.coverBroadcast)
        waitingCount = try prepare(SQL.waitingCount)
        waitingLoad = try prepare(SQL.waitingLoad)
        hasTrigger = try prepare(SQL.hasTrigger)
        useTrigger = try prepare(SQL.useTrigger)
        waitingTriggers = try prepare(SQL.waitingTriggers)
        openBroadcasts = try prepare(SQL.openBroadcasts)
        card = try prepare(SQL.card)
        markCard = try prepare(SQL.markCard)
        insertEvent = try prepare(SQL.insertEvent)
        touchCard = try prepare(SQL.touchCard)
        generation = try prepare(SQL.generation)
        campaignCards = try prepare(SQL.campaignCards)
        conversions = try prepare(SQL.conversions)
        setConversion = try prepare(SQL.setConversion)
        deleteConversion = try prepare(SQL.deleteConversion)
        spending = try prepare(SQL.spending)
        setSpending = try prepare(SQL.setSpending)
        deleteSpending = try prepare(SQL.deleteSpending)
        loggedEvents = try prepare(SQL.loggedEvents)
        addConversions = try prepare(SQL.addConversions)
        countedAmount = try prepare(SQL.countedAmount)
        addAmounts = try prepare(SQL.addAmounts)
        addAllocation = try prepare(SQL.addAllocation)
        history = try prepare(SQL.history)
        histories = try prepare(SQL.histories)
        repeatedEvents = try prepare(SQL.repeatedEvents)
        updateHistory = try prepare(SQL.updateHistory)
        insertHistory = try prepare(SQL.insertHistory)
        countHistory = try prepare(SQL.countHistory)
        removeEvent = try prepare(SQL.removeEvent)
        hasMergedLogs = try prepare(SQL.hasMergedLogs)
        formerIDs = try prepare(SQL.formerIDs)
        isLogged = try prepare(SQL.isLogged)
        addUsers = try prepare(SQL.addUsers)
        addCounts = try prepare(SQL.addCounts)
        countProblem = try prepare(SQL.countProblem)
        insertProblem = try prepare(SQL.insertProblem)
        settings = try prepare(SQL.settings)
        noteWriter = try prepare(SQL.noteWriter)
        forgetWriters = try prepare(SQL.forgetWriters)
    }
}

/// The text of the statements whose speed matters.
enum SQL {
    static let userRevision = "SELECT version, device, last_seen_at, created_at FROM users WHERE id = ?1"

    /// One statement, so that user and cards are of one moment without a transaction around them.
    ///
    /// What is kept of a card may be long, and is left out where no feed shows the card again. The last two columns say
    /// whether there are test cards and triggers that wait, which few users have; the first of the triggers is looked
    /// for, since only the index of those that wait has it in front.
    static let state = """
        SELECT u.version, u.created_at, u.last_seen_at, u.locale, u.time_zone, u.app_version, u.custom, u.standard,
            d.card_id, d.campaign_id, d.ordinal, d.variant_id, d.delivered_at, d.position, d.changed_at,
            d.viewed, d.clicked, d.dismissed, d.ended, d.viewed_at, d.clicked_at, d.dismissed_at, u.first_seen_at,
            d.trigger_id, CASE WHEN d.ended IS NULL AND NOT d.dismissed THEN d.properties END,
            CASE WHEN d.ended IS NULL AND NOT d.dismissed THEN d.rendered END,
            EXISTS (SELECT 1 FROM test_cards WHERE user_id = ?1),
            (SELECT min(at) FROM triggers WHERE user_id = ?1 AND outcome IS NULL) IS NOT NULL
        FROM users AS u LEFT JOIN deliveries AS d ON d.user_id = u.id
        WHERE u.id = ?1
        """

    /// The test cards of a user, for the few who have any.
    static let testCards = """
        SELECT card_id, campaign_id, variant_id, language, members, pinned, priority, sent_at, expires_at,
            viewed, clicked, dismissed, replaced, changed_at
        FROM test_cards WHERE user_id = ?1 ORDER BY sent_at, card_id
        """

    /// The parts of a user's history that the bits of `?2` name.
    static let histories = """
        SELECT part, name, currency, count, first_at, last_at, revenue, recent FROM histories
        WHERE user_id = ?1 AND part & ?2 <> 0
        """

    static let user = """
        SELECT version, last_seen_at, locale, time_zone, app_version, custom, standard, created_at,
            first_seen_at
        FROM users WHERE id = ?1
        """

    static let insertUser = """
        INSERT INTO users
            (id, version, device, last_seen_at, created_at, locale, time_zone, app_version, custom, standard,
             first_seen_at, sample_rank)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, coalesce(?11, ?4), ?12)
        """

    /// Whether a keyed hash is that of a user who was deleted, or merged into another.
    static let isFormerUser = """
        SELECT EXISTS (SELECT 1 FROM erased_users WHERE hash = ?1)
            OR EXISTS (SELECT 1 FROM merged_users WHERE hash = ?1)
        """

    static let setVersion = "UPDATE users SET version = ?2 WHERE id = ?1"
    static let setAttributes = """
        UPDATE users SET version = ?2, custom = ?3, standard = ?4, updated_at = ?5 WHERE id = ?1
        """

    static let setDevice = """
        UPDATE users SET version = ?2, device = ?3, last_seen_at = max(coalesce(last_seen_at, 0), ?4),
            first_seen_at = coalesce(first_seen_at, ?4), locale = ?5, time_zone = ?6, app_version = ?7
        WHERE id = ?1
        """

    static let setLastSeen = """
        UPDATE users SET last_seen_at = ?2, first_seen_at = coalesce(first_seen_at, ?2)
        WHERE id = ?1 AND coalesce(last_seen_at, 0) < ?2
        """

    static let addUsers = "UPDATE store SET user_count = user_count + ?1 WHERE id = 1"

    static let insertDelivery = """
        INSERT INTO deliveries
            (user_id, card_id, campaign_id, ordinal, variant_id, delivered_at, position, changed_at,
             viewed, clicked, dismissed, ended, trigger_id, properties, rendered)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
        """

    static let endDelivery = """
        UPDATE deliveries SET ended = ?3, changed_at = ?4 WHERE user_id = ?1 AND card_id = ?2 AND ended IS NULL
        """

    /// Takes away the cards of a campaign, those that ended for another reason too.
    static let removeCards = """
        UPDATE deliveries SET ended = ?3, changed_at = ?4
        WHERE user_id = ?1 AND campaign_id = ?2 AND ended IS NOT ?3
        """

    static let card = """
        SELECT campaign_id, variant_id, viewed, clicked, dismissed, viewed_at, clicked_at, dismissed_at,
            first_viewed_at
        FROM deliveries WHERE user_id = ?1 AND card_id = ?2
        """

    /// Notes when a card was last seen, clicked and dismissed, and first seen, and what devices are told of it.
    static let markCard = """
        UPDATE deliveries SET viewed_at = ?3, clicked_at = ?4, dismissed_at = ?5, first_viewed_at = ?6,
            viewed = ?7, clicked = ?8, dismissed = ?9, changed_at = ?10
        WHERE user_id = ?1 AND card_id = ?2
        """

    /// Notes when a card was last seen, clicked and dismissed, and first seen, which is nothing that a device is told.
    static let touchCard = """
        UPDATE deliveries SET viewed_at = ?3, clicked_at = ?4, dismissed_at = ?5, first_viewed_at = ?6
        WHERE user_id = ?1 AND card_id = ?2
        """

    static let insertEvent = """
        INSERT INTO events (user_id, id, type, at, received_at, card_id, campaign_id, variant_id, details)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT (user_id, id) DO NOTHING
        """

    static let history = """
        SELECT count, first_at, last_at, revenue, recent FROM histories
        WHERE user_id = ?1 AND part = ?2 AND name = ?3 AND currency = ?4
        """

    static let updateHistory = """
        UPDATE histories SET count = ?5, first_at = ?6, last_at = ?7, revenue = ?8, recent = ?9
        WHERE user_id = ?1 AND part = ?2 AND name = ?3 AND currency = ?4
        """

    static let insertHistory = """
        INSERT INTO histories (user_id, part, name, currency, count, first_at, last_at, revenue, recent)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        """

    /// The number of names of events and products of a user; sessions have none.
    static let countHistory = "SELECT count(*) FROM histories WHERE user_id = ?1 AND part <> 4"

    static let removeEvent = "DELETE FROM events WHERE user_id = ?1 AND id = ?2"

    static let addCounts = """
        INSERT INTO counts
            (campaign_id, utc_day, local_day, variant_id, delivered, impressions, unique_impressions, clicks,
             unique_clicks, dismissals, decode_errors, recipients)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
        ON CONFLICT (campaign_id, utc_day, local_day, variant_id) DO UPDATE SET
            delivered = delivered + excluded.delivered,
            impressions = impressions + excluded.impressions,
            unique_impressions = unique_impressions + excluded.unique_impressions,
            clicks = clicks + excluded.clicks,
            unique_clicks = unique_clicks + excluded.unique_clicks,
            dismissals = dismissals + excluded.dismissals,
            decode_errors = decode_errors + excluded.decode_errors,
            recipients = recipients + excluded.recipients
        """

    static let countProblem = """
        UPDATE problems SET
            count = count + 1, message = CASE WHEN ?5 >= last_at THEN ?6 ELSE message END, last_at = max(last_at, ?5)
        WHERE campaign_id = ?1 AND variant_id = ?2 AND class_type = ?3 AND field = ?4
        """

    /// Adds a problem unless the campaign has as many as it may.
    static let insertProblem = """
        INSERT INTO problems (campaign_id, variant_id, class_type, field, message, count, last_at)
        SELECT ?1, ?2, ?3, ?4, ?6, 1, ?5
        WHERE (SELECT count(*) FROM problems WHERE campaign_id = ?1) < ?7
        """

    static let settings = "SELECT settings FROM store WHERE id = 1"

    static let noteWriter = """
        INSERT INTO writers (id, catalog_changes, user_changes, changed_at) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (id) DO UPDATE SET
            catalog_changes = excluded.catalog_changes, user_changes = excluded.user_changes,
            changed_at = excluded.changed_at
        """

    static let forgetWriters = "DELETE FROM writers WHERE changed_at < ?1"

    static let dataVersion = "PRAGMA data_version"
    static let otherWriters = "SELECT id, catalog_changes, user_changes FROM writers WHERE id <> ?1"
}
