import GRDB

/// What lists and overviews need, so that they read what they show and no more.
///
/// The database keeps all of it up to date itself: the statements that write campaigns, users and counts stay as they
/// are.
enum Migration0016: StoreMigration {
    static let identifier = "0016-browsing"

    private static let columns = [
        "delivered", "impressions", "unique_impressions", "clicks", "unique_clicks", "dismissals", "decode_errors",
    ]

    static func apply(to database: Database) throws {
        try database.execute(sql: campaigns)
        try database.execute(sql: days)
    }

    private static let campaigns = """
        ALTER TABLE campaigns ADD COLUMN name TEXT GENERATED ALWAYS AS (json_extract(content, '$.name')) VIRTUAL;
        CREATE INDEX campaigns_by_status ON campaigns (status, updated_at DESC, id DESC, name);
        CREATE INDEX campaigns_by_time ON campaigns (updated_at DESC, id DESC, status, name);

        CREATE TABLE campaign_tags (
            tag TEXT NOT NULL,
            campaign_id TEXT NOT NULL,
            PRIMARY KEY (tag, campaign_id)
        ) WITHOUT ROWID;
        CREATE INDEX campaign_tags_by_campaign ON campaign_tags (campaign_id);

        CREATE TABLE controls (
            campaign_id TEXT NOT NULL,
            variant_id TEXT NOT NULL,
            PRIMARY KEY (campaign_id, variant_id)
        ) WITHOUT ROWID;

        \(noteCampaign("campaigns_added", "INSERT", ""))
        \(noteCampaign("campaigns_changed", "UPDATE OF content", "WHEN NEW.content <> OLD.content"))
        INSERT OR IGNORE INTO campaign_tags
            SELECT t.value, c.id FROM campaigns c, json_each(c.content, '$.tags') t;
        INSERT OR IGNORE INTO controls
            SELECT c.id, json_extract(v.value, '$.id') FROM campaigns c, json_each(c.content, '$.variants') v
            WHERE json_extract(v.value, '$.control');
        """

    private static func noteCampaign(_ name: String, _ event: String, _ condition: String) -> String {
        """
        CREATE TRIGGER \(name) AFTER \(event) ON campaigns \(condition) BEGIN
            DELETE FROM campaign_tags WHERE campaign_id = NEW.id;
            DELETE FROM controls WHERE campaign_id = NEW.id;
            INSERT OR IGNORE INTO campaign_tags SELECT value, NEW.id FROM json_each(NEW.content, '$.tags');
            INSERT OR IGNORE INTO controls
                SELECT NEW.id, json_extract(value, '$.id') FROM json_each(NEW.content, '$.variants')
                WHERE json_extract(value, '$.control');
        END;
        """
    }

    private static var days: String {
        let definitions = columns.map { "\($0) INTEGER NOT NULL" }.joined(separator: ", ")
        let sums = columns.map { "\($0) = \($0) + excluded.\($0)" }.joined(separator: ", ")
        func note(_ name: String, _ event: String, _ values: [String]) -> String {
            """
            CREATE TRIGGER \(name) AFTER \(event) ON counts
            WHEN NOT EXISTS (
                SELECT 1 FROM controls WHERE campaign_id = NEW.campaign_id AND variant_id = NEW.variant_id
            ) BEGIN
                INSERT INTO day_totals (local_day, \(columns.joined(separator: ", ")))
                VALUES (NEW.local_day, \(values.joined(separator: ", ")))
                ON CONFLICT (local_day) DO UPDATE SET \(sums);
            END;
            """
        }
        return """
            CREATE TABLE day_totals (local_day INTEGER PRIMARY KEY NOT NULL, \(definitions));
            INSERT INTO day_totals
                SELECT local_day, \(columns.map { "sum(\($0))" }.joined(separator: ", ")) FROM counts
                WHERE NOT EXISTS (
                    SELECT 1 FROM controls
                    WHERE controls.campaign_id = counts.campaign_id AND controls.variant_id = counts.variant_id
                )
                GROUP BY local_day;
            \(note("counts_added", "INSERT", columns.map { "NEW.\($0)" }))
            \(note("counts_changed", "UPDATE", columns.map { "NEW.\($0) - OLD.\($0)" }))
            """
    }
}
