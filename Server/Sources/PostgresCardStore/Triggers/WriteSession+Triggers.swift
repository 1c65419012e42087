import CardModel
import CardStore

extension WriteSession {
    /// Keeps what a backend sent to users one by one: loads the recipients, and applies what the recorder decides.
    func trigger(_ send: TriggerSend) throws -> TriggerReceipt {
        let users = Set(send.recipients.map(\.user.rawValue)).sorted()
        let rows = try connection.rows(
            SQL.recipients,
            [users, send.trigger.campaign.rawValue, send.trigger.id.rawValue, send.trigger.at]
        )
        var known: [UserID: KnownRecipient] = [:]
        for row in rows {
            known[UserID(rawValue: try row.text("id"))] = KnownRecipient(
                version: try row.integer("version"),
                hasTrigger: try row.flag("has_trigger"),
                load: try row.triggerLoad()
            )
        }
        let writes = recorder.record(send, for: known)
        if writes.isBeyondLimit { throw StoreError.tooManyTriggers }
        for profile in writes.creations { try insertUser(profile, version: 0) }
        for waiting in writes.waiting {
            try insert(waiting.trigger, for: waiting.user, isScheduled: waiting.isScheduled)
            try setVersion(waiting.version, of: waiting.user)
        }
        return writes.receipt
    }

    /// Lets a trigger wait, unless the user has one of that id.
    func insert(_ trigger: Trigger, for user: UserID, isScheduled: Bool = false) throws {
        connection.later(SQL.insertTrigger, trigger.values(for: user) + [isScheduled])
    }

    // MARK: Schedules

    /// A statement without its condition, for a table, whose own parameters begin with `$6`.
    typealias ScheduleChange = (_ table: String) -> (sql: String, values: [any PostgresEncodable])

    /// Changes whatever waits under the id of a scheduled send and is not due yet: a broadcast, users' own triggers, or
    /// both.
    ///
    /// - Returns: Whether anything was changed.
    func changeSchedule(
        _ id: TriggerID,
        of campaign: CampaignID,
        at now: UnixTime,
        _ change: ScheduleChange
    ) throws -> Bool {
        // As `PlannedTime.isDue(by:)` says.
        let isWaiting = """
            campaign_id = $1 AND trigger_id = $2
                AND due_at - due_locally::INTEGER * $4::DOUBLE PRECISION > $3::DOUBLE PRECISION
            """
        let key: [any PostgresEncodable] = [campaign.rawValue, id.rawValue, now, PlannedTime.furthestAhead]
        let (sql, values) = change("broadcasts")
        // `$5` is the user of a trigger, of which a broadcast has none.
        let isBroadcast = "\(sql) WHERE \(isWaiting) AND $5::TEXT IS NULL"
        let changesBroadcast = try connection.execute(isBroadcast, key + [String?.none] + values) > 0
        if changesBroadcast { _ = try advanceCatalog() }
        let isScheduled = "is_scheduled AND outcome IS NULL AND \(isWaiting)"
        // Users first and in order, as all writes lock them.
        let users = try connection.rows(
            """
            SELECT u.id, u.version FROM users AS u
            WHERE u.id IN (SELECT user_id FROM triggers WHERE \(isScheduled)) ORDER BY u.id FOR UPDATE OF u
            """,
            key
        )
        try requireStaying(users.map { UserID(rawValue: try $0.text("id")) })
        var isChanged = changesBroadcast
        for row in users {
            let user = UserID(rawValue: try row.text("id"))
            let (sql, values) = change("triggers")
            let condition = "\(isScheduled) AND user_id = $5"
            guard try connection.execute("\(sql) WHERE \(condition)", key + [user.rawValue] + values) > 0 else {
                continue
            }
            isChanged = true
            try setVersion(KnownUser(version: try row.integer("version")).nextVersion, of: user)
        }
        return isChanged
    }
}

extension PostgresRow {
    /// Reads how much waits for a user, of `SQL.recipients` or `SQL.waitingCount`.
    func triggerLoad() throws -> Trigger.TriggerLoad {
        Trigger.TriggerLoad(count: Int(clamping: try integer("count")), size: Int(clamping: try integer("size")))
    }
}

extension Trigger {
    /// The parameters of a statement that lets a trigger wait.
    func values(for user: UserID) -> [any PostgresEncodable] {
        let due = due.columns
        return [
            user.rawValue, campaign.rawValue, id.rawValue, at, due.seconds, due.isLocal, until, UTF8Text(properties),
        ]
    }
}
