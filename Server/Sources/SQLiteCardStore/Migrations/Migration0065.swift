import GRDB

/// Adds the messages to members that wait to be sent, and the language that members have chosen.
enum Migration0065: StoreMigration {
    static let identifier = "0065-mails"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE mails (
                    id TEXT PRIMARY KEY NOT NULL,
                    recipient TEXT NOT NULL REFERENCES members (email) ON DELETE CASCADE,
                    kind TEXT NOT NULL,
                    language TEXT,
                    sealed_content BLOB NOT NULL,
                    created_at REAL NOT NULL,
                    expires_at REAL NOT NULL,
                    next_attempt_at REAL NOT NULL,
                    failures INTEGER NOT NULL DEFAULT 0,
                    failure TEXT,
                    failed_at REAL,
                    worker TEXT
                ) WITHOUT ROWID;
                CREATE INDEX mails_by_recipient ON mails (recipient);
                CREATE INDEX mails_by_attempt ON mails (next_attempt_at, id);
                ALTER TABLE members ADD COLUMN language TEXT;
                """
        )
    }
}
