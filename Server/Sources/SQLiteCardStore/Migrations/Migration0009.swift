import GRDB

/// What campaigns bring users to do, what that is worth, and how users were divided among variants.
///
/// `conversions` and `spending` belong to users and go with them; the counts stay.
enum Migration0009: StoreMigration {
    static let identifier = "0009-conversions"
    static let rewritesUsers = true

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE deliveries ADD COLUMN first_viewed_at REAL;
                UPDATE deliveries SET first_viewed_at = (
                    SELECT min(at) FROM events
                    WHERE events.user_id = deliveries.user_id AND events.card_id = deliveries.card_id
                        AND type = 'impression'
                ) WHERE viewed <> 0;

                ALTER TABLE counts ADD COLUMN recipients INTEGER NOT NULL DEFAULT 0;
                UPDATE counts SET recipients = delivered;

                CREATE TABLE conversions (
                    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                    campaign_id TEXT NOT NULL,
                    conversion TEXT NOT NULL,
                    card_id TEXT NOT NULL,
                    at REAL NOT NULL,
                    PRIMARY KEY (user_id, campaign_id, conversion, card_id)
                ) WITHOUT ROWID;

                CREATE TABLE spending (
                    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                    campaign_id TEXT NOT NULL,
                    conversion TEXT NOT NULL,
                    currency TEXT NOT NULL,
                    amount REAL NOT NULL,
                    PRIMARY KEY (user_id, campaign_id, conversion, currency)
                ) WITHOUT ROWID;

                CREATE TABLE conversion_counts (
                    campaign_id TEXT NOT NULL,
                    utc_day INTEGER NOT NULL,
                    local_day INTEGER NOT NULL,
                    variant_id TEXT NOT NULL,
                    conversion TEXT NOT NULL,
                    conversions INTEGER NOT NULL,
                    unique_conversions INTEGER NOT NULL,
                    PRIMARY KEY (campaign_id, utc_day, local_day, variant_id, conversion)
                ) WITHOUT ROWID;

                CREATE TABLE amount_counts (
                    campaign_id TEXT NOT NULL,
                    utc_day INTEGER NOT NULL,
                    local_day INTEGER NOT NULL,
                    variant_id TEXT NOT NULL,
                    conversion TEXT NOT NULL,
                    currency TEXT NOT NULL,
                    purchases INTEGER NOT NULL,
                    buyers INTEGER NOT NULL,
                    amount REAL NOT NULL,
                    squares REAL NOT NULL,
                    PRIMARY KEY (campaign_id, utc_day, local_day, variant_id, conversion, currency)
                ) WITHOUT ROWID;

                CREATE TABLE divisions (
                    campaign_id TEXT NOT NULL,
                    weights TEXT NOT NULL,
                    variant_id TEXT NOT NULL,
                    users INTEGER NOT NULL,
                    PRIMARY KEY (campaign_id, weights, variant_id)
                ) WITHOUT ROWID;
                """
        )
    }
}
