import CardModel
import CardStore
import Foundation
import GRDB

/// The browsers in which members are signed in.
enum SessionRows {
    static func find(_ hash: [UInt8], in database: Database) throws -> Session? {
        try Row.fetchOne(database, sql: "SELECT * FROM sessions WHERE hash = ?", arguments: [Data(hash)])
            .map(Session.init)
    }

    static func all(of email: String, at now: UnixTime, in database: Database) throws -> [Session] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM sessions WHERE email = ? AND expires_at > ? ORDER BY last_used_at DESC, hash",
            arguments: [email, now]
        ).map(Session.init)
    }

    static func insert(_ session: Session, into database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO sessions
                    (hash, email, form_key, created_at, expires_at, last_used_at, confirmed_at, address, browser,
                     account_change)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                Data(session.hash), session.email, Data(session.formKey), session.createdAt, session.expiresAt,
                session.lastUsedAt, session.confirmedAt, session.address, session.browser,
                try MemberRow.changeSinceSignIn(of: session.email, in: database),
            ]
        )
    }

    /// Ends the member's sessions but one.
    static func delete(of email: String, but hash: [UInt8]?, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM sessions WHERE email = ? AND hash <> ?",
            arguments: [email, Data(hash ?? [])]
        )
    }

    /// Ends what expired more than a week ago, and the member's sessions beyond the limit.
    static func prune(for session: Session, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM sessions WHERE expires_at < ?",
            arguments: [session.createdAt - Session.memory]
        )
        try database.execute(
            sql: """
                DELETE FROM sessions WHERE hash IN (
                    SELECT hash FROM sessions WHERE email = ? ORDER BY last_used_at DESC, hash LIMIT -1 OFFSET ?
                )
                """,
            arguments: [session.email, Session.limit - 1]
        )
    }
}
