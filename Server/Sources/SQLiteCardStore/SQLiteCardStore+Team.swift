public import CardModel
public import CardStore
import Foundation
import GRDB
import WireJSON

extension SQLiteCardStore {
    /// Reads the members, the oldest first.
    public func members() async throws -> [TeamMember] {
        let secrets = secrets
        return try await read { try MemberRow.all($0, secrets) }
    }

    /// Reads one member, or returns `nil`.
    public func member(_ email: String) async throws -> TeamMember? {
        let secrets = secrets
        return try await read { try MemberRow.find(email, in: $0, secrets) }
    }

    /// Reads the member of an account at an OpenID provider, or returns `nil`.
    public func member(identity: MemberIdentity) async throws -> TeamMember? {
        let secrets = secrets
        return try await read { try MemberRow.find(identity, in: $0, secrets) }
    }

    /// Adds a member.
    public func insertMember(_ member: TeamMember, by actor: Actor) async throws {
        try await writer.write { try $0.insert(member, by: actor) }
    }

    /// Adds a member where there is none at all yet.
    public func insertFirstMember(_ member: TeamMember) async throws -> Bool {
        try await writer.write { session in
            guard try MemberRow.all(session.database, session.secrets).isEmpty else { return false }
            try session.insert(member, by: .member(member.email))
            return true
        }
    }

    /// Keeps a changed member.
    public func updateMember(
        _ member: TeamMember,
        action: String,
        keeping session: [UInt8]?,
        at now: UnixTime,
        by actor: Actor
    ) async throws {
        try await writer.write { try $0.update(member, action: action, keeping: session, at: now, by: actor) }
    }

    /// Saves the hash of a link by which a member can choose a password once.
    public func setPasswordLink(
        _ hash: [UInt8],
        until expiry: UnixTime,
        of email: String,
        isRequested: Bool
    ) async throws {
        try await writer.write { session in
            let kind = isRequested ? "requested_link" : "link"
            try session.database.execute(
                sql: "UPDATE members SET \(kind)_hash = ?, \(kind)_expires_at = ? WHERE email = ?",
                arguments: [Data(hash), expiry, email]
            )
            guard session.database.changesCount > 0 else {
                throw StoreError(.notFound, "There is no such member.")
            }
        }
    }

    /// Reads the member of a link that was neither used nor has expired.
    public func linkedMember(passwordLink hash: [UInt8], at now: UnixTime) async throws -> TeamMember? {
        let secrets = secrets
        return try await read { database in
            guard let email = try MemberRow.email(passwordLink: hash, at: now, in: database) else { return nil }
            return try MemberRow.find(email, in: database, secrets)
        }
    }

    /// Uses a link: sets the password that its member chose.
    public func usePasswordLink(_ hash: [UInt8], passwordHash: String, at now: UnixTime) async throws -> Bool {
        try await writer.write { session in
            guard let email = try MemberRow.email(passwordLink: hash, at: now, in: session.database),
                var member = try MemberRow.find(email, in: session.database, session.secrets)
            else { return false }
            member.passwordHash = passwordHash
            member.passwordExpiresAt = nil
            try session.update(member, action: "member.password", keeping: nil, at: now, by: .member(email))
            return true
        }
    }

    /// Removes a member and ends their sessions.
    public func removeMember(_ email: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.write { try $0.removeMember(email, at: now, by: actor) }
    }

    // MARK: Forms

    /// Notes that a form was sent.
    public func spendFormToken(_ token: [UInt8], until expiry: UnixTime, at now: UnixTime) async throws -> Bool {
        try await writer.write { session in
            try session.database.execute(sql: "DELETE FROM spent_forms WHERE expires_at < ?", arguments: [now])
            try session.database.execute(
                sql: "INSERT OR IGNORE INTO spent_forms (token, expires_at) VALUES (?, ?)",
                arguments: [Data(token), min(expiry, now + 172_800)]
            )
            return session.database.changesCount > 0
        }
    }

    // MARK: Attempts

    /// Takes a permit for an attempt at something that can be guessed.
    public func takeAttempt(_ attempt: GuessAttempt, at now: UnixTime) async throws -> Double {
        try await writer.write { try AttemptRows.take(attempt, at: now, in: $0.database) }
    }

    /// Gives a permit back.
    public func returnAttempt(_ attempt: GuessAttempt, clearing: Bool) async throws {
        try await writer.write { try AttemptRows.giveBack(attempt, clearing: clearing, in: $0.database) }
    }

    // MARK: Audit
}

extension WriteSession {
    func insert(_ member: TeamMember, by actor: Actor) throws {
        guard try MemberRow.find(member.email, in: database, secrets) == nil else {
            throw StoreError(.exists, "A member with this email address already exists. Enter another address.")
        }
        try requireFreeIdentity(of: member)
        try MemberRow.insert(member, into: database, secrets)
        try audit("member.create", of: member.email, at: member.createdAt, by: actor)
    }

    func update(
        _ member: TeamMember,
        action: String,
        keeping session: [UInt8]?,
        at now: UnixTime,
        by actor: Actor
    ) throws {
        guard let old = try MemberRow.find(member.email, in: database, secrets) else {
            throw StoreError(.notFound, "There is no such member.")
        }
        guard member.base.isState(of: old) else {
            throw StoreError(.conflict, "The account was changed at the same time. Reload the page and try again.")
        }
        if old.role == .admin, member.role != .admin { try requireOtherAdministrator(than: member.email) }
        try requireFreeIdentity(of: member)
        try MemberRow.update(member, in: database, secrets)
        if old.passwordHash != member.passwordHash { try MemberRow.voidLink(of: member.email, in: database) }
        let isSecured = old.passwordHash != member.passwordHash || old.role != member.role
        if isSecured || old.codeSecret != member.codeSecret {
            try SessionRows.delete(of: member.email, but: session, in: database)
            try MemberRow.noteChange(action, of: member.email, at: now, in: database)
        }
        try audit(action, of: member.email, at: now, by: actor)
    }

    func removeMember(_ email: String, at now: UnixTime, by actor: Actor) throws -> Bool {
        guard let member = try MemberRow.find(email, in: database, secrets) else { return false }
        if member.role == .admin { try requireOtherAdministrator(than: email) }
        try SessionRows.delete(of: email, but: nil, in: database)
        try database.execute(sql: "DELETE FROM saved_filters WHERE owner = ? AND NOT shared", arguments: [email])
        try database.execute(sql: "DELETE FROM members WHERE email = ?", arguments: [email])
        try audit("member.remove", of: email, at: now, by: actor)
        return true
    }

    private func requireFreeIdentity(of member: TeamMember) throws {
        guard let identity = member.identity, let owner = try MemberRow.find(identity, in: database, secrets),
            !owner.email.hasSameBytes(as: member.email)
        else { return }
        throw StoreError(.exists, "Another member has that account at the provider.")
    }

    private func requireOtherAdministrator(than email: String) throws {
        let others = try MemberRow.all(database, secrets).contains {
            $0.role == .admin && !$0.email.hasSameBytes(as: email)
        }
        guard others else {
            throw StoreError(.conflict, "The last administrator stays one. Make another member an administrator first.")
        }
    }
}
