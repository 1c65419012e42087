import CardModel

@testable import PostgresCardStore

/// One user in place of a range of them, as moves read, write and remove it.
extension PostgresCardStore {
    /// Reads all rows of a user that go to another database, or returns `nil` where there is no such user.
    func exportUser(_ user: UserID) async throws -> UserRows? {
        let (now, shard) = (now(), shardID)
        return try await snapshot { try UserRows(user, of: shard, at: now, on: $0) }
    }

    /// Writes the rows of a user who comes from another database.
    func importUser(_ rows: UserRows) async throws {
        try await writer.writeAlone(scope: .nobody) { try $0.insert([rows]) }
    }

    /// Removes a user who lives in another database by now.
    func removeMovedUser(_ user: UserID) async throws {
        try await writer.writeAlone(scope: .nobody) { try $0.removeMoved([user]) }
    }
}
