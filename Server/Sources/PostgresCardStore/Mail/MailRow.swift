import CardModel
import CardStore

/// A message to a member as a row holds it.
enum MailRow {
    static func count(in connection: PostgresConnection) throws -> Int {
        try connection.row("SELECT count(*) AS waiting FROM mails")?.count("waiting") ?? 0
    }

    static func insert(_ mail: Mail, into connection: PostgresConnection, _ secrets: StoreSecrets) throws {
        let place = SealedColumn.mailContent.place(mail.id)
        let sealed = try secrets.seal(mail.storedContent, for: place, in: connection)
        try connection.execute(
            """
            INSERT INTO mails (id, recipient, kind, language, sealed_content, created_at, expires_at, next_attempt_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $6)
            """,
            [
                mail.id, mail.recipient, mail.content.kind, mail.language, sealed, mail.createdAt,
                mail.expiresAt,
            ]
        )
    }

    /// Removes the messages of a member whose links to choose a password are void.
    static func removePasswordLinks(of recipient: String, from connection: PostgresConnection) throws {
        try connection.execute(
            "DELETE FROM mails WHERE recipient = $1 AND kind = ANY ($2)",
            [recipient, MailContent.passwordKinds]
        )
    }

    /// Removes what has expired, and returns how much; rows that another node works with are left to it.
    static func removeExpired(at now: UnixTime, from connection: PostgresConnection) throws -> Int {
        try connection.execute(
            "DELETE FROM mails WHERE id IN (SELECT id FROM mails WHERE expires_at <= $1 FOR UPDATE SKIP LOCKED)",
            [now]
        )
    }

    /// Takes the message for a worker that is due the longest, of those that no other node is about to take.
    ///
    /// The next attempt of one that a worker has is when its lease ends, by the time of the database server.
    static func claim(
        for worker: String,
        seconds: Double,
        at now: UnixTime,
        in connection: PostgresConnection
    ) throws -> PostgresRow? {
        try connection.changing(
            """
            UPDATE mails SET worker = $1, next_attempt_at = extract(epoch FROM clock_timestamp()) + $2
            WHERE id = (
                SELECT id FROM mails
                WHERE expires_at > $3::DOUBLE PRECISION
                    AND next_attempt_at <= greatest($3::DOUBLE PRECISION, \(present))
                    AND next_attempt_at <= CASE WHEN worker IS NULL THEN $3::DOUBLE PRECISION ELSE \(present) END
                ORDER BY next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
            )
            RETURNING *
            """,
            [worker, seconds, now]
        ).first
    }

    /// The time of the database server, the same for all rows of a statement.
    private static let present = "extract(epoch FROM statement_timestamp())::DOUBLE PRECISION"

    static func queue(in connection: PostgresConnection) throws -> MailQueue {
        let counts = try connection.row(
            """
            SELECT count(*) AS waiting, min(created_at) AS oldest_at,
                min(least(next_attempt_at, expires_at)) AS due_at
            FROM mails
            """
        )
        guard let counts else { throw StoreError.unreadable("the messages that wait") }
        let failed = try connection.row(
            "SELECT * FROM mails WHERE failed_at IS NOT NULL ORDER BY failed_at DESC, id DESC LIMIT 1"
        )
        return try MailQueue(counts, lastFailure: failed)
    }
}
