import GRDB

/// Remembers whose events are in the log under an earlier id, so that a merge needn't move them all at once.
enum Migration0064: StoreMigration {
    static let identifier = "0064-merged-logs"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE merged_logs (
                    former_id TEXT PRIMARY KEY NOT NULL,
                    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE
                ) WITHOUT ROWID;
                CREATE INDEX merged_logs_by_user ON merged_logs (user_id);
                """
        )
    }
}
