/// Adds when an event arrived that another database has in its log, so that what is known of it is forgotten with it.
///
/// Of those that are there already it isn't known, and they stay as long as ones that arrive now.
enum Migration0110 {
    static let migration = SchemaMigration(
        identifier: "0110-moved-events",
        statements: [
            """
            ALTER TABLE moved_events
                ADD COLUMN received_at \(ColumnType.time) NOT NULL DEFAULT extract(epoch FROM now());
            CREATE INDEX moved_events_by_arrival ON moved_events (received_at)
            """
        ]
    )
}
