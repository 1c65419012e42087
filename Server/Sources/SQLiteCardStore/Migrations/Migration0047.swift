import GRDB

/// What the webhook is still to hear of users who are gone.
///
/// A number is never given twice, so that a worker which acknowledges late takes nothing with it.
enum Migration0047: StoreMigration {
    static let identifier = "0047-webhook-notices"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE webhook_notices (
                    position INTEGER PRIMARY KEY AUTOINCREMENT,
                    id BLOB NOT NULL,
                    kind TEXT NOT NULL,
                    user_id TEXT NOT NULL,
                    details TEXT NOT NULL,
                    at REAL NOT NULL
                );
                ALTER TABLE webhooks ADD COLUMN dropped_notices INTEGER NOT NULL DEFAULT 0;
                """
        )
    }
}
