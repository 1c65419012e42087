import GRDB

/// Campaigns, what was counted of them, and what devices could not decode.
enum Migration0002: StoreMigration {
    static let identifier = "0002-campaigns"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE campaigns (
                    id TEXT PRIMARY KEY NOT NULL,
                    content TEXT NOT NULL,
                    status TEXT NOT NULL,
                    withdrawn INTEGER NOT NULL,
                    version INTEGER NOT NULL,
                    generation INTEGER NOT NULL,
                    created_at REAL NOT NULL,
                    updated_at REAL NOT NULL,
                    launched_at REAL
                );
                CREATE INDEX campaigns_by_change ON campaigns (updated_at DESC, id);

                CREATE TABLE counts (
                    campaign_id TEXT NOT NULL,
                    utc_day INTEGER NOT NULL,
                    local_day INTEGER NOT NULL,
                    variant_id TEXT NOT NULL,
                    delivered INTEGER NOT NULL,
                    impressions INTEGER NOT NULL,
                    unique_impressions INTEGER NOT NULL,
                    clicks INTEGER NOT NULL,
                    unique_clicks INTEGER NOT NULL,
                    dismissals INTEGER NOT NULL,
                    decode_errors INTEGER NOT NULL,
                    PRIMARY KEY (campaign_id, utc_day, local_day, variant_id)
                ) WITHOUT ROWID;

                CREATE TABLE problems (
                    campaign_id TEXT NOT NULL,
                    variant_id TEXT NOT NULL,
                    class_type TEXT NOT NULL,
                    field TEXT NOT NULL,
                    message TEXT NOT NULL,
                    count INTEGER NOT NULL,
                    last_at REAL NOT NULL,
                    PRIMARY KEY (campaign_id, variant_id, class_type, field)
                ) WITHOUT ROWID;
                """
        )
    }
}
