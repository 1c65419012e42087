import GRDB

/// Keeps the cards that members send to users to try them, and the users who get them by default.
enum Migration0054: StoreMigration {
    static let identifier = "0054-test-cards"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE test_cards (
                    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                    card_id TEXT NOT NULL,
                    campaign_id TEXT NOT NULL,
                    variant_id TEXT NOT NULL,
                    language TEXT,
                    members BLOB NOT NULL,
                    pinned INTEGER NOT NULL,
                    priority INTEGER NOT NULL,
                    sent_at REAL NOT NULL,
                    expires_at REAL NOT NULL,
                    viewed INTEGER NOT NULL DEFAULT 0,
                    clicked INTEGER NOT NULL DEFAULT 0,
                    dismissed INTEGER NOT NULL DEFAULT 0,
                    replaced INTEGER NOT NULL DEFAULT 0,
                    changed_at INTEGER NOT NULL,
                    PRIMARY KEY (user_id, card_id)
                ) WITHOUT ROWID;
                CREATE TABLE test_users (
                    user_id TEXT NOT NULL PRIMARY KEY,
                    position INTEGER NOT NULL
                ) WITHOUT ROWID;
                """
        )
    }
}
