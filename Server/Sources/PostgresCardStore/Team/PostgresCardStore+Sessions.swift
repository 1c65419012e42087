public import CardModel
public import CardStore

extension PostgresCardStore {
    /// Begins a session.
    public func insertSession(_ session: Session) async throws {
        try await writer.writeAlone { try $0.insert(session) }
    }

    /// Reads a session with its member.
    public func session(_ hash: [UInt8]) async throws -> (session: Session, member: TeamMember)? {
        let secrets = secrets
        return try await snapshot { connection in
            let found = try connection.row("SELECT * FROM sessions WHERE hash = $1", [hash])
            guard let session = try found.map(Session.init) else { return nil }
            return try MemberRow.find(session.email, in: connection, secrets).map { (session, $0) }
        }
    }

    /// Reads a member's sessions that have not expired.
    public func sessions(of email: String, at now: UnixTime) async throws -> [Session] {
        try await read { connection in
            try connection.rows(
                "SELECT * FROM sessions WHERE email = $1 AND expires_at > $2 ORDER BY last_used_at DESC, hash",
                [email, now]
            ).map(Session.init)
        }
    }

    /// Notes that a session was used.
    public func useSession(
        _ hash: [UInt8],
        at now: UnixTime,
        from address: String,
        until expiry: UnixTime
    ) async throws {
        try await writer.writeAlone { session in
            _ = try session.connection.execute(
                """
                UPDATE sessions SET last_used_at = $1, address = $2, expires_at = least($3, created_at + $4)
                WHERE hash = $5
                """,
                [now, address, expiry, Session.longest, hash]
            )
        }
    }

    /// Notes that the member has given the password in a session.
    public func confirmSession(_ hash: [UInt8], as newHash: [UInt8], at now: UnixTime) async throws -> Bool {
        try await writer.writeAlone { session in
            try session.connection.execute(
                "UPDATE sessions SET hash = $1, confirmed_at = $2 WHERE hash = $3",
                [newHash, now, hash]
            ) > 0
        }
    }

    /// Ends a session.
    public func endSession(_ hash: [UInt8]) async throws {
        try await writer.writeAlone { session in
            _ = try session.connection.execute("DELETE FROM sessions WHERE hash = $1", [hash])
        }
    }

    /// Ends the sessions of a member but one.
    public func endSessions(of email: String, but hash: [UInt8]?, at now: UnixTime, by actor: Actor) async throws {
        try await writer.writeAlone { session in
            try SessionRows.delete(of: email, but: hash, in: session.connection)
            session.audit("session.end-others", of: email, at: now, by: actor)
        }
    }
}

extension WriteSession {
    fileprivate func insert(_ session: Session) throws {
        // Two sign-ins of one member come one after the other, so that the limit holds.
        _ = try connection.row("SELECT 1 AS locked FROM members WHERE email = $1 FOR NO KEY UPDATE", [session.email])
        try session.checkAccount(MemberRow.find(session.email, in: connection, secrets))
        try SessionRows.prune(for: session, in: connection)
        try SessionRows.insert(session, into: connection)
        try connection.execute(
            "UPDATE members SET last_signed_in_at = $1 WHERE email = $2",
            [session.createdAt, session.email]
        )
        audit("session.begin", of: session.email, at: session.createdAt, by: .member(session.email))
    }
}
