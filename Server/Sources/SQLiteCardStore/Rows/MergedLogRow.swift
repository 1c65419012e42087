import CardModel
import Foundation
import GRDB

/// The user whose events are in the log under the ID of a user who was merged into another.
///
/// There is no user of that id: a backend that creates one has the events moved first.
enum MergedLogRow {
    /// The ids under which a user's events are in the log; none for one whose events are another user's by now.
    ///
    /// - Parameter user: The parameter with the user's id.
    /// - Returns: A query in parentheses.
    static func ids(of user: String) -> String {
        """
        (SELECT \(user) WHERE NOT EXISTS (SELECT 1 FROM merged_logs WHERE former_id = \(user))
        UNION ALL SELECT former_id FROM merged_logs WHERE user_id = \(user))
        """
    }

    /// The log with whose its events are, as ``StoredEvent`` reads it.
    static func events(_ index: String = "") -> String {
        """
        SELECT e.*, m.user_id AS owner FROM events AS e \(index)
        LEFT JOIN merged_logs AS m ON m.former_id = e.user_id
        """
    }

    /// Leaves the events of a user to another one, beside those that were left to the user.
    static func insert(_ former: UserID, of user: UserID, into database: Database) throws {
        let names: StatementArguments = ["old": former.rawValue, "new": user.rawValue]
        try database.execute(sql: "UPDATE merged_logs SET user_id = :new WHERE user_id = :old", arguments: names)
        try database.execute(
            sql: """
                INSERT INTO merged_logs (former_id, user_id)
                SELECT :old, :new WHERE EXISTS (SELECT 1 FROM events WHERE user_id = :old)
                """,
            arguments: names
        )
    }

    static func exists(in database: Database) throws -> Bool {
        try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM merged_logs)") ?? false
    }

    /// Moves events to those whose they are, at most as many as the limit says, and returns whether there are more.
    static func move(limit: Int, in database: Database) throws -> Bool {
        var left = limit
        while let former = try String.fetchOne(database, sql: "SELECT former_id FROM merged_logs LIMIT 1") {
            guard left > 0 else { return true }
            // safe: counts of rows
            left -= max(1, try move(UserID(rawValue: former), limit: left, in: database))
        }
        return false
    }

    /// Moves all events that are left under an id.
    static func moveAll(of former: UserID, in database: Database) throws {
        _ = try move(former, limit: nil, in: database)
    }

    /// Moves the events with the lowest ids, and forgets the former id after the last of them.
    private static func move(_ former: UserID, limit: Int?, in database: Database) throws -> Int {
        let user = try String.fetchOne(
            database,
            sql: "SELECT user_id FROM merged_logs WHERE former_id = ?",
            arguments: [former.rawValue]
        )
        guard let user else { return 0 }
        let last = try limit.flatMap { limit in
            try Data.fetchOne(
                database,
                sql: "SELECT id FROM events WHERE user_id = ? ORDER BY id LIMIT 1 OFFSET ?",
                // safe: one or more
                arguments: [former.rawValue, limit - 1]
            )
        }
        let end = last ?? Data(repeating: .max, count: 16)
        // Of an event that both have, the other one's stays, and is the only one that counts.
        try database.execute(
            sql: "UPDATE OR IGNORE events SET user_id = ? WHERE user_id = ? AND id <= ?",
            arguments: [user, former.rawValue, end]
        )
        let moved = database.changesCount
        try database.execute(
            sql: "DELETE FROM events WHERE user_id = ? AND id <= ?",
            arguments: [former.rawValue, end]
        )
        let removed = database.changesCount
        if last == nil {
            try database.execute(sql: "DELETE FROM merged_logs WHERE former_id = ?", arguments: [former.rawValue])
        }
        // safe: counts of rows
        return moved + removed
    }
}
