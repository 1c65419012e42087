public import CardModel
import CardStore
import GRDB

extension SQLiteCardStore {
    /// Changes users, making those that the store does not know.
    @discardableResult
    public func updateUsers(_ users: [UserUpdate], at now: UnixTime) async throws -> [UserLimits.Excess?] {
        try await writer.write { try $0.update(users, at: now) }
    }

    /// Forgets a user: profile, deliveries and events.
    public func deleteUser(_ user: UserID, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await shortenLog(of: user)
        return try await writer.write { try $0.deleteUser(user, at: now, by: actor) }
    }

    /// Returns a text that stands for a user where the id must not be kept.
    public func pseudonym(of user: UserID) -> String { pseudonyms.text(of: user) }

    /// The number of users, which is kept as they come and go.
    public func userCount() async throws -> Int64 {
        try await read(StoreRow.userCount)
    }
}

extension SQLiteCardStore: LogShortening {
    package func eventCount(of user: UserID, limit: Int) async throws -> Int {
        let sql = """
            SELECT count(*) FROM (SELECT 1 FROM events WHERE user_id IN \(MergedLogRow.ids(of: "?1")) LIMIT ?2)
            WHERE EXISTS (SELECT 1 FROM users WHERE id = ?1)
            """
        return try await read { try Int.fetchOne($0, sql: sql, arguments: [user.rawValue, limit]) ?? 0 }
    }

    package func removeEvents(of user: UserID, limit: Int) async throws -> Int {
        try await writer.write { try $0.removeEvents(of: user, limit: limit) }
    }
}
