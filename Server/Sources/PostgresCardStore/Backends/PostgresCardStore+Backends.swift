public import CardModel
public import CardStore
import WireJSON

extension PostgresCardStore {
    /// Writes what a backend tells of its users, in order and in one transaction.
    public func trackUsers(
        _ changes: [TrackedChange],
        rules: EventRules?,
        at now: UnixTime
    ) async throws -> TrackOutcome {
        let references = changes.map(\.user)
        let (users, names) = (try await users(of: references), references.compactMap(\.aliasName))
        return try await writer.write(users, names: names, scope: .others) {
            try $0.track(changes, rules: rules, at: now)
        }
    }

    /// Gives aliases, in order and in one transaction.
    public func addAliases(_ aliases: [NewAlias], at now: UnixTime) async throws -> [NewAlias.AliasOutcome] {
        let (users, names) = (aliases.compactMap(\.user), aliases.map(\.alias.lockName))
        return try await writer.write(users, names: names) { try $0.give(aliases, at: now) }
    }

    /// Joins users without an id of their own with who they are, in order and in one transaction.
    public func identifyUsers(
        _ users: [Identification],
        at now: UnixTime
    ) async throws -> [Identification.IdentificationOutcome] {
        let others = try await self.users(of: users.map(\.user))
        return try await writer.write(users.map(\.identity) + others) { try $0.identify(users, at: now) }
    }

    /// Moves events that are still under the ids of users who were merged into others.
    ///
    /// Those who they are, are locked while a piece is moved, so nodes that do it at once wait for each other.
    public func moveMergedEvents(limit: Int) async throws -> Bool {
        let isSharded = isSharded
        let logs = try await read { try MergedLogRow.next($0, isSharded: isSharded) }
        guard !logs.isEmpty else { return false }
        return try await writer.write(logs.map(\.user)) { try $0.moveEvents(of: logs, limit: max(1, limit)) }
    }

    /// Forgets users, in one transaction.
    public func deleteUsers(_ users: [UserReference], at now: UnixTime, by actor: Actor) async throws -> [UserID] {
        let ids = try await self.users(of: users)
        for id in Set(ids) { try await shortenLog(of: id) }
        return try await writer.write(ids, scope: .others) { try $0.delete(users, at: now, by: actor) }
    }

    /// Returns the users that are meant as far as can be told now, to lock them before anything is done.
    ///
    /// One who is meant by the time of the change, and isn't among them, is locked then.
    private func users(of references: [UserReference]) async throws -> [UserID] {
        let ids = references.compactMap { if case .id(let id) = $0 { id } else { nil } }
        guard ids.count < references.count else { return ids }
        let others = Set(references.filter { if case .id = $0 { false } else { true } })
        let found = try await read { connection in
            try others.compactMap { try UserLookup.find($0, on: connection) }
        }
        return ids + found
    }

    /// Finds users, each `nil` where there is none or more than one is meant.
    public func findUsers(_ users: [UserReference]) async throws -> [UserID?] {
        try await read { connection in try users.map { try UserLookup.find($0, on: connection) } }
    }

    /// Reads all that is known of users.
    public func userRecords(of users: [UserReference]) async throws -> [[UserRecord]] {
        try await longSnapshot { connection in
            try users.map { user in
                try UserLookup.candidates(for: user, on: connection).compactMap { match in
                    guard let state = try connection.state(of: match.id, including: .purchases) else { return nil }
                    var record = UserRecord(profile: state.profile, deliveries: state.deliveries)
                    record.revenue = state.history.revenue
                    record.aliases = try UserLookup.aliases(of: match.id, on: connection)
                    try UserActivity(of: match.id, on: connection).save(in: &record)
                    return record
                }
            }
        }
    }
}

extension UserReference {
    /// The name that is locked where the user may be created with the alias.
    fileprivate var aliasName: String? {
        if case .alias(let alias) = self { alias.lockName } else { nil }
    }
}

extension UserAlias {
    /// The text by which nodes keep each other from giving the alias.
    var lockName: String { "\(label)\u{0}\(name)" }
}
