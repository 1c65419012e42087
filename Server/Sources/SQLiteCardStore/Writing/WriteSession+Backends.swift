import CardModel
import CardStore
import GRDB
import WireJSON

extension WriteSession {
    /// Records what a backend sends: loads the user concerned, and applies what the recorder decides; events last.
    func track(_ changes: [TrackedChange], rules: EventRules?, at now: UnixTime) throws -> TrackOutcome {
        var request = TrackedRequest()
        try readSettings()
        for change in changes {
            let user = try user(of: change, at: now)
            guard let changes = request.add(change, of: user), let user else { continue }
            let write = recorder.record(changes, of: user, over: try profile(of: user), at: now)
            if let excess = try apply(write, at: now) { request.refuse(excess) }
        }
        for batch in request.batches(rules: rules, at: now) { request.add(try record(batch), of: batch) }
        return request.outcome
    }

    /// Returns the user that a change concerns, created where that is decided.
    private func user(of change: TrackedChange, at now: UnixTime) throws -> UserID? {
        let candidates = change.needsCandidates ? try UserLookup.candidates(for: change.user, in: database) : []
        let user = recorder.user(of: change, among: candidates, at: now)
        if case .creation(let profile, let alias) = user {
            try insertUser(profile, version: 1)
            if let alias { try insert(alias, of: profile.id) }
        }
        return user.id
    }

    private func insert(_ alias: UserAlias, of user: UserID) throws {
        try database.execute(
            sql: "INSERT INTO aliases (user_id, label, name) VALUES (?, ?, ?)",
            arguments: [user.rawValue, alias.label, alias.name]
        )
    }

    // MARK: Aliases

    func give(_ aliases: [NewAlias], at now: UnixTime) throws -> [NewAlias.AliasOutcome] {
        try readSettings()
        return try aliases.map { try give($0, at: now) }
    }

    private func give(_ new: NewAlias, at now: UnixTime) throws -> NewAlias.AliasOutcome {
        let owner = try UserLookup.owner(of: new.alias, in: database)
        let known = try new.user.flatMap { try user($0) == nil ? nil : $0 }
        let aliases = try known.map { try UserLookup.aliases(of: $0, in: database) }
        let decision = recorder.give(new, ownedBy: owner, beside: aliases, at: now)
        if let profile = decision.creation { try insertUser(profile, version: 1) }
        if let owner = decision.owner { try insert(new.alias, of: owner) }
        return decision.outcome
    }

    // MARK: Deletion

    func delete(_ users: [UserReference], at now: UnixTime, by actor: Actor) throws -> [UserID] {
        var deleted: [UserID] = []
        for user in users {
            guard let id = try UserLookup.find(user, in: database), try deleteUser(id, at: now, by: actor) else {
                continue
            }
            deleted.append(id)
        }
        return deleted
    }
}
