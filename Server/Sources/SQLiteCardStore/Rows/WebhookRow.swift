import CardModel
import CardStore
import GRDB

/// The webhook as its only row keeps it.
enum WebhookRow {
    static func find(in database: Database) throws -> WebhookState? {
        try Row.fetchOne(database, sql: "SELECT * FROM webhooks WHERE id = 1").map(WebhookState.init)
    }

    static func insert(_ state: WebhookState, into database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO webhooks
                    (id, url, secret, types, created_at, position, failures, next_attempt_at, last_success_at,
                     last_failure_at, last_failure)
                VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                state.webhook.url, state.webhook.secret, state.webhook.types.sorted().joined(separator: ","),
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

extension WebhookState {
    fileprivate init(_ row: Row) {
        let types: String = row["types"]
        var progress = WebhookProgress(position: row["position"])
        progress.failures = row["failures"]
        progress.nextAttemptAt = row["next_attempt_at"]
        progress.lastSuccessAt = row["last_success_at"]
        progress.lastFailureAt = row["last_failure_at"]
        progress.lastFailure = row["last_failure"]
        self.init(
            webhook: Webhook(
                url: row["url"],
                secret: row["secret"],
                types: Set(types.split(separator: ",").map(String.init)),
                createdAt: row["created_at"]
            ),
            progress: progress
        )
    }
}
