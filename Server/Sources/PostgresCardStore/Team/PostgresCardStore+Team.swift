public import CardModel
public import CardStore

extension PostgresCardStore {
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
        try await writer.writeAlone { try $0.insert(member, by: actor) }
    }

    /// Adds a member where there is none at all yet.
    public func insertFirstMember(_ member: TeamMember) async throws -> Bool {
        try await writer.writeAlone { session in
            try MemberRow.lockAll(session.connection)
            guard try MemberRow.all(session.connection, session.secrets).isEmpty else { return false }
            try session.insert(member, by: .member(member.email))
            return true
        }
    }

    /// Saves a changed member.
    public func updateMember(
        _ member: TeamMember,
        action: String,
        keeping session: [UInt8]?,
        at now: UnixTime,
        by actor: Actor
    ) async throws {
        try await writer.writeAlone { try $0.update(member, action: action, keeping: session, at: now, by: actor) }
    }

    /// Saves the hash of a link by which a member can choose a password once.
    public func setPasswordLink(
        _ hash: [UInt8],
        until expiry: UnixTime,
        of email: String,
        isRequested: Bool
    ) async throws {
        try await writer.writeAlone { session in
            let kind = isRequested ? "requested_link" : "link"
            let changed = try session.connection.execute(
                "UPDATE members SET \(kind)_hash = $1, \(kind)_expires_at = $2 WHERE email = $3",
                [hash, expiry, email]
            )
            guard changed > 0 else { throw StoreError.noMember }
        }
    }

    /// Reads the member of a link that was neither used nor has expired.
    public func linkedMember(passwordLink hash: [UInt8], at now: UnixTime) async throws -> TeamMember? {
        let secrets = secrets
        return try await read { connection in
            try connection.row("SELECT * FROM members WHERE \(MemberRow.isLinked)", [hash, now])
                .map { try TeamMember(stored: $0, secrets) }
        }
    }

    /// Uses a link: sets the password that its member chose.
    public func usePasswordLink(_ hash: [UInt8], passwordHash: String, at now: UnixTime) async throws -> Bool {
        try await writer.writeAlone { try $0.usePasswordLink(hash, passwordHash: passwordHash, at: now) }
    }

    /// Removes a member and ends their sessions.
    public func removeMember(_ email: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.writeAlone { try $0.removeMember(email, at: now, by: actor) }
    }

    // MARK: Forms and attempts

    /// Notes that a form was sent.
    public func spendFormToken(_ token: [UInt8], until expiry: UnixTime, at now: UnixTime) async throws -> Bool {
        try await writer.writeAlone { session in
            try session.connection.execute(
                """
                DELETE FROM spent_forms WHERE token IN
                    (SELECT token FROM spent_forms WHERE expires_at < $1 FOR UPDATE SKIP LOCKED)
                """,
                [now]
            )
            return try session.connection.execute(
                "INSERT INTO spent_forms (token, expires_at) VALUES ($1, $2) ON CONFLICT (token) DO NOTHING",
                [token, Session.formEnd(expiry, at: now)]
            ) > 0
        }
    }

    /// Takes a permit for an attempt at something that can be guessed.
    public func takeAttempt(_ attempt: GuessAttempt, at now: UnixTime) async throws -> Double {
        try await writer.write(names: AttemptRows.names(of: attempt), scope: .nobody) {
            try AttemptRows.take(attempt, at: now, in: $0.connection)
        }
    }

    /// Gives a permit back.
    public func returnAttempt(_ attempt: GuessAttempt, clearing: Bool) async throws {
        try await writer.write(names: AttemptRows.names(of: attempt), scope: .nobody) {
            try AttemptRows.giveBack(attempt, clearing: clearing, in: $0.connection)
        }
    }
}

extension WriteSession {
    fileprivate func insert(_ member: TeamMember, by actor: Actor) throws {
        guard try MemberRow.insert(member, into: connection, secrets) else { throw StoreError.memberExists }
        audit("member.create", of: member.email, at: member.createdAt, by: actor)
    }

    fileprivate func update(
        _ member: TeamMember,
        action: String,
        keeping session: [UInt8]?,
        at now: UnixTime,
        by actor: Actor
    ) throws {
        try MemberRow.lockAll(connection)
        guard let old = try MemberRow.find(member.email, in: connection, secrets) else {
            throw StoreError.noMember
        }
        let change = try MemberChange(of: old, to: member)
        if change.needsOtherAdministrator { try requireOtherAdministrator(than: member.email) }
        try requireFreeIdentity(of: member)
        try MemberRow.update(member, in: connection, secrets)
        if change.voidsLinks { try MemberRow.voidLink(of: member.email, in: connection) }
        if change.endsSessions {
            try SessionRows.delete(of: member.email, but: session, in: connection)
            try MemberRow.noteChange(action, of: member.email, at: now, in: connection)
        }
        audit(action, of: member.email, at: now, by: actor)
    }

    fileprivate func usePasswordLink(_ hash: [UInt8], passwordHash: String, at now: UnixTime) throws -> Bool {
        try MemberRow.lockAll(connection)
        // Of any number of requests on any number of nodes, one gets the row.
        let used = try connection.changing(
            """
            UPDATE members SET \(MemberRow.noLinks) WHERE \(MemberRow.isLinked) RETURNING email
            """,
            [hash, now]
        )
        guard let email = try used.first?.text("email"),
            var member = try MemberRow.find(email, in: connection, secrets)
        else { return false }
        member.passwordHash = passwordHash
        member.passwordExpiresAt = nil
        try update(member, action: "member.password", keeping: nil, at: now, by: .member(email))
        return true
    }

    fileprivate func removeMember(_ email: String, at now: UnixTime, by actor: Actor) throws -> Bool {
        try MemberRow.lockAll(connection)
        guard let member = try MemberRow.find(email, in: connection, secrets) else { return false }
        if MemberChange(removing: member).needsOtherAdministrator { try requireOtherAdministrator(than: email) }
        try connection.execute("DELETE FROM saved_filters WHERE owner = $1 AND NOT shared", [email])
        // Sessions go with their member.
        try connection.execute("DELETE FROM members WHERE email = $1", [email])
        audit("member.remove", of: email, at: now, by: actor)
        return true
    }

    private func requireFreeIdentity(of member: TeamMember) throws {
        guard let identity = member.identity, let owner = try MemberRow.find(identity, in: connection, secrets),
            !owner.email.hasSameBytes(as: member.email)
        else { return }
        throw StoreError.identityTaken
    }

    private func requireOtherAdministrator(than email: String) throws {
        let others = try connection.rows(
            "SELECT 1 AS found FROM members WHERE role = $1 AND email <> $2 LIMIT 1",
            [Role.admin.rawValue, email]
        )
        guard !others.isEmpty else { throw StoreError.lastAdministrator }
    }
}
