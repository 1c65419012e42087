import GRDB

/// Marks the triggers that were scheduled, in place of a list of users for each schedule.
///
/// A list forgot the users of an earlier request of the same id, and kept those who were deleted. The partial index
/// holds only what may still be put off or canceled.
enum Migration0062: StoreMigration {
    static let identifier = "0062-scheduled-triggers"

    static func apply(to database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE triggers ADD COLUMN is_scheduled INTEGER NOT NULL DEFAULT 0;
                UPDATE triggers SET is_scheduled = 1
                WHERE outcome IS NULL AND EXISTS (
                    SELECT 1 FROM schedules AS s, json_each(s.users) AS u
                    WHERE s.campaign_id = triggers.campaign_id AND s.trigger_id = triggers.trigger_id
                        AND u.value = triggers.user_id
                );
                DROP TABLE schedules;
                CREATE INDEX scheduled_triggers ON triggers (campaign_id, trigger_id)
                WHERE is_scheduled = 1 AND outcome IS NULL;
                """
        )
    }
}
