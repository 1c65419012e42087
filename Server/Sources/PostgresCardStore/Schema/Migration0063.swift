/// Divides the log of events by the time in their ids, so that old ones are dropped as tables.
///
/// What is there already stays in a table of its own. It takes what devices made until the end of the next day, so
/// that nothing of a busy table has to be moved; ids that fit nowhere else go into another one.
enum Migration0063 {
    static let migration = SchemaMigration(
        identifier: "0063-event-partitions",
        statements: [
            """
            ALTER TABLE events RENAME TO events_old;
            ALTER TABLE events_old DROP CONSTRAINT events_pkey;
            ALTER INDEX events_by_user RENAME TO events_old_by_user;
            CREATE INDEX events_old_by_position ON events_old (position);

            CREATE TABLE events (
                position BIGINT NOT NULL,
                user_id \(ColumnType.text) NOT NULL,
                id BYTEA NOT NULL,
                type \(ColumnType.text) NOT NULL,
                at \(ColumnType.time) NOT NULL,
                received_at \(ColumnType.time) NOT NULL,
                card_id \(ColumnType.text),
                campaign_id \(ColumnType.text),
                variant_id \(ColumnType.text),
                details \(ColumnType.text)
            ) PARTITION BY RANGE (id);
            CREATE UNIQUE INDEX events_by_user ON events (user_id, id);
            CREATE INDEX events_by_position ON events (position);

            CREATE TABLE events_other PARTITION OF events DEFAULT;
            CREATE INDEX events_other_by_id ON events_other (id)
            """,
            // The bound is the end of tomorrow in UTC: six bytes of milliseconds, as ids begin with.
            """
            DO $$
            DECLARE
                bound TEXT := lpad(to_hex((extract(epoch FROM clock_timestamp())::BIGINT / 86400 + 2) *
                    86400000), 12, '0');
            BEGIN
                EXECUTE format(
                    'WITH moved AS (DELETE FROM events_old WHERE id >= %L RETURNING *) INSERT INTO events_other
                        SELECT * FROM moved',
                    '\\x' || bound
                );
                EXECUTE format('ALTER TABLE events ATTACH PARTITION events_old FOR VALUES FROM (MINVALUE) TO
                    (%L)', '\\x' || bound);
            END $$
            """,
        ]
    )
}
