extension Baseline {
    /// The log, what it says of users, and what nodes tell each other.
    static let events = """
        CREATE TABLE log_head (
            id BIGINT PRIMARY KEY CHECK (id = 1),
            position BIGINT NOT NULL
        ) WITH (fillfactor = 10);
        INSERT INTO log_head VALUES (1, 0);

        CREATE TABLE events (
            position BIGINT PRIMARY KEY,
            user_id \(ColumnType.text) NOT NULL,
            id BYTEA NOT NULL,
            type \(ColumnType.text) NOT NULL,
            at \(ColumnType.time) NOT NULL,
            received_at \(ColumnType.time) NOT NULL,
            card_id \(ColumnType.text),
            campaign_id \(ColumnType.text),
            variant_id \(ColumnType.text),
            details \(ColumnType.text)
        );
        CREATE UNIQUE INDEX events_by_user ON events (user_id, id);

        CREATE TABLE histories (
            user_id \(ColumnType.text) NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            part BIGINT NOT NULL,
            name \(ColumnType.text) NOT NULL,
            currency \(ColumnType.text) NOT NULL,
            count BIGINT NOT NULL,
            first_at \(ColumnType.time) NOT NULL,
            last_at \(ColumnType.time) NOT NULL,
            revenue \(ColumnType.text) NOT NULL,
            recent BYTEA NOT NULL,
            PRIMARY KEY (user_id, part, name, currency)
        ) WITH (fillfactor = 80);

        CREATE TABLE conversions (
            user_id \(ColumnType.text) NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            campaign_id \(ColumnType.text) NOT NULL,
            conversion \(ColumnType.text) NOT NULL,
            card_id \(ColumnType.text) NOT NULL,
            at \(ColumnType.time) NOT NULL,
            PRIMARY KEY (user_id, campaign_id, conversion, card_id)
        );

        CREATE TABLE spending (
            user_id \(ColumnType.text) NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            campaign_id \(ColumnType.text) NOT NULL,
            conversion \(ColumnType.text) NOT NULL,
            currency \(ColumnType.text) NOT NULL,
            amount \(ColumnType.text) NOT NULL,
            purchases BIGINT NOT NULL,
            first_at \(ColumnType.time) NOT NULL,
            PRIMARY KEY (user_id, campaign_id, conversion, currency)
        );

        CREATE TABLE signals (
            slot BIGINT PRIMARY KEY,
            owner BIGINT,
            leased_until \(ColumnType.time) NOT NULL DEFAULT 0,
            catalog_changes BIGINT NOT NULL DEFAULT 0,
            user_changes BIGINT NOT NULL DEFAULT 0
        ) WITH (fillfactor = 20);
        INSERT INTO signals (slot) SELECT * FROM generate_series(0, 63);

        CREATE TABLE user_signals (
            slot BIGINT NOT NULL,
            sequence BIGINT NOT NULL,
            writer BIGINT NOT NULL,
            user_id \(ColumnType.text) NOT NULL,
            device \(ColumnType.text),
            removed BOOLEAN NOT NULL,
            at \(ColumnType.time) NOT NULL,
            PRIMARY KEY (slot, sequence)
        );
        """
}
