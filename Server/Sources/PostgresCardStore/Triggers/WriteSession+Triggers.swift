import CardModel
import CardStore
import WireJSON

extension WriteSession {
    /// Keeps what a backend sent to users one by one: loads the recipients, and applies what the recorder decides.
    func trigger(_ send: TriggerSend) throws -> TriggerReceipt {
        let users = Set(send.recipients.map(\.user.rawValue)).sorted()
        let rows = try connection.rows(
            SQL.recipients,
            [users, send.trigger.campaign.rawValue, send.trigger.id.rawValue]
        )
        var known: [UserID: KnownRecipient] = [:]
        for row in rows {
            known[UserID(rawValue: try row.text("id"))] = KnownRecipient(
                version: try row.integer("version"),
                hasTrigger: try row.flag("has_trigger")
            )
        }
        let writes = recorder.record(send, for: known)
        for profile in writes.creations { try insertUser(profile, version: 0) }
        for waiting in writes.waiting {
            try insert(waiting.trigger, for: waiting.user)
            try setVersion(waiting.version, of: waiting.user)
        }
        if let schedule = writes.schedule { try insert(schedule) }
        return writes.receipt
    }

    /// Lets a trigger wait, unless the user has one of that id.
    func insert(_ trigger: Trigger, for user: UserID) throws {
        try connection.execute(SQL.insertTrigger, trigger.values(for: user))
    }

    // MARK: Schedules

    /// Keeps who gets a send, and forgets those of sends that can give no card any more.
    private func insert(_ send: TriggerSend) throws {
        let users = JSONValue.array(send.recipients.map { .string($0.user.rawValue) })
        try connection.execute(
            """
            DELETE FROM schedules WHERE (campaign_id, trigger_id) IN (
                SELECT campaign_id, trigger_id FROM schedules WHERE until < $1
                ORDER BY campaign_id, trigger_id FOR UPDATE SKIP LOCKED
            )
            """,
            [send.trigger.at]
        )
        try connection.execute(
            """
            INSERT INTO schedules (campaign_id, trigger_id, users, until) VALUES ($1, $2, $3, $4)
            ON CONFLICT (campaign_id, trigger_id) DO UPDATE SET users = excluded.users, until = excluded.until
            """,
            [send.trigger.campaign.rawValue, send.trigger.id.rawValue, users.text, send.trigger.until]
        )
    }

    private func scheduledUsers(_ id: TriggerID, of campaign: CampaignID) throws -> [UserID] {
        let row = try connection.row(
            "SELECT users FROM schedules WHERE campaign_id = $1 AND trigger_id = $2",
            [campaign.rawValue, id.rawValue]
        )
        guard let row else { return [] }
        guard let users = try? JSONValue(parsing: row.text("users")).array else {
            throw StoreError.unreadable("a schedule")
        }
        return users.compactMap(\.string).map(UserID.init(rawValue:))
    }

    /// A statement without its condition, for a table, whose own parameters begin with `$5`.
    typealias ScheduleChange = (_ table: String) -> (sql: String, values: [any PostgresEncodable])

    /// Changes what waits of a scheduled send and is not due yet.
    ///
    /// - Returns: Whether anything was changed.
    func changeSchedule(
        _ id: TriggerID,
        of campaign: CampaignID,
        at now: UnixTime,
        _ change: ScheduleChange
    ) throws -> Bool {
        // Clocks are up to 14 hours ahead of UTC: there the time of a wall clock comes first.
        let isWaiting = """
            campaign_id = $1 AND trigger_id = $2 AND due_at > $3::DOUBLE PRECISION + due_locally::INTEGER * 50400
            """
        let key: [any PostgresEncodable] = [campaign.rawValue, id.rawValue, now]
        let (sql, values) = change("broadcasts")
        // `$4` is the user of a trigger, of which a broadcast has none.
        let isBroadcast = "\(sql) WHERE \(isWaiting) AND $4::TEXT IS NULL"
        if try connection.execute(isBroadcast, key + [String?.none] + values) > 0 {
            _ = try advanceCatalog()
            return true
        }
        var isChanged = false
        for recipient in try scheduledUsers(id, of: campaign) {
            // A trigger goes with its user to the one that they are merged into.
            let user = try FormerUserRows.identity(of: recipient, self) ?? recipient
            guard let known = try self.user(user) else { continue }
            let (sql, values) = change("triggers")
            let changed = try connection.execute(
                "\(sql) WHERE \(isWaiting) AND user_id = $4 AND outcome IS NULL",
                key + [user.rawValue] + values
            )
            guard changed > 0 else { continue }
            isChanged = true
            // safe: versions go up by one
            try setVersion(known.version + 1, of: user)
        }
        return isChanged
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
