public import CardModel
public import CardStore
import GRDB
import WireJSON

extension SQLiteCardStore {
    /// Writes what a backend tells of its users, in order and in one transaction.
    public func trackUsers(
        _ changes: [TrackedChange],
        rules: EventRules?,
        at now: UnixTime
    ) async throws -> TrackOutcome {
        try await writer.write { try $0.track(changes, rules: rules, at: now) }
    }

    /// Gives aliases, in order and in one transaction.
    public func addAliases(_ aliases: [NewAlias], at now: UnixTime) async throws -> [NewAlias.AliasOutcome] {
        try await writer.write { try $0.give(aliases, at: now) }
    }

    /// Joins users without an id of their own with who they are, in order and in one transaction.
    public func identifyUsers(
        _ users: [Identification],
        at now: UnixTime
    ) async throws -> [Identification.IdentificationOutcome] {
        try await writer.write { try $0.identify(users, at: now) }
    }

    /// Moves events that are still under the ids of users who were merged into others.
    public func moveMergedEvents(limit: Int) async throws -> Bool {
        guard try await read(MergedLogRow.exists) else { return false }
        return try await writer.write { try MergedLogRow.move(limit: max(1, limit), in: $0.database) }
    }

    /// Forgets users, in one transaction.
    public func deleteUsers(_ users: [UserReference], at now: UnixTime, by actor: Actor) async throws -> [UserID] {
        for case let user? in try await findUsers(users) { try await shortenLog(of: user) }
        return try await writer.write { try $0.delete(users, at: now, by: actor) }
    }

    /// Finds users, each `nil` where there is none or more than one is meant.
    public func findUsers(_ users: [UserReference]) async throws -> [UserID?] {
        try await read { database in try users.map { try UserLookup.find($0, in: database) } }
    }

    /// Reads all that is known of users.
    public func userRecords(of users: [UserReference]) async throws -> [[UserRecord]] {
        let readers = readers
        return try await longRead { database in
            try users.map { user in
                try UserLookup.candidates(for: user, in: database).compactMap { match in
                    guard let state = try readers.read({ try $0.state(of: match.id, including: .purchases) }) else {
                        return nil
                    }
                    var record = UserRecord(profile: state.profile, deliveries: state.deliveries)
                    record.revenue = state.history.revenue
                    record.aliases = try UserLookup.aliases(of: match.id, in: database)
                    try record.addActivity(in: database)
                    return record
                }
            }
        }
    }
}

extension UserRecord {
    /// Adds up what the log has of the user.
    fileprivate mutating func addActivity(in database: Database) throws {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT type, coalesce(json_extract(details, '$.name'), json_extract(details,
                    '$.product_id'), type) AS name,
                    min(at) AS first, max(at) AS last,
                    sum(coalesce(json_extract(details, '$.quantity'), 1)) AS count
                FROM events WHERE user_id IN \(MergedLogRow.ids(of: "?1")) AND type IN ('custom',
                    'purchase', 'session_start') AND (details IS NULL OR json_valid(details))
                GROUP BY 1, 2 ORDER BY 1, 2
                """,
            arguments: [profile.id.rawValue]
        )
        for row in rows {
            // As everywhere, an event that can't be read is left out.
            guard let activity = try? Activity(row) else { continue }
            switch try row.text("type") {
            case "purchase": purchases.append(activity)
            case "session_start": sessions = activity
            default: events.append(activity)
            }
        }
    }
}

extension UserRecord.Activity {
    /// Reads what the log has of one name.
    fileprivate init(_ row: Row) throws {
        self.init(
            name: try row.text("name"),
            first: try row.double("first"),
            last: try row.double("last"),
            count: try row.integer("count")
        )
    }
}
