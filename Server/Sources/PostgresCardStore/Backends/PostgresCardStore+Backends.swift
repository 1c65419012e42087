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
        return try await writer.write(users, names: names) { try $0.track(changes, rules: rules, at: now) }
    }

    /// Gives aliases, in order and in one transaction.
    public func addAliases(_ aliases: [NewAlias], at now: UnixTime) async throws -> [NewAlias.Outcome] {
        let (users, names) = (aliases.compactMap(\.user), aliases.map(\.alias.lockName))
        return try await writer.write(users, names: names) { try $0.give(aliases, at: now) }
    }

    /// Joins users without an id of their own with who they are, in order and in one transaction.
    public func identifyUsers(_ users: [Identification], at now: UnixTime) async throws -> [Identification.Outcome] {
        let others = try await self.users(of: users.map(\.user))
        return try await writer.write(users.map(\.identity) + others) { try $0.identify(users, at: now) }
    }

    /// Moves events that are still under the ids of users who were merged into others.
    ///
    /// Those who they are, are locked while a piece is moved, so nodes that do it at once wait for each other.
    public func moveMergedEvents(limit: Int) async throws -> Bool {
        let logs = try await read(MergedLogRow.next)
        guard !logs.isEmpty else { return false }
        return try await writer.write(logs.map(\.user)) { try $0.moveEvents(of: logs, limit: max(1, limit)) }
    }

    /// Forgets users, in one transaction.
    public func deleteUsers(_ users: [UserReference], at now: UnixTime, by actor: Actor) async throws -> [UserID] {
        let ids = try await self.users(of: users)
        for id in Set(ids) { try await shortenLog(of: id) }
        return try await writer.write(ids) { try $0.delete(users, at: now, by: actor) }
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
                    try record.addActivity(on: connection)
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
    fileprivate var lockName: String { "\(label)\u{0}\(name)" }
}

extension UserRecord {
    /// Adds up what the log has of the user.
    ///
    /// Details may have what PostgreSQL's own JSON refuses, so they are read here; a page at a time, since they may be
    /// long.
    fileprivate mutating func addActivity(on connection: PostgresConnection) throws {
        var activities: [ByteString: [ByteString: Activity]] = [:]
        for log in try [profile.id] + MergedLogRow.formerIDs(of: profile.id, on: connection) {
            var last: [UInt8] = []
            while true {
                let rows = try connection.rows(SQL.activity, [log.rawValue, last])
                for row in rows { try Self.add(row, to: &activities) }
                guard rows.count == SQL.activityPage, let row = rows.last else { break }
                last = try row.bytes("id")
            }
        }
        func sorted(_ type: String) -> [Activity] {
            (activities[ByteString(type)] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
        }
        events = sorted("custom")
        purchases = sorted("purchase")
        sessions = sorted("session_start").first
    }

    private static func add(_ row: PostgresRow, to activities: inout [ByteString: [ByteString: Activity]]) throws {
        let type = try row.text("type")
        let details = try row.optionalText("details").flatMap { try? JSONValue(parsing: $0) } ?? .null
        let name = details["name"]?.string ?? details["product_id"]?.string ?? type
        let (time, count) = (try row.double("at"), details["quantity"]?.integer ?? 1)
        activities[ByteString(type), default: [:]][
            ByteString(name),
            default: Activity(name: name, first: time, last: time, count: 0)
        ].add(count, at: time)
    }
}

extension SQL {
    /// The number of events of a page of ``activity``.
    fileprivate static let activityPage = 200

    /// The events of a user's history after one, in the order of their ids.
    static let activity = """
        \(logEntries)
        WHERE user_id = $1 AND id > $2 AND type IN ('custom', 'purchase', 'session_start')
        ORDER BY id LIMIT \(activityPage)
        """
}

extension UserRecord.Activity {
    fileprivate mutating func add(_ number: Int64, at time: UnixTime) {
        let (sum, isOverflow) = count.addingReportingOverflow(number)
        count = isOverflow ? .max : sum
        (first, last) = (min(first, time), max(last, time))
    }
}
