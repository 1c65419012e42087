import CardModel
import CardStore
import Foundation
import GRDB

/// The webhook as its only row keeps it.
enum WebhookRow {
    static func find(in database: Database, _ secrets: StoreSecrets) throws -> WebhookState? {
        guard let row = try Row.fetchOne(database, sql: "SELECT * FROM webhooks WHERE id = 1") else { return nil }
        var state = try WebhookState(row, readable: row.text("secret"), secrets)
        state.pendingNotices = try WebhookNoticeRow.count(in: database)
        return state
    }

    /// Returns the time for which events and notices wait, or `nil` where there is no webhook.
    static func queue(in database: Database) throws -> WebhookQueue? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT failures,
                    (SELECT CAST(received_at AS REAL) FROM events
                        WHERE position > webhooks.position ORDER BY position LIMIT 1) AS event_at,
                    (SELECT CAST(at AS REAL) FROM webhook_notices ORDER BY position LIMIT 1) AS notice_at
                FROM webhooks WHERE id = 1
                """
        )
        guard let row else { return nil }
        let times = [try row.optionalDouble("event_at"), try row.optionalDouble("notice_at")]
        return WebhookQueue(failures: try row.count("failures"), oldestAt: times.compactMap(\.self).min())
    }

    /// The position up to which the webhook has what it asked for, or `nil` where there is none.
    static func position(in database: Database) throws -> Int64? {
        try Int64.fetchOne(database, sql: "SELECT position FROM webhooks WHERE id = 1")
    }

    /// The types that the webhook asks for, or `nil` where there is none.
    static func types(in database: Database) throws -> Set<String>? {
        try String.fetchOne(database.cachedStatement(sql: "SELECT types FROM webhooks WHERE id = 1")).map(Webhook.types)
    }

    static func setSecret(_ secret: String, in database: Database, _ secrets: StoreSecrets) throws {
        let place = SealedColumn.webhookSecret.place("1")
        let sealed = Data(try secrets.seal(Array(secret.utf8), for: place, in: database))
        try database.execute(sql: "UPDATE webhooks SET secret = '', sealed_secret = ?", arguments: [sealed])
    }

    static func insert(_ state: WebhookState, into database: Database, _ secrets: StoreSecrets) throws {
        let place = SealedColumn.webhookSecret.place("1")
        let sealed = Data(try secrets.seal(Array(state.webhook.secret.utf8), for: place, in: database))
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO webhooks
                    (id, url, secret, sealed_secret, types, created_at, position, failures, \
                    next_attempt_at, last_success_at,
                     last_failure_at, last_failure)
                VALUES (1, ?, '', ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                state.webhook.url, sealed, state.webhook.storedTypes,
                state.webhook.createdAt,
            ] + arguments(of: state.progress)
        )
    }

    /// Keeps progress where the row is still the worker's and the webhook's.
    static func update(
        _ progress: WebhookProgress,
        of webhook: Webhook,
        by worker: String,
        in database: Database
    ) throws -> Bool {
        try database.execute(
            sql: """
                UPDATE webhooks SET
                    position = ?, failures = ?, next_attempt_at = ?, last_success_at = ?, last_failure_at = ?,
                    last_failure = ?
                WHERE id = 1 AND worker = ? AND url = ? AND created_at = ?
                """,
            arguments: arguments(of: progress) + [worker, webhook.url, webhook.createdAt]
        )
        return database.changesCount > 0
    }

    private static func arguments(of progress: WebhookProgress) -> StatementArguments {
        [
            progress.position, progress.failures, progress.nextAttemptAt, progress.lastSuccessAt,
            progress.lastFailureAt, progress.lastFailure,
        ]
    }
}
