public import CardModel
public import CardStore
import WireJSON

extension ReferenceCardStore {
    /// Reads the members, the oldest first.
    public func members() async throws -> [TeamMember] { try read { $0.members.map(\.member) } }

    /// Reads one member, or returns `nil`.
    public func member(_ email: String) async throws -> TeamMember? {
        try read { state in state.place(of: email).map { state.members[$0].member } }
    }

    /// Reads the member of an account at an OpenID provider, or returns `nil`.
    public func member(identity: MemberIdentity) async throws -> TeamMember? {
        try read { state in state.members.first { $0.member.identity == identity }?.member }
    }

    /// Adds a member.
    public func insertMember(_ member: TeamMember, by actor: Actor) async throws {
        try write { try $0.insert(member, by: actor) }
    }

    /// Adds a member where there is none at all yet.
    public func insertFirstMember(_ member: TeamMember) async throws -> Bool {
        try write { state in
            guard state.members.isEmpty else { return false }
            try state.insert(member, by: .member(member.email))
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
        try write { try $0.update(member, action: action, keeping: session, at: now, by: actor) }
    }

    /// Removes a member and ends their sessions.
    public func removeMember(_ email: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try write { state in
            guard let place = state.place(of: email) else { return false }
            if state.members[place].member.role == .admin { try state.requireOtherAdministrator(than: email) }
            state.members.remove(at: place)
            state.sessions.removeAll { $0.email.hasSameBytes(as: email) }
            state.mails.removeAll { $0.mail.recipient.hasSameBytes(as: email) }
            state.filters.removeAll { !$0.isShared && $0.owner.hasSameBytes(as: email) }
            state.appendAudit("member.remove", of: email, at: now, by: actor)
            return true
        }
    }

    /// Saves the hash of a link by which a member can choose a password once.
    public func setPasswordLink(
        _ hash: [UInt8],
        until expiry: UnixTime,
        of email: String,
        isRequested: Bool
    ) async throws {
        try write { state in
            guard let place = state.place(of: email) else { throw StoreError(.notFound, "There is no such member.") }
            if isRequested {
                state.members[place].requestedLink = (hash, expiry)
            } else {
                state.members[place].link = (hash, expiry)
            }
        }
    }

    /// Reads the member of a link that was neither used nor has expired.
    public func linkedMember(passwordLink hash: [UInt8], at now: UnixTime) async throws -> TeamMember? {
        try read { $0.linked(hash, at: now) }
    }

    /// Uses a link: sets the password that its member chose.
    public func usePasswordLink(_ hash: [UInt8], passwordHash: String, at now: UnixTime) async throws -> Bool {
        try write { state in
            guard var member = state.linked(hash, at: now) else { return false }
            member.passwordHash = passwordHash
            member.passwordExpiresAt = nil
            try state.update(member, action: "member.password", keeping: nil, at: now, by: .member(member.email))
            return true
        }
    }
}

extension ReferenceState {
    func place(of email: String) -> Int? {
        members.firstIndex { $0.member.email.hasSameBytes(as: email) }
    }

    fileprivate func linked(_ hash: [UInt8], at now: UnixTime) -> TeamMember? {
        members.first { member in
            [member.link, member.requestedLink].contains { $0.map { $0.hash == hash && $0.until > now } ?? false }
        }?.member
    }

    fileprivate mutating func insert(_ member: TeamMember, by actor: Actor) throws(StoreError) {
        guard place(of: member.email) == nil else {
            throw StoreError(.exists, "A member with this email address already exists. Enter another address.")
        }
        try requireFreeIdentity(of: member)
        var stored = member
        stored.noteStored()
        members.append(ReferenceMember(member: stored))
        appendAudit("member.create", of: member.email, at: member.createdAt, by: actor)
    }

    fileprivate mutating func update(
        _ member: TeamMember,
        action: String,
        keeping session: [UInt8]?,
        at now: UnixTime,
        by actor: Actor
    ) throws(StoreError) {
        guard let place = place(of: member.email) else { throw StoreError(.notFound, "There is no such member.") }
        let old = members[place].member
        guard member.base.isState(of: old) else {
            throw StoreError(.conflict, "The account was changed at the same time. Reload the page and try again.")
        }
        if old.role == .admin, member.role != .admin { try requireOtherAdministrator(than: member.email) }
        try requireFreeIdentity(of: member)
        var saved = member
        saved.createdAt = old.createdAt
        saved.language = old.language
        saved.noteStored()
        members[place].member = saved
        if old.passwordHash != member.passwordHash { (members[place].link, members[place].requestedLink) = (nil, nil) }
        let isSecured = old.passwordHash != member.passwordHash || old.role != member.role
        if isSecured || old.codeSecret != member.codeSecret {
            sessions.removeAll { $0.email.hasSameBytes(as: member.email) && $0.hash != session }
            members[place].change = (action, now)
        }
        appendAudit(action, of: member.email, at: now, by: actor)
    }

    private func requireFreeIdentity(of member: TeamMember) throws(StoreError) {
        guard let identity = member.identity,
            members.contains(where: {
                $0.member.identity == identity && !$0.member.email.hasSameBytes(as: member.email)
            })
        else { return }
        throw StoreError(.exists, "Another member has that account at the provider.")
    }

    fileprivate func requireOtherAdministrator(than email: String) throws(StoreError) {
        guard members.contains(where: { $0.member.role == .admin && !$0.member.email.hasSameBytes(as: email) }) else {
            throw StoreError(.conflict, "The last administrator stays one.")
        }
    }
}
