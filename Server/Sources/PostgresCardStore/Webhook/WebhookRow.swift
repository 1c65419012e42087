import CardModel
import CardStore

/// The webhook as its only row holds it.
enum WebhookRow {
    static func find(in connection: PostgresConnection, _ secrets: StoreSecrets) throws -> WebhookState? {
        let row = try connection.row(
            "SELECT *, (SELECT count(*) FROM webhook_notices) AS pending_notices FROM webhooks WHERE id = 1"
        )
        guard let row else { return nil }
        var state = try WebhookState(row, secrets)
        state.pendingNotices = try row.integer("pending_notices")
        return state
    }

    /// Returns the time for which events and notices wait, or `nil` where there is no webhook.
    static func queue(in connection: PostgresConnection) throws -> WebhookQueue? {
        let row = try connection.row(
            """
            SELECT failures,
                (SELECT e.received_at FROM events AS e WHERE e.position > webhooks.position
                    ORDER BY e.position LIMIT 1) AS event_at,
                (SELECT n.at FROM webhook_notices AS n ORDER BY n.position LIMIT 1) AS notice_at
            FROM webhooks WHERE id = 1
            """
        )
        guard let row else { return nil }
        let times = [try row.optionalDouble("event_at"), try row.optionalDouble("notice_at")]
        return WebhookQueue(
            failures: Int(clamping: try row.integer("failures")),
            oldestAt: times.compactMap(\.self).min()
        )
    }

    /// Returns how far the webhook is, or `nil` where there is none: in the index of all databases' logs where there
    /// are several.
    static func place(in connection: PostgresConnection) throws -> WebhookPlace? {
        let row = try connection.row(
            """
            SELECT position, failures,
                (SELECT n.at FROM webhook_notices AS n ORDER BY n.position LIMIT 1) AS notice_at
            FROM webhooks WHERE id = 1
            """
        )
        guard let row else { return nil }
        return WebhookPlace(
            position: try row.integer("position"),
            failures: Int(clamping: try row.integer("failures")),
            noticeAt: try row.optionalDouble("notice_at")
        )
    }

    /// The position up to which the webhook has what it asked for, or `nil` where there is none.
    ///
    /// Other nodes don't change the webhook until the commit.
    static func lockPosition(in connection: PostgresConnection) throws -> Int64? {
        try connection.row("SELECT position FROM webhooks WHERE id = 1 FOR UPDATE")?.integer("position")
    }

    static func setSecret(_ secret: String, in connection: PostgresConnection, _ secrets: StoreSecrets) throws {
        let place = SealedColumn.webhookSecret.place("1")
        let sealed = try secrets.seal(Array(secret.utf8), for: place, in: connection)
        try connection.execute("UPDATE webhooks SET sealed_secret = $1 WHERE id = 1", [sealed])
    }

    /// Writes a webhook that no worker has.
    static func save(_ state: WebhookState, in connection: PostgresConnection, _ secrets: StoreSecrets) throws {
        let place = SealedColumn.webhookSecret.place("1")
        let sealed = try secrets.seal(Array(state.webhook.secret.utf8), for: place, in: connection)
        try connection.execute("DELETE FROM webhooks WHERE id = 1")
        try connection.execute(
            """
            INSERT INTO webhooks
                (id, url, sealed_secret, types, created_at, position, failures, next_attempt_at, last_success_at,
                 last_failure_at, last_failure)
            VALUES (1, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            [state.webhook.url, sealed, state.webhook.storedTypes, state.webhook.createdAt]
                + values(of: state.progress)
        )
    }

    /// Takes the webhook for a worker by the time of the database server, and returns whether no other one has it.
    static func claim(for worker: String, seconds: Double, in connection: PostgresConnection) throws -> Bool {
        try connection.execute(
            """
            UPDATE webhooks SET worker = $1, worker_until = extract(epoch FROM clock_timestamp()) + $2
            WHERE id = 1 AND (
                worker IS NULL OR worker = $1 OR worker_until <= extract(epoch FROM clock_timestamp())
            )
            """,
            [worker, seconds]
        ) > 0
    }

    /// Saves progress where the row is still the worker's and the webhook's.
    static func update(
        _ progress: WebhookProgress,
        of webhook: Webhook,
        by worker: String,
        in connection: PostgresConnection
    ) throws -> Bool {
        try connection.execute(
            """
            UPDATE webhooks SET
                position = $4, failures = $5, next_attempt_at = $6, last_success_at = $7, last_failure_at = $8,
                last_failure = $9
            WHERE id = 1 AND worker = $1 AND url = $2 AND created_at = $3
            """,
            [worker, webhook.url, webhook.createdAt] + values(of: progress)
        ) > 0
    }

    private static func values(of progress: WebhookProgress) -> [any PostgresEncodable] {
        [
            progress.position, progress.failures, progress.nextAttemptAt, progress.lastSuccessAt,
            progress.lastFailureAt, progress.lastFailure,
        ]
    }
}
