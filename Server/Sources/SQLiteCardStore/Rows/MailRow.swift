import CardModel
import CardStore
import Foundation
import GRDB

/// A message to a member as a row keeps it.
enum MailRow {
    static func count(in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM mails") ?? 0
    }

    static func insert(_ mail: Mail, into database: Database, _ secrets: StoreSecrets) throws {
        let place = SealedColumn.mailContent.place(mail.id)
        let sealed = try secrets.seal(mail.storedContent, for: place, in: database)
        try database.execute(
            sql: """
                INSERT INTO mails
                    (id, recipient, kind, language, sealed_content, created_at, expires_at, next_attempt_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                mail.id, mail.recipient, mail.content.kind, mail.language, Data(sealed), mail.createdAt,
                mail.expiresAt, mail.createdAt,
            ]
        )
    }

    /// Removes the messages of a member whose links to choose a password are void.
    static func removePasswordLinks(of recipient: String, from database: Database) throws {
        for kind in MailContent.passwordKinds {
            try database.execute(
                sql: "DELETE FROM mails WHERE recipient = ? AND kind = ?",
                arguments: [recipient, kind]
            )
        }
    }

    /// Removes what has expired, and returns how much.
    static func removeExpired(at now: UnixTime, from database: Database) throws -> Int {
        try database.execute(sql: "DELETE FROM mails WHERE expires_at <= ?", arguments: [now])
        return database.changesCount
    }

    /// Takes the message for a worker that is due the longest.
    ///
    /// The next attempt of one that a worker has is when its lease ends, by the store's own time.
    static func claim(
        for worker: String,
        seconds: Double,
        at now: UnixTime,
        present: UnixTime,
        in database: Database
    ) throws -> Row? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT * FROM mails
                WHERE next_attempt_at <= max(?1, ?2)
                    AND next_attempt_at <= CASE WHEN worker IS NULL THEN ?1 ELSE ?2 END
                ORDER BY next_attempt_at, id LIMIT 1
                """,
            arguments: [now, present]
        )
        guard let row else { return nil }
        try database.execute(
            sql: "UPDATE mails SET worker = ?, next_attempt_at = ? WHERE id = ?",
            arguments: [worker, present + seconds, try row.text("id")]
        )
        return row
    }

    static func remove(_ id: String, of worker: String, from database: Database) throws -> Bool {
        try database.execute(sql: "DELETE FROM mails WHERE id = ? AND worker = ?", arguments: [id, worker])
        return database.changesCount > 0
    }

    static func postpone(
        _ id: String,
        until time: UnixTime,
        for failure: MailFailure,
        by worker: String,
        in database: Database
    ) throws -> Bool {
        try database.execute(
            sql: """
                UPDATE mails
                SET worker = NULL, next_attempt_at = ?, failures = failures + 1, failure = ?, failed_at = ?
                WHERE id = ? AND worker = ?
                """,
            arguments: [time, failure.reason, failure.at, id, worker]
        )
        return database.changesCount > 0
    }

    static func queue(in database: Database) throws -> MailQueue {
        let counts = try Row.fetchOne(
            database,
            sql: """
                SELECT count(*) AS waiting, min(created_at) AS oldest_at,
                    min(min(next_attempt_at, expires_at)) AS due_at
                FROM mails
                """
        )
        guard let counts else { throw StoreError.unreadable("the messages that wait") }
        let failed = try Row.fetchOne(
            database,
            sql: "SELECT * FROM mails WHERE failed_at IS NOT NULL ORDER BY failed_at DESC, id DESC LIMIT 1"
        )
        return try MailQueue(counts, lastFailure: failed)
    }
}
