public import CardModel
public import CardStore

// The team and what it keeps are at the home.

extension ShardedCardStore {
    /// Reads the filters of a member and those that are shared, by name and then by id, as their bytes compare.
    public func savedFilters(of email: String) async throws -> [SavedFilter] {
        try await home.savedFilters(of: email)
    }

    /// Reads one filter, or returns `nil`.
    public func savedFilter(_ id: String) async throws -> SavedFilter? {
        try await home.savedFilter(id)
    }

    /// Adds a filter; one that is shared is in the audit log.
    public func insertSavedFilter(_ filter: SavedFilter, by actor: Actor) async throws {
        try await home.insertSavedFilter(filter, by: actor)
    }

    /// Saves the name of a filter and whether it is shared; one that is or was shared is in the audit log.
    public func updateSavedFilter(_ filter: SavedFilter, by actor: Actor) async throws {
        try await home.updateSavedFilter(filter, by: actor)
    }

    /// Deletes a filter; one that was shared is in the audit log.
    public func deleteSavedFilter(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await home.deleteSavedFilter(id, at: now, by: actor)
    }

    /// Begins a session, and notes in the audit log that the member signed in.
    public func insertSession(_ session: Session) async throws {
        try await home.insertSession(session)
    }

    /// Reads a session with its member, for a week after it has expired too.
    public func session(_ hash: [UInt8]) async throws -> (session: Session, member: TeamMember)? {
        try await home.session(hash)
    }

    /// Reads a member's sessions that have not expired, the one that was used last first.
    public func sessions(of email: String, at now: UnixTime) async throws -> [Session] {
        try await home.sessions(of: email, at: now)
    }

    /// Saves that a session was used, and puts off its end as far as ``Session/endsAt``.
    public func useSession(_ hash: [UInt8], at now: UnixTime, from address: String, until expiry: UnixTime) async throws
    {
        try await home.useSession(hash, at: now, from: address, until: expiry)
    }

    /// Saves that the member has given the password in a session, which goes on under another hash.
    public func confirmSession(_ hash: [UInt8], as newHash: [UInt8], at now: UnixTime) async throws -> Bool {
        try await home.confirmSession(hash, as: newHash, at: now)
    }

    /// Ends a session.
    public func endSession(_ hash: [UInt8]) async throws {
        try await home.endSession(hash)
    }

    /// Ends the sessions of a member but one, if any is to go on, and notes it in the audit log.
    public func endSessions(of email: String, but hash: [UInt8]?, at now: UnixTime, by actor: Actor) async throws {
        try await home.endSessions(of: email, but: hash, at: now, by: actor)
    }

    /// Saves that a form was sent, by what is unique to it, and returns whether it was the first time.
    public func spendFormToken(_ token: [UInt8], until expiry: UnixTime, at now: UnixTime) async throws -> Bool {
        try await home.spendFormToken(token, until: expiry, at: now)
    }

    /// Reads the members, the oldest first.
    public func members() async throws -> [TeamMember] {
        try await home.members()
    }

    /// Reads one member, or returns `nil`.
    public func member(_ email: String) async throws -> TeamMember? {
        try await home.member(email)
    }

    /// Reads the member of an account at an OpenID provider, or returns `nil`.
    public func member(identity: MemberIdentity) async throws -> TeamMember? {
        try await home.member(identity: identity)
    }

    /// Adds a member.
    public func insertMember(_ member: TeamMember, by actor: Actor) async throws {
        try await home.insertMember(member, by: actor)
    }

    /// Adds a member where there is none at all yet.
    public func insertFirstMember(_ member: TeamMember) async throws -> Bool {
        try await home.insertFirstMember(member)
    }

    /// Saves a changed member, but for the language.
    public func updateMember(
        _ member: TeamMember,
        action: String,
        keeping session: [UInt8]?,
        at now: UnixTime,
        by actor: Actor
    ) async throws {
        try await home.updateMember(member, action: action, keeping: session, at: now, by: actor)
    }

    /// Saves the language that a member has chosen for pages and messages.
    public func setLanguage(_ tag: String?, of email: String) async throws {
        try await home.setLanguage(tag, of: email)
    }

    /// Removes a member, ends their sessions, and removes the messages that wait for them.
    public func removeMember(_ email: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await home.removeMember(email, at: now, by: actor)
    }

    /// Saves the hash of a link by which a member can choose a password once, in place of an earlier one of that kind.
    public func setPasswordLink(
        _ hash: [UInt8],
        until expiry: UnixTime,
        of email: String,
        isRequested: Bool
    ) async throws {
        try await home.setPasswordLink(hash, until: expiry, of: email, isRequested: isRequested)
    }

    /// Reads the member of a link that was neither used nor has expired, or returns `nil`.
    public func linkedMember(passwordLink hash: [UInt8], at now: UnixTime) async throws -> TeamMember? {
        try await home.linkedMember(passwordLink: hash, at: now)
    }

    /// Uses a link: sets the password that its member chose, ends the member's sessions, and voids the link.
    public func usePasswordLink(_ hash: [UInt8], passwordHash: String, at now: UnixTime) async throws -> Bool {
        try await home.usePasswordLink(hash, passwordHash: passwordHash, at: now)
    }
}
