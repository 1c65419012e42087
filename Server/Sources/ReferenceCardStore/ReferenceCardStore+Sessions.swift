public import CardModel
public import CardStore
import WireJSON

extension ReferenceCardStore {
    /// Begins a session.
    public func insertSession(_ session: Session) async throws {
        try write { state in
            try session.checkAccount(
                state.members.first { $0.member.email.hasSameBytes(as: session.email) }?.member
            )
            state.sessions.removeAll { $0.expiresAt < session.createdAt - Session.memory }
            let own = state.sessions.filter { $0.email.hasSameBytes(as: session.email) }.sorted(by: Session.isNewer)
            let ended = own.dropFirst(Session.limit - 1).map(\.hash)
            state.sessions.removeAll { ended.contains($0.hash) }
            var added = session
            guard let place = state.members.firstIndex(where: { $0.member.email.hasSameBytes(as: session.email) })
            else { throw StoreError.noMember }
            let last = state.members[place].member.lastSignedInAt
            let change = state.members[place].change
            added.accountChange = change.flatMap { change in
                last.map { change.at > $0 } == true ? change.action : nil
            }
            state.members[place].member.lastSignedInAt = session.createdAt
            state.sessions.append(added)
            state.appendAudit("session.begin", of: session.email, at: session.createdAt, by: .member(session.email))
        }
    }

    /// Reads a session with its member.
    public func session(_ hash: [UInt8]) async throws -> (session: Session, member: TeamMember)? {
        try read { state in
            guard let session = state.sessions.first(where: { $0.hash == hash }) else { return nil }
            let known = state.members.first { $0.member.email.hasSameBytes(as: session.email) }
            return known.map { (session, $0.member) }
        }
    }

    /// Reads a member's sessions that have not expired.
    public func sessions(of email: String, at now: UnixTime) async throws -> [Session] {
        try read { state in
            state.sessions.filter { $0.email.hasSameBytes(as: email) && $0.expiresAt > now }
                .sorted(by: Session.isNewer)
        }
    }

    /// Saves that a session was used.
    public func useSession(
        _ hash: [UInt8],
        at now: UnixTime,
        from address: String,
        until expiry: UnixTime
    ) async throws {
        try write { state in
            guard let place = state.sessions.firstIndex(where: { $0.hash == hash }) else { return }
            state.sessions[place].lastUsedAt = now
            state.sessions[place].address = address
            state.sessions[place].expiresAt = min(expiry, state.sessions[place].endsAt)
        }
    }

    /// Saves that the member has given the password in a session.
    public func confirmSession(_ hash: [UInt8], as newHash: [UInt8], at now: UnixTime) async throws -> Bool {
        try write { state in
            guard let place = state.sessions.firstIndex(where: { $0.hash == hash }) else { return false }
            state.sessions[place].hash = newHash
            state.sessions[place].confirmedAt = now
            return true
        }
    }

    /// Ends a session.
    public func endSession(_ hash: [UInt8]) async throws {
        try write { state in state.sessions.removeAll { $0.hash == hash } }
    }

    /// Ends the sessions of a member but one.
    public func endSessions(of email: String, but hash: [UInt8]?, at now: UnixTime, by actor: Actor) async throws {
        try write { state in
            state.sessions.removeAll { $0.email.hasSameBytes(as: email) && $0.hash != hash }
            state.appendAudit("session.end-others", of: email, at: now, by: actor)
        }
    }

    /// Saves that a form was sent.
    public func spendFormToken(_ token: [UInt8], until expiry: UnixTime, at now: UnixTime) async throws -> Bool {
        try write { state in
            state.spentForms = state.spentForms.filter { $0.value >= now }
            guard state.spentForms[token] == nil else { return false }
            state.spentForms[token] = Session.formEnd(expiry, at: now)
            return true
        }
    }

    // MARK: Attempts

    /// Takes a permit for an attempt at something that can be guessed.
    public func takeAttempt(_ attempt: GuessAttempt, at now: UnixTime) async throws -> Double {
        try write { state in
            let wait = attempt.wait(state.attempts, at: now)
            guard wait <= 0 else { return wait }
            let before = state.attempts
            for subject in attempt.subjects {
                state.attempts[subject.hash] = AttemptCount.adding(to: before[subject.hash], at: now)
            }
            state.attempts = state.attempts.filter { $0.value.lastAt >= now - AttemptLimit.memory }
            return 0
        }
    }

    /// Gives a permit back.
    public func returnAttempt(_ attempt: GuessAttempt, clearing: Bool) async throws {
        try write { state in
            for subject in attempt.subjects {
                let count = state.attempts[subject.hash]
                state.attempts[subject.hash] = attempt.rest(of: count, for: subject.hash, clearing: clearing)
            }
        }
    }

    // MARK: Audit

    /// Appends entries about things that changed nothing.
    public func appendAuditNotes(_ notes: [AuditNote]) async throws {
        try write { state in for note in notes { state.append(note) } }
    }

    /// Reads the entries before a position, the newest first.
    public func latestAuditEntries(before position: Int64?, limit: Int) async throws -> [AuditEntry] {
        try read { $0.audit.reversed().filter { $0.position < position ?? .max }.page(limit) }
    }

    /// Reads the entries after a position, the oldest first.
    public func auditEntries(after position: Int64, limit: Int) async throws -> [AuditEntry] {
        try read { $0.audit.filter { $0.position > position }.page(limit) }
    }

    /// Reads how long the log is and how it ends.
    public func auditChain() async throws -> AuditChain { try read(\.auditChain) }

    /// Removes the entries from before a moment, and appends one that says so.
    public func pruneAudit(before time: UnixTime, at now: UnixTime, by actor: Actor) async throws -> Int {
        try write { state in
            let pruned = state.audit.prefix { $0.at < time }
            guard let last = pruned.last else { return 0 }
            state.auditChain.prune(pruned.count, through: last)
            state.audit.removeFirst(pruned.count)
            let details: JSONValue = ["entries": .integer(Int64(pruned.count))]
            state.appendAudit("audit.prune", of: "audit", details: details, at: now, by: actor)
            return pruned.count
        }
    }
}

extension Session {
    /// Whether a session was used later than another.
    fileprivate static func isNewer(_ left: Session, _ right: Session) -> Bool {
        left.lastUsedAt == right.lastUsedAt
            ? left.hash.lexicographicallyPrecedes(right.hash) : left.lastUsedAt > right.lastUsedAt
    }
}
