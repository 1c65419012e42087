import CardStore
import GRDB

/// What is wrong with the rows of a database of which every page can be read.
enum DatabaseFlaws {
    /// Databases of at most that many bytes are read as a whole.
    private static let smallBytes: Int64 = 256 << 20

    /// Says what is wrong with the rows of a database of this version, but for a count that `placard repair` corrects.
    ///
    /// - Parameter database: A whole database, such as a copy.
    /// - Returns: A sentence each; nothing of one of another version.
    /// - Throws: What keeps it from being read.
    static func all(in database: Database) throws -> [String] {
        guard try Schema.stepsDone(in: database).count == Schema.migrations.count else { return [] }
        var flaws = [try ownRow(in: database)].compactMap(\.self)
        // Of a large one, this takes as long as all of the rest.
        let bytes = try Int64.fetchOne(
            database,
            sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        )
        if let bytes, bytes <= smallBytes {
            flaws += try orphans(in: database).prefix(1).map { "\($0): the database was changed by other means." }
        }
        do {
            let found = try contents(in: database)
            if found.level == .bad { flaws.append(found.message) }
        } catch {
            flaws.append(StoreError(error).message)
        }
        return flaws
    }

    /// Says where the store's own row is missing, without which no server starts.
    static func ownRow(in database: Database) throws -> String? {
        let rows = try Int.fetchOne(database, sql: "SELECT count(*) FROM store WHERE length(user_hash_key) = 32") ?? 0
        return rows == 1 ? nil : "Its own row is missing or damaged."
    }

    /// Returns the number of users, and says where the database counts another.
    static func counters(in database: Database) throws -> (counted: Int64, problem: String?) {
        let kept = try StoreRow.userCount(database)
        let counted = try Int64.fetchOne(database, sql: "SELECT count(*) FROM users") ?? 0
        return (counted, kept == counted ? nil : "There are \(counted) users, but the database counts \(kept).")
    }

    /// Names tables with rows that belong to a row that isn't there.
    static func orphans(in database: Database) throws -> [String] {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT DISTINCT \"table\", parent FROM pragma_foreign_key_check LIMIT 10"
        )
        return rows.map { "\($0["table"] as String) has rows whose row of \($0["parent"] as String) is missing" }
    }

    /// Reads what lists and the catalog read, row by row.
    static func contents(in database: Database) throws -> StoreFinding {
        try StoredContents.finding(
            settings: { try StoreRow.settings(database) },
            rows: { contents, body in
                let sql = "SELECT * FROM \(contents.table) ORDER BY \(contents.name)"
                let rows = try Row.fetchCursor(database, sql: sql)
                while let row = try rows.next() { body(row) }
            },
            restoration: "placard restore FILE"
        )
    }
}
