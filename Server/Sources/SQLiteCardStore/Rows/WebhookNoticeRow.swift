import CardModel
import CardStore
import Foundation
import GRDB
import WireJSON

/// The notices that the webhook has not got yet.
///
/// A notice is written in the transaction that it is about and removed in the one that keeps the receiver's answer. The
/// id of a user who was deleted stays until then, and where there is no webhook that wants it, not at all.
enum WebhookNoticeRow {
    static func fetch(limit: Int, in database: Database) throws -> [WebhookNotice] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM webhook_notices ORDER BY position LIMIT ?",
            arguments: [limit]
        ).map(WebhookNotice.init)
    }

    /// Returns the number of notices that wait.
    static func count(in database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT count(*) FROM webhook_notices") ?? 0
    }

    /// Keeps a notice where the webhook asks for its kind.
    ///
    /// - Parameters:
    ///   - notice: The notice.
    ///   - user: The user.
    ///   - database: The database, within the transaction of the change.
    /// - Throws: What keeps the database from writing.
    static func insert(_ notice: UserEnd.Notice, about user: UserID, into database: Database) throws {
        try insert(
            WebhookNotice(notice.kind, about: .user(user), details: notice.details, at: notice.at),
            into: database
        )
    }

    /// Keeps a notice where the webhook asks for its kind.
    static func insert(_ notice: WebhookNotice, into database: Database) throws {
        guard let types = try WebhookRow.types(in: database), Webhook.sends(notice.kind, amongTypes: types) else {
            return
        }
        try database.execute(
            sql: "INSERT INTO webhook_notices (id, kind, subject, details, at) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                Data(notice.id.bytes), notice.kind.rawValue, notice.subject.text, notice.details.text, notice.at,
            ]
        )
        try dropOldest(in: database)
    }

    /// Removes what the receiver has.
    static func remove(through position: Int64, from database: Database) throws {
        try database.execute(sql: "DELETE FROM webhook_notices WHERE position <= ?", arguments: [position])
    }

    /// Removes what the webhook doesn't ask for, all where it is `nil`.
    static func remove(unwantedBy webhook: Webhook?, from database: Database) throws {
        for kind in WebhookNotice.NoticeKind.allCases {
            if let webhook, Webhook.sends(kind, amongTypes: webhook.types) { continue }
            try database.execute(sql: "DELETE FROM webhook_notices WHERE kind = ?", arguments: [kind.rawValue])
        }
    }

    private static func dropOldest(in database: Database) throws {
        // Numbers may be missing but never repeat, so few numbers are few notices, and the rest is seldom counted.
        let span = try Int64.fetchOne(database, sql: "SELECT max(position) - min(position) FROM webhook_notices") ?? 0
        guard span >= WebhookNotice.limit else { return }
        try database.execute(
            sql: """
                DELETE FROM webhook_notices WHERE position <=
                    (SELECT position FROM webhook_notices ORDER BY position DESC LIMIT 1 OFFSET ?)
                """,
            arguments: [WebhookNotice.limit]
        )
        let dropped = database.changesCount
        guard dropped > 0 else { return }
        try database.execute(
            sql: "UPDATE webhooks SET dropped_notices = dropped_notices + ?",
            arguments: [dropped]
        )
    }
}
