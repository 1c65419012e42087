public import CardModel
public import CardStore
import GRDB

extension SQLiteCardStore {
    /// Reads the log of events from after a position on.
    public func eventPage(after position: Int64, _ filter: EventFilter, limit: Int) async throws -> EventPage {
        let limit = PageLimit.clamp(limit)
        return try await read { database in
            let (first, last) = (try EventLog.start(after: position, database), try EventLog.end(database))
            let range = EventLogRange(after: position, filter, first: first ?? last, last: last)
            let rows = try EventLog.fetch(
                after: range.start,
                through: range.searchedTo,
                filter,
                limit: limit,
                in: database
            )
            return range.page(of: rows, limit: limit)
        }
    }

    /// Reads the webhook and how far it is, or returns `nil` where there is none.
    public func webhookState() async throws -> WebhookState? {
        let secrets = secrets
        return try await read { try WebhookRow.find(in: $0, secrets) }
    }

    /// Sets the webhook up, or removes it where it is `nil`.
    public func saveWebhook(
        _ webhook: Webhook?,
        inPlaceOf expected: ExpectedWebhook,
        after position: Int64?,
        at now: UnixTime,
        by actor: Actor
    ) async throws {
        try await writer.write { session in
            if expected != .any {
                try expected.check(WebhookRow.find(in: session.database, session.secrets)?.webhook)
            }
            try session.save(webhook, after: position, at: now, by: actor)
        }
    }

    /// Gives the webhook another secret.
    public func setWebhookSecret(_ secret: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.write { try $0.setWebhookSecret(secret, at: now, by: actor) }
    }

    /// Leases the webhook to a worker.
    public func claimWebhook(for worker: String, seconds: Double) async throws -> WebhookState? {
        try await writer.write { session in
            let now = session.now()
            try session.database.execute(
                sql: """
                    UPDATE webhooks SET worker = ?1, worker_until = ?2
                    WHERE id = 1 AND (worker IS NULL OR worker = ?1 OR worker_until <= ?3)
                    """,
                arguments: [worker, now + seconds, now]
            )
            return session.database.changesCount > 0 ? try WebhookRow.find(in: session.database, session.secrets) : nil
        }
    }

    /// Keeps how far a worker has come, unless another one has the webhook by now or it was set up again.
    public func saveWebhookProgress(
        _ progress: WebhookProgress,
        noticesThrough position: Int64?,
        of webhook: Webhook,
        by worker: String
    ) async throws -> Bool {
        try await writer.write { session in
            guard try WebhookRow.update(progress, of: webhook, by: worker, in: session.database) else { return false }
            if let position { try WebhookNoticeRow.remove(through: position, from: session.database) }
            return true
        }
    }

    /// Reads the notices that the webhook has not got yet.
    public func webhookNotices(limit: Int) async throws -> [WebhookNotice] {
        try await read { try WebhookNoticeRow.fetch(limit: PageLimit.clamp(limit), in: $0) }
    }

    /// Reads how long events and notices wait for the webhook.
    public func webhookQueue() async throws -> WebhookQueue? { try await read { try WebhookRow.queue(in: $0) } }
}

extension WriteSession {
    fileprivate func setWebhookSecret(_ secret: String, at now: UnixTime, by actor: Actor) throws -> Bool {
        guard try WebhookRow.position(in: database) != nil else { return false }
        try WebhookRow.setSecret(secret, in: database, secrets)
        try audit("webhook.rotate", of: "webhook", at: now, by: actor)
        return true
    }

    fileprivate func save(_ webhook: Webhook?, after position: Int64?, at now: UnixTime, by actor: Actor) throws {
        let known = try WebhookRow.position(in: database)
        try WebhookNoticeRow.remove(unwantedBy: webhook, from: database)
        guard let webhook else {
            guard known != nil else { return }
            try database.execute(sql: "DELETE FROM webhooks")
            return try audit("webhook.delete", of: "webhook", at: now, by: actor)
        }
        let start = try position ?? known ?? EventLog.end(database)
        let state = WebhookState(webhook: webhook, progress: WebhookProgress(position: start))
        try WebhookRow.insert(state, into: database, secrets)
        try audit("webhook.save", of: "webhook", at: now, by: actor)
    }
}

/// The log of events, read by position.
enum EventLog {
    static func fetch(
        after position: Int64,
        through end: Int64,
        _ filter: EventFilter,
        limit: Int,
        in database: Database
    ) throws -> EventRows {
        var conditions = ["position > ? AND position <= ?"]
        var arguments: StatementArguments = [position, end]
        if !filter.types.isEmpty {
            conditions.append("type IN (\(filter.types.map { _ in "?" }.joined(separator: ", ")))")
            arguments += StatementArguments(filter.types.sorted())
        }
        if let campaign = filter.campaign {
            conditions.append("campaign_id = ?")
            arguments += [campaign.rawValue]
        }
        if let from = filter.from {
            conditions.append("at >= ?")
            arguments += [from]
        }
        if let until = filter.until {
            conditions.append("at < ?")
            arguments += [until]
        }
        let rows = try Row.fetchAll(
            database,
            sql: "\(MergedLogRow.events()) WHERE \(conditions.joined(separator: " AND ")) ORDER BY position LIMIT ?",
            arguments: arguments + [limit]
        )
        return try EventRows(rows)
    }

    /// The position before the next event that is still there, or `nil` where none is.
    static func start(after position: Int64, _ database: Database) throws -> Int64? {
        try Int64.fetchOne(
            database,
            sql: "SELECT min(position) - 1 FROM events WHERE position > ?",
            arguments: [position]
        )
    }

    /// The last position that was given out, also where its event was forgotten since.
    static func end(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'events'") ?? 0
    }
}
