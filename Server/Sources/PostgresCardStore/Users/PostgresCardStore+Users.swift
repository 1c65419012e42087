public import CardModel
import CardStore

extension PostgresCardStore {
    /// Changes users, creating those that the store does not know.
    @discardableResult
    public func updateUsers(_ users: [UserUpdate], at now: UnixTime) async throws -> [UserLimits.Excess?] {
        try await writer.write(users.map(\.id)) { try $0.update(users, at: now) }
    }

    /// Forgets a user: profile, deliveries and events.
    public func deleteUser(_ user: UserID, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await shortenLog(of: user)
        return try await writer.write([user]) { try $0.deleteUser(user, at: now, by: actor) }
    }

    /// Returns a text that stands for a user where the id must not be kept.
    public func pseudonym(of user: UserID) -> String { pseudonyms.text(of: user) }

    /// The number of users, which is added up as they come and go.
    public func userCount() async throws -> Int64 {
        try await read { try StoreRow.userCount($0) }
    }
}

extension PostgresCardStore: LogShortening {
    package func eventCount(of user: UserID, limit: Int) async throws -> Int {
        let sql = """
            SELECT count(*) AS count FROM (
                SELECT 1 FROM events WHERE user_id = ANY \(MergedLogRow.ids(of: "$1")) LIMIT $2
            ) AS found
            WHERE EXISTS (SELECT 1 FROM users WHERE id = $1)
            """
        return try await read { Int(clamping: try $0.row(sql, [user.rawValue, limit])?.integer("count") ?? 0) }
    }

    package func removeEvents(of user: UserID, limit: Int) async throws -> Int {
        try await writer.write([user]) { try $0.removeEvents(of: user, limit: limit) }
    }
}
