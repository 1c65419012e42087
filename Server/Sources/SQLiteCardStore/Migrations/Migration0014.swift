import GRDB

/// Where events are sent, how far that is, and which process does it at present.
enum Migration0014: StoreMigration {
    static let identifier = "0014-webhooks"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE webhooks (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    url TEXT NOT NULL,
                    secret TEXT NOT NULL,
                    types TEXT NOT NULL,
                    created_at REAL NOT NULL,
                    position INTEGER NOT NULL,
                    failures INTEGER NOT NULL,
                    next_attempt_at REAL NOT NULL,
                    last_success_at REAL,
                    last_failure_at REAL,
                    last_failure TEXT,
                    worker TEXT,
                    worker_until REAL NOT NULL DEFAULT 0
                );
                """
        )
    }
}
