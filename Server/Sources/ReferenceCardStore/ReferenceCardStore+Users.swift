public import CardModel
public import CardStore
import WireJSON

extension ReferenceCardStore {
    // MARK: Devices

    /// Reads the little of a user that tells whether anything has changed.
    public func userRevision(of user: UserID) async throws -> UserRevision? {
        try read { state in
            state.users[user].map { user in
                UserRevision(
                    version: user.version,
                    device: user.profile.device.fingerprint,
                    lastSeenAt: user.profile.lastSeenAt ?? 0,
                    createdAt: user.profile.createdAt
                )
            }
        }
    }

    /// Reads everything about a user that decides their feed.
    public func userState(
        of user: UserID,
        including parts: UserHistory.Parts,
        dueBy time: UnixTime
    ) async throws -> UserState? {
        try read { state in
            state.users[user].map { user in
                var state = user.state
                let later = state.triggers.filter { !$0.due.isDue(by: time) }.map { trigger in
                    var trigger = trigger
                    trigger.properties = nil
                    return trigger
                }
                state.triggers = state.triggers.filter { $0.due.isDue(by: time) } + later
                state.history = user.history(parts)
                return state
            }
        }
    }

    /// Saves what was decided for a user, unless the user has changed since.
    public func saveFeed(_ change: FeedChange) async throws -> UserVersion? {
        try write { try $0.save(change) }
    }

    /// Saves what a device says of itself.
    public func recordDevice(_ device: DeviceContext, of user: UserID, at now: UnixTime) async throws {
        try write { try $0.note(device, of: user, at: now) }
    }

    /// Saves and counts the cards that templates withheld from a user.
    public func recordSuppressions(_ cards: [Withholding], from user: UserID, at now: UnixTime) async throws {
        try write { $0.suppress(cards, from: user, at: now) }
    }

    // MARK: Users

    /// Changes users, creating those that the store does not know.
    @discardableResult
    public func updateUsers(_ users: [UserUpdate], at now: UnixTime) async throws -> [UserLimits.Excess?] {
        try write { state in
            try users.map { update in
                let write = state.recorder.record(update, over: state.knownProfile(update.id), at: now)
                return try state.apply(write, at: now)
            }
        }
    }

    /// Writes what a backend tells of its users.
    public func trackUsers(
        _ changes: [TrackedChange],
        rules: EventRules?,
        at now: UnixTime
    ) async throws -> TrackOutcome {
        try write { state in
            var request = TrackedRequest()
            for change in changes {
                let found = change.needsCandidates ? state.candidates(for: change.user) : []
                let tracked = state.recorder.user(of: change, among: found, at: now)
                if case .creation(let profile, let alias) = tracked {
                    try state.insertUser(profile, version: 1)
                    if let alias { state.users[profile.id]?.aliases.append(alias) }
                }
                guard let changes = request.add(change, of: tracked.id), let user = tracked.id else { continue }
                let write = state.recorder.record(changes, of: user, over: state.knownProfile(user), at: now)
                if let excess = try state.apply(write, at: now) { request.refuse(excess) }
            }
            for batch in request.batches(rules: rules, at: now) { request.add(try state.record(batch), of: batch) }
            return request.outcome
        }
    }

    /// Reads the number of users.
    public func userCount() async throws -> Int64 { try read { Int64($0.users.count) } }

    /// Deletes a user.
    public func deleteUser(_ user: UserID, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try write { $0.deleteUser(user, at: now, by: actor) }
    }

    /// Deletes users, in one transaction.
    public func deleteUsers(_ users: [UserReference], at now: UnixTime, by actor: Actor) async throws -> [UserID] {
        try write { state in
            users.compactMap { user in
                state.find(user).flatMap { state.deleteUser($0, at: now, by: actor) ? $0 : nil }
            }
        }
    }

    /// Returns a text that stands for a user where the id must not be kept.
    public func pseudonym(of user: UserID) -> String { ReferenceState.pseudonyms.text(of: user) }

    // MARK: Identities

    /// Finds users, each `nil` where there is none or more than one is meant.
    public func findUsers(_ users: [UserReference]) async throws -> [UserID?] {
        try read { state in users.map(state.find) }
    }

    /// Adds aliases, in order and in one transaction.
    public func addAliases(_ aliases: [NewAlias], at now: UnixTime) async throws -> [NewAlias.AliasOutcome] {
        try write { state in
            try aliases.map { new in
                let decision = state.recorder.give(
                    new,
                    ownedBy: state.owner(of: new.alias),
                    beside: new.user.flatMap { state.users[$0]?.aliases },
                    at: now
                )
                if let profile = decision.creation { try state.insertUser(profile, version: 1) }
                if let owner = decision.owner { state.users[owner]?.aliases.append(new.alias) }
                return decision.outcome
            }
        }
    }

    /// Merges users without an id of their own into the users who they are.
    public func identifyUsers(
        _ users: [Identification],
        at now: UnixTime
    ) async throws -> [Identification.IdentificationOutcome] {
        try write { state in try users.map { try state.identify($0, at: now) } }
    }

    /// Does nothing: events move with their user.
    public func moveMergedEvents(limit: Int) async throws -> Bool { false }
}
