import CardModel
import CardStore
import Foundation
import GRDB

/// The rest of a user who was merged into another: a keyed hash of the ID, and who they are now.
enum MergedUserRow {
    static func insert(_ user: UserID, into identity: UserID, at now: UnixTime, _ database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO merged_users (hash, user_id, merged_at) VALUES (?, ?, ?)",
            arguments: [try hash(of: user, database), identity.rawValue, now]
        )
    }

    /// Returns who a user is by now who was merged away, or `nil` for another user.
    static func identity(of user: UserID, in database: Database) throws -> UserID? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT user_id FROM merged_users WHERE hash = ?"),
            arguments: [try hash(of: user, database)]
        ).map(UserID.init(rawValue:))
    }

    /// Removes what is left of a user, and returns when they were merged, or `nil` where nothing is left.
    static func remove(_ user: UserID, from database: Database) throws -> UnixTime? {
        let hash = try hash(of: user, database)
        let time = try UnixTime.fetchOne(
            database.cachedStatement(sql: "SELECT merged_at FROM merged_users WHERE hash = ?"),
            arguments: [hash]
        )
        guard let time else { return nil }
        try database.execute(sql: "DELETE FROM merged_users WHERE hash = ?", arguments: [hash])
        return time
    }

    /// Takes those who became a user for deleted like that user, before the user is.
    ///
    /// Each ends as ``UserEnd/end(ofMergedAt:)`` says.
    static func erase(with end: UserEnd, _ database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO erased_users (hash, erased_at)
                SELECT hash, max(?, merged_at) FROM merged_users WHERE user_id = ?
                """,
            arguments: [end.at, end.user.rawValue]
        )
    }

    private static func hash(of user: UserID, _ database: Database) throws -> Data {
        Data(try StoreRow.pseudonyms(database).hash(of: user))
    }
}
