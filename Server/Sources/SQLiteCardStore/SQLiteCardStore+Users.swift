public import CardModel
import CardStore
import GRDB

extension SQLiteCardStore {
    /// Changes users, making those that the store does not know.
    public func update(_ users: [UserUpdate], at now: UnixTime) async throws {
        try await writer.write { try $0.update(users, at: now) }
    }

    /// Forgets a user: profile, deliveries and events.
    public func deleteUser(_ user: UserID) async throws -> Bool {
        try await writer.write { try $0.deleteUser(user) }
    }

    /// The number of users.
    ///
    /// Takes time in proportion to it.
    public func userCount() async throws -> Int64 {
        try await read { try Int64.fetchOne($0, sql: "SELECT count(*) FROM users") ?? 0 }
    }
}
