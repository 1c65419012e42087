public import CardModel
public import CardStore
import Foundation
import GRDB

extension SQLiteCardStore {
    /// Begins a session.
    public func insertSession(_ session: Session) async throws {
        try await writer.write { try $0.insert(session) }
    }

    /// Reads a session with its member.
    public func session(_ hash: [UInt8]) async throws -> (session: Session, member: TeamMember)? {
        let secrets = secrets
        return try await read { database in
            guard let session = try SessionRows.find(hash, in: database) else { return nil }
            return try MemberRow.find(session.email, in: database, secrets).map { (session, $0) }
        }
    }

    /// Reads a member's sessions that have not expired.
    public func sessions(of email: String, at now: UnixTime) async throws -> [Session] {
        try await read { try SessionRows.all(of: email, at: now, in: $0) }
    }

    /// Notes that a session was used.
    public func useSession(
        _ hash: [UInt8],
        at now: UnixTime,
        from address: String,
        until expiry: UnixTime
    ) async throws {
        try await writer.write { session in
            try session.database.execute(
                sql: """
                    UPDATE sessions SET last_used_at = ?, address = ?, expires_at = min(?, created_at + ?)
                    WHERE hash = ?
                    """,
                arguments: [now, address, expiry, Session.longest, Data(hash)]
            )
        }
    }

    /// Notes that the member has given the password in a session.
    public func confirmSession(_ hash: [UInt8], as newHash: [UInt8], at now: UnixTime) async throws -> Bool {
        try await writer.write { session in
            try session.database.execute(
                sql: "UPDATE sessions SET hash = ?, confirmed_at = ? WHERE hash = ?",
                arguments: [Data(newHash), now, Data(hash)]
            )
            return session.database.changesCount > 0
        }
    }

    /// Ends a session.
    public func endSession(_ hash: [UInt8]) async throws {
        try await writer.write { session in
            try session.database.execute(sql: "DELETE FROM sessions WHERE hash = ?", arguments: [Data(hash)])
        }
    }

    /// Ends the sessions of a member but one.
    public func endSessions(of email: String, but hash: [UInt8]?, at now: UnixTime, by actor: Actor) async throws {
        try await writer.write { session in
            try SessionRows.delete(of: email, but: hash, in: session.database)
            try session.audit("session.end-others", of: email, at: now, by: actor)
        }
    }
}

extension WriteSession {
    func insert(_ session: Session) throws {
        try session.checkAccount(MemberRow.find(session.email, in: database, secrets))
        try SessionRows.prune(for: session, in: database)
        try SessionRows.insert(session, into: database)
        try database.execute(
            sql: "UPDATE members SET last_signed_in_at = ? WHERE email = ?",
            arguments: [session.createdAt, session.email]
        )
        try audit("session.begin", of: session.email, at: session.createdAt, by: .member(session.email))
    }
}
