import GRDB

/// Content blocks, and what templates kept from whom.
///
/// `withholdings` belongs to users, so that each counts once; the counts stay when a user goes.
enum Migration0010: StoreMigration {
    static let identifier = "0010-templates"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE content_blocks (
                    name TEXT PRIMARY KEY NOT NULL,
                    content TEXT NOT NULL,
                    description TEXT NOT NULL,
                    updated_at REAL NOT NULL
                ) WITHOUT ROWID;

                CREATE TABLE withholdings (
                    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                    campaign_id TEXT NOT NULL,
                    variant_id TEXT NOT NULL,
                    kind TEXT NOT NULL,
                    at REAL NOT NULL,
                    PRIMARY KEY (user_id, campaign_id, variant_id, kind)
                ) WITHOUT ROWID;

                CREATE TABLE withheld_counts (
                    campaign_id TEXT NOT NULL,
                    utc_day INTEGER NOT NULL,
                    local_day INTEGER NOT NULL,
                    variant_id TEXT NOT NULL,
                    kind TEXT NOT NULL,
                    reason TEXT NOT NULL,
                    users INTEGER NOT NULL,
                    PRIMARY KEY (campaign_id, utc_day, local_day, variant_id, kind, reason)
                ) WITHOUT ROWID;
                """
        )
    }
}
