import GRDB

/// Remembers who users became that were merged away, by keyed hashes of their ids.
enum Migration0056: StoreMigration {
    static let identifier = "0056-merged-users"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE merged_users (
                    hash BLOB PRIMARY KEY,
                    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                    merged_at REAL NOT NULL
                ) WITHOUT ROWID;
                CREATE INDEX merged_users_by_user ON merged_users (user_id);
                """
        )
    }
}
