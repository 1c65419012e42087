import GRDB

/// The log of events: only ever appended to, and read by position.
///
/// `AUTOINCREMENT` keeps a position from being given out twice after a user's events were deleted, so that whoever
/// follows the log may remember how far they are.
enum Migration0003: StoreMigration {
    static let identifier = "0003-events"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE events (
                    position INTEGER PRIMARY KEY AUTOINCREMENT,
                    user_id TEXT NOT NULL,
                    id BLOB NOT NULL,
                    type TEXT NOT NULL,
                    at REAL NOT NULL,
                    received_at REAL NOT NULL,
                    card_id TEXT,
                    campaign_id TEXT,
                    variant_id TEXT,
                    details TEXT
                );
                CREATE UNIQUE INDEX events_by_user ON events (user_id, id);
                """
        )
    }
}
