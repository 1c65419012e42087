import CardModel
import CardStore
import GRDB
import OrderedCollections
import WireJSON

extension WriteSession {
    /// Writes what a backend tells; events last, those of one user together.
    func track(_ changes: [TrackedChange], rules: EventRules?, at now: UnixTime) throws -> TrackOutcome {
        var outcome = TrackOutcome(users: [])
        var events: OrderedDictionary<UserID, [(place: Int, event: DeviceEvent)]> = [:]
        outcome.users.reserveCapacity(changes.count)
        for (place, change) in changes.enumerated() {
            let user = try findOrMake(change, at: now)
            outcome.users.append(user)
            guard let user else { continue }
            switch change.content {
            case .attributes(let changes): outcome.excesses[place] = try self.change(changes, of: user, at: now)
            case .event(let event): events[user, default: []].append((place, event))
            }
        }
        for (user, events) in events {
            let batch = EventBatch(user: user, events: events.map(\.event), receivedAt: now, rules: rules)
            let recorded = try record(batch)
            // safe: counts the events of a request
            outcome.duplicates += recorded.receipt.duplicate
            for (index, excess) in recorded.excesses { outcome.excesses[events[index].place] = excess }
        }
        return outcome
    }

    private func change(_ changes: AttributeChanges, of user: UserID, at now: UnixTime) throws -> UserLimits.Excess? {
        let limits = try userLimits()
        return try changeProfile(of: user, at: now) { profile throws(UserLimits.Excess) in
            var usage = AttributeUsage(of: profile)
            return try profile.apply(changes, within: limits, &usage)
        }
    }

    private func findOrMake(_ change: TrackedChange, at now: UnixTime) throws -> UserID? {
        // A user with an id is made by the change itself.
        if case .id(let id) = change.user, change.newUser != nil { return id }
        if let known = try UserLookup.find(change.user, in: database) { return known }
        guard let id = change.newUser, try isFree(change.user) else { return nil }
        var profile = UserProfile(id: id, createdAt: now)
        switch change.user {
        case .id: break
        case .alias(let alias):
            try insertUser(profile, version: 1)
            try insert(alias, of: id)
            return id
        case .email(let address, _): profile.standard[.email] = .string(address)
        case .phone(let number, _): profile.standard[.phone] = .string(number)
        }
        try insertUser(profile, version: 1)
        return id
    }

    /// Whether nobody has what is to be the only name of a new user: where several have, none of them is meant.
    private func isFree(_ user: UserReference) throws -> Bool {
        try UserLookup.candidates(for: user, in: database).isEmpty
    }

    private func insert(_ alias: UserAlias, of user: UserID) throws {
        try database.execute(
            sql: "INSERT INTO aliases (user_id, label, name) VALUES (?, ?, ?)",
            arguments: [user.rawValue, alias.label, alias.name]
        )
    }

    // MARK: Aliases

    func give(_ aliases: [NewAlias], at now: UnixTime) throws -> [NewAlias.Outcome] {
        try aliases.map { try give($0, at: now) }
    }

    private func give(_ new: NewAlias, at now: UnixTime) throws -> NewAlias.Outcome {
        let owner = try UserLookup.owner(of: new.alias, in: database)
        guard let user = new.user else {
            guard owner == nil else { return .given }
            try insertUser(UserProfile(id: new.newUser, createdAt: now), version: 1)
            try insert(new.alias, of: new.newUser)
            return .given
        }
        guard try self.user(user) != nil else { return .userUnknown }
        if let owner { return owner == user ? .given : .nameTaken }
        let aliases = try UserLookup.aliases(of: user, in: database)
        guard !aliases.contains(where: { $0.label.hasSameBytes(as: new.alias.label) }) else { return .labelTaken }
        let limit = try userLimits().aliases
        guard aliases.count < limit else { return .limitReached(UserLimits.Excess(.aliases, limit: limit)) }
        try insert(new.alias, of: user)
        return .given
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
