/// Adds what several databases need among which users are spread; see the decision 106.
///
/// The user of a merged log may live in another database, so no foreign key leads there any more.
enum Migration0109 {
    static let migration = SchemaMigration(
        identifier: "0109-shards",
        statements: [home, everywhere, users, "ALTER TABLE merged_logs DROP CONSTRAINT merged_logs_user_id_fkey"]
    )

    /// The tables that are used at the home alone.
    private static let home = """
        CREATE TABLE shards (
            id BIGINT PRIMARY KEY CHECK (id > 0),
            added_at \(ColumnType.time) NOT NULL
        );

        CREATE TABLE placement (
            start BIGINT PRIMARY KEY,
            shard BIGINT NOT NULL
        );

        CREATE TABLE moves (
            start BIGINT PRIMARY KEY,
            stop BIGINT NOT NULL,
            source BIGINT NOT NULL,
            target BIGINT NOT NULL,
            source_placement BIGINT NOT NULL,
            target_placement BIGINT NOT NULL,
            is_placed BOOLEAN NOT NULL
        );

        CREATE TABLE event_index (
            position BIGINT PRIMARY KEY,
            shard BIGINT NOT NULL,
            start BIGINT NOT NULL,
            count BIGINT NOT NULL,
            UNIQUE (shard, start)
        );
        CREATE INDEX event_index_by_position ON event_index (shard, position);

        CREATE TABLE alias_claims (
            label \(ColumnType.text) NOT NULL,
            name \(ColumnType.text) NOT NULL,
            user_id \(ColumnType.text) NOT NULL,
            claimed_at \(ColumnType.time) NOT NULL,
            PRIMARY KEY (label, name)
        );
        CREATE INDEX alias_claims_by_user ON alias_claims (user_id);

        CREATE TABLE applied_outbox (
            shard BIGINT PRIMARY KEY,
            position BIGINT NOT NULL
        )
        """

    /// The columns of the store's own row, and what waits for the home.
    private static let everywhere = """
        ALTER TABLE store ADD COLUMN shard BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE store ADD COLUMN placement BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE store ADD COLUMN replicated BIGINT NOT NULL DEFAULT -1;
        ALTER TABLE signals ADD COLUMN databases BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE signals ADD COLUMN databases_of BIGINT;

        CREATE TABLE outbox (
            position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            kind \(ColumnType.text) NOT NULL,
            payload \(ColumnType.text) NOT NULL
        )
        """

    /// The tables about users who come from another database, or go there.
    private static let users = """
        CREATE TABLE departures (
            user_id \(ColumnType.text) PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
            identity \(ColumnType.text) NOT NULL,
            at \(ColumnType.time) NOT NULL
        );

        CREATE TABLE refused_departures (
            hash BYTEA NOT NULL,
            at \(ColumnType.time) NOT NULL,
            is_label_taken BOOLEAN NOT NULL,
            PRIMARY KEY (hash, at)
        );

        CREATE TABLE departed_users (
            hash BYTEA PRIMARY KEY,
            user_id \(ColumnType.text) NOT NULL,
            merged_at \(ColumnType.time) NOT NULL,
            sample_rank BIGINT
        );
        CREATE INDEX departed_users_by_user ON departed_users (user_id);
        CREATE INDEX departed_users_by_rank ON departed_users (sample_rank);
        ALTER TABLE erased_users ADD COLUMN sample_rank BIGINT;
        CREATE INDEX erased_users_by_rank ON erased_users (sample_rank);
        ALTER TABLE merged_users ADD COLUMN sample_rank BIGINT;
        CREATE INDEX merged_users_by_rank ON merged_users (sample_rank);

        CREATE TABLE moved_events (
            user_id \(ColumnType.text) NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            id BYTEA NOT NULL,
            type \(ColumnType.text) NOT NULL,
            at \(ColumnType.time) NOT NULL,
            details \(ColumnType.text),
            shard BIGINT NOT NULL,
            PRIMARY KEY (user_id, id)
        )
        """
}
