import GRDB

/// What entitles users to cards: one small row for each recipient of a trigger, one in all for a broadcast.
///
/// The partial index holds only what still waits, so that reading it costs nothing for users for whom nothing does.
enum Migration0007: StoreMigration {
    static let identifier = "0007-triggers"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE triggers (
                    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                    campaign_id TEXT NOT NULL,
                    trigger_id TEXT NOT NULL,
                    at REAL NOT NULL,
                    due_at REAL NOT NULL,
                    due_locally INTEGER NOT NULL,
                    until REAL NOT NULL,
                    properties TEXT,
                    outcome TEXT,
                    PRIMARY KEY (user_id, campaign_id, trigger_id)
                ) WITHOUT ROWID;
                CREATE INDEX waiting_triggers ON triggers (user_id, at, trigger_id) WHERE outcome IS NULL;

                CREATE TABLE broadcasts (
                    campaign_id TEXT NOT NULL,
                    trigger_id TEXT NOT NULL,
                    at REAL NOT NULL,
                    due_at REAL NOT NULL,
                    due_locally INTEGER NOT NULL,
                    until REAL NOT NULL,
                    properties TEXT,
                    audience TEXT NOT NULL,
                    PRIMARY KEY (campaign_id, trigger_id)
                ) WITHOUT ROWID;
                CREATE INDEX broadcasts_by_end ON broadcasts (until);

                ALTER TABLE deliveries ADD COLUMN trigger_id TEXT;
                ALTER TABLE deliveries ADD COLUMN properties TEXT;
                ALTER TABLE deliveries ADD COLUMN rendered TEXT;
                """
        )
    }
}
