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

    // MARK: Identities

    func identify(_ users: [Identification], at now: UnixTime) throws -> [Identification.Outcome] {
        try users.map { try identify($0, at: now) }
    }

    private func identify(_ identification: Identification, at now: UnixTime) throws -> Identification.Outcome {
        let identity = identification.identity
        guard let user = try UserLookup.find(identification.user, in: database) else { return .userUnknown }
        if user == identity { return .done }
        guard !user.isIdentified else { return .otherwiseIdentified }
        let labels = try Set(UserLookup.aliases(of: user, in: database).map { ByteString($0.label) })
        let others = try UserLookup.aliases(of: identity, in: database).map { ByteString($0.label) }
        guard labels.isDisjoint(with: others) else { return .labelTaken }
        let limit = try userLimits().aliases
        guard labels.isEmpty || labels.count + others.count <= limit else {
            return .limitReached(UserLimits.Excess(.aliases, limit: limit))
        }
        do {
            try join(user, with: identity, at: now)
        } catch let excess as UserLimits.Excess {
            return .limitReached(excess)
        }
        return .done
    }

    /// Joins two users.
    ///
    /// - Throws: `UserLimits.Excess`, before anything has changed, where the two together have too much.
    private func join(_ user: UserID, with identity: UserID, at now: UnixTime) throws {
        guard let old = try profile(of: user) else { return }
        try checkNames(of: user, with: identity)
        let version: UserVersion
        if var known = try profile(of: identity) {
            try known.profile.absorb(old.profile, within: try userLimits())
            // Above both, so that no device takes what it has for current.
            // safe: versions go up by one
            version = max(known.version, old.version) + 1
            try setAttributes(of: known.profile, version: version, at: now)
            if let seen = known.profile.lastSeenAt {
                try setDevice(known.profile.device, seenAt: seen, version: version, of: identity)
            }
            try database.execute(
                sql: "UPDATE users SET first_seen_at = ? WHERE id = ?",
                arguments: [known.profile.firstSeenAt, identity.rawValue]
            )
        } else {
            var profile = UserProfile(id: identity, createdAt: old.profile.createdAt)
            profile.absorb(old.profile)
            // safe: versions go up by one
            version = old.version + 1
            try insertUser(profile, version: version)
        }
        try moveRows(of: user, to: identity, version: version)
        try HistoryRows.make(of: identity, in: database)
        try database.execute(sql: "DELETE FROM users WHERE id = ?", arguments: [user.rawValue])
        let details: JSONValue = ["merged_into": .string(identity.rawValue)]
        try WebhookNoticeRow.insert(.userMerged, about: user, details: details, at: now, into: database)
        changes.remove(user)
        changes.touch(identity, by: nil)
    }

    /// Throws where two users together have too many names of events and products.
    private func checkNames(of user: UserID, with identity: UserID) throws {
        func count(_ users: [String]) throws -> Int {
            try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM
                        (SELECT DISTINCT part, name, currency FROM histories WHERE user_id IN (?, ?) AND part <> 4)
                    """,
                arguments: StatementArguments(users)
            ) ?? 0
        }
        let limit = try userLimits().eventNames
        let names = try count([user.rawValue, identity.rawValue])
        guard try names <= limit || names <= count([identity.rawValue, identity.rawValue]) else {
            throw UserLimits.Excess(.eventNames, limit: limit)
        }
    }

    /// Moves what lies under one user's id to another's.
    ///
    /// An event or trigger that both have is one, and of two cards of one campaign the identity's stays.
    private func moveRows(of user: UserID, to identity: UserID, version: UserVersion) throws {
        let names: StatementArguments = ["old": user.rawValue, "new": identity.rawValue]
        try database.execute(sql: "UPDATE aliases SET user_id = :new WHERE user_id = :old", arguments: names)
        try database.execute(sql: "UPDATE OR IGNORE events SET user_id = :new WHERE user_id = :old", arguments: names)
        try database.execute(sql: "DELETE FROM events WHERE user_id = :old", arguments: ["old": user.rawValue])
        try database.execute(sql: "UPDATE OR IGNORE triggers SET user_id = :new WHERE user_id = :old", arguments: names)
        try database.execute(
            sql: """
                UPDATE deliveries SET user_id = :new, changed_at = :version
                WHERE user_id = :old
                    AND campaign_id NOT IN (SELECT campaign_id FROM deliveries WHERE user_id = :new)
                """,
            arguments: ["old": user.rawValue, "new": identity.rawValue, "version": version]
        )
        try moveConversions(names)
    }

    /// Lets the conversions of cards that were moved to another user go with them.
    private func moveConversions(_ names: StatementArguments) throws {
        for table in ["conversions", "spending"] {
            try database.execute(
                sql: """
                    UPDATE OR IGNORE \(table) SET user_id = :new
                    WHERE user_id = :old
                        AND campaign_id NOT IN (SELECT campaign_id FROM \(table) WHERE user_id = :new)
                    """,
                arguments: names
            )
        }
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
