import GRDB

/// How many users each day brought to campaigns, over all campaigns but not their controls.
///
/// Somebody whom two campaigns reached counts twice. The triggers stand beside those that were there, and either may come
/// first.
enum Migration0020: StoreMigration {
    static let identifier = "0020-day-recipients"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE day_totals ADD COLUMN recipients INTEGER NOT NULL DEFAULT 0;
                UPDATE day_totals SET recipients = sums.recipients FROM (
                    SELECT c.local_day, sum(c.recipients) AS recipients FROM counts c
                    WHERE NOT \(isControl("c")) GROUP BY c.local_day
                ) sums WHERE sums.local_day = day_totals.local_day;
                \(note("recipients_added", "INSERT", "NEW.recipients <> 0", "NEW.recipients"))
                \(note(
                    "recipients_changed", "UPDATE OF recipients", "NEW.recipients <> OLD.recipients",
                    "NEW.recipients - OLD.recipients"
                ))
                """
        )
    }

    private static func isControl(_ counts: String) -> String {
        """
        EXISTS (
            SELECT 1 FROM controls WHERE campaign_id = \(counts).campaign_id AND variant_id = \(counts).variant_id
        )
        """
    }

    private static func note(_ name: String, _ event: String, _ condition: String, _ number: String) -> String {
        """
        CREATE TRIGGER \(name) AFTER \(event) ON counts WHEN \(condition) AND NOT \(isControl("NEW")) BEGIN
            INSERT INTO day_totals
                (local_day, delivered, impressions, unique_impressions, clicks, unique_clicks, dismissals,
                    decode_errors, recipients)
            VALUES (NEW.local_day, 0, 0, 0, 0, 0, 0, 0, \(number))
            ON CONFLICT (local_day) DO UPDATE SET recipients = recipients + excluded.recipients;
        END;
        """
    }
}
