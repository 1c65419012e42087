import CardModel
import CardStore
import Foundation
import GRDB

/// The rest of a user who was deleted: a keyed hash of the ID, so that a device that was offline can't undo it.
enum ErasedUserRow {
    static func insert(_ user: UserID, at now: UnixTime, into database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO erased_users (hash, erased_at) VALUES (?, ?)",
            arguments: [try hash(of: user, database), now]
        )
    }

    /// Returns those of some users who were deleted at a time or later, and aren't there again.
    static func users(among users: [UserID], since time: UnixTime, in database: Database) throws -> Set<UserID> {
        let statement = try database.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM erased_users WHERE hash = ? AND erased_at >= ?)"
        )
        let pseudonyms = try StoreRow.pseudonyms(database)
        return Set(
            try users.filter { user in
                try Bool.fetchOne(statement, arguments: [Data(pseudonyms.hash(of: user)), time]) ?? false
            }
        )
    }

    /// Removes what is left of a user, and returns when they were deleted, or `nil` where nothing is left.
    static func remove(_ user: UserID, from database: Database) throws -> UnixTime? {
        let hash = try hash(of: user, database)
        let time = try UnixTime.fetchOne(
            database.cachedStatement(sql: "SELECT erased_at FROM erased_users WHERE hash = ?"),
            arguments: [hash]
        )
        guard let time else { return nil }
        try database.execute(sql: "DELETE FROM erased_users WHERE hash = ?", arguments: [hash])
        return time
    }

    private static func hash(of user: UserID, _ database: Database) throws -> Data {
        Data(try StoreRow.pseudonyms(database).hash(of: user))
    }
}
