/// Marks the triggers that were scheduled, in place of a list of users for each schedule.
///
/// A list forgot the users of an earlier request of the same id, and kept those who were deleted. The partial index
/// holds only what may still be put off or canceled.
enum Migration0062 {
    static let migration = SchemaMigration(
        identifier: "0062-scheduled-triggers",
        statements: [
            "ALTER TABLE triggers ADD COLUMN is_scheduled BOOLEAN NOT NULL DEFAULT FALSE",
            """
            UPDATE triggers AS t SET is_scheduled = TRUE FROM schedules AS s
            WHERE t.outcome IS NULL AND s.campaign_id = t.campaign_id AND s.trigger_id = t.trigger_id
                AND t.user_id = ANY (SELECT jsonb_array_elements_text(s.users::JSONB))
            """,
            "DROP TABLE schedules",
            """
            CREATE INDEX scheduled_triggers ON triggers (campaign_id, trigger_id) WHERE is_scheduled AND outcome IS NULL
            """,
        ]
    )
}
