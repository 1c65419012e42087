import CardModel
import CardStore

/// The browsers in which members are signed in.
enum SessionRows {
    static func insert(_ session: Session, into connection: PostgresConnection) throws {
        try connection.execute(
            """
            INSERT INTO sessions
                (hash, email, form_key, created_at, expires_at, last_used_at, confirmed_at, address, browser,
                 account_change)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, (
                SELECT change_action FROM members WHERE email = $2 AND changed_at > last_signed_in_at
            ))
            """,
            [
                session.hash, session.email, session.formKey, session.createdAt, session.expiresAt,
                session.lastUsedAt, session.confirmedAt, session.address, session.browser,
            ]
        )
    }

    /// Ends the member's sessions but one.
    static func delete(of email: String, but hash: [UInt8]?, in connection: PostgresConnection) throws {
        try connection.execute("DELETE FROM sessions WHERE email = $1 AND hash <> $2", [email, hash ?? []])
    }

    /// Ends what expired more than a week ago, and the member's sessions beyond the limit.
    static func prune(for session: Session, in connection: PostgresConnection) throws {
        try connection.execute(
            """
            DELETE FROM sessions WHERE hash IN
                (SELECT hash FROM sessions WHERE expires_at < $1 FOR UPDATE SKIP LOCKED)
            """,
            [session.createdAt - Session.memory]
        )
        try connection.execute(
            """
            DELETE FROM sessions WHERE hash IN
                (SELECT hash FROM sessions WHERE email = $1 ORDER BY last_used_at DESC, hash OFFSET $2)
            """,
            [session.email, Session.limit - 1]
        )
    }
}
