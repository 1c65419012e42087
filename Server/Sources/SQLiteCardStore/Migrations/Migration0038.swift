import GRDB

/// What members see of their sessions, and when the password was last given in them.
enum Migration0038: StoreMigration {
    static let identifier = "0038-sessions"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE sessions ADD COLUMN last_used_at REAL NOT NULL DEFAULT 0;
                ALTER TABLE sessions ADD COLUMN confirmed_at REAL NOT NULL DEFAULT 0;
                ALTER TABLE sessions ADD COLUMN address TEXT NOT NULL DEFAULT '';
                ALTER TABLE sessions ADD COLUMN browser TEXT NOT NULL DEFAULT '';

                UPDATE sessions SET last_used_at = created_at,
                    expires_at = min(expires_at, created_at + 30 * 86400);
                """
        )
    }
}
