import GRDB

/// Remembers which users were erased, by keyed hashes of their ids.
enum Migration0043: StoreMigration {
    static let identifier = "0043-erased-users"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: "CREATE TABLE erased_users (hash BLOB PRIMARY KEY, erased_at REAL NOT NULL) WITHOUT ROWID"
        )
    }
}
