extension Baseline {
    /// The tables of what users were given, and what entitles them to more.
    static let cards = """
        CREATE TABLE deliveries (
            user_id \(ColumnType.text) NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            card_id \(ColumnType.text) NOT NULL,
            campaign_id \(ColumnType.text) NOT NULL,
            ordinal BIGINT NOT NULL,
            variant_id \(ColumnType.text) NOT NULL,
            delivered_at \(ColumnType.time) NOT NULL,
            position BIGINT NOT NULL,
            changed_at BIGINT NOT NULL,
            viewed BOOLEAN NOT NULL DEFAULT FALSE,
            clicked BOOLEAN NOT NULL DEFAULT FALSE,
            dismissed BOOLEAN NOT NULL DEFAULT FALSE,
            ended \(ColumnType.text),
            viewed_at \(ColumnType.time),
            clicked_at \(ColumnType.time),
            dismissed_at \(ColumnType.time),
            first_viewed_at \(ColumnType.time),
            trigger_id \(ColumnType.text),
            properties \(ColumnType.text),
            rendered \(ColumnType.text),
            PRIMARY KEY (user_id, card_id)
        ) WITH (fillfactor = 80);

        CREATE TABLE test_cards (
            user_id \(ColumnType.text) NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            card_id \(ColumnType.text) NOT NULL,
            campaign_id \(ColumnType.text) NOT NULL,
            variant_id \(ColumnType.text) NOT NULL,
            language \(ColumnType.text),
            members BYTEA NOT NULL,
            pinned BOOLEAN NOT NULL,
            priority BIGINT NOT NULL,
            sent_at \(ColumnType.time) NOT NULL,
            expires_at \(ColumnType.time) NOT NULL,
            viewed BOOLEAN NOT NULL DEFAULT FALSE,
            clicked BOOLEAN NOT NULL DEFAULT FALSE,
            dismissed BOOLEAN NOT NULL DEFAULT FALSE,
            replaced BOOLEAN NOT NULL DEFAULT FALSE,
            changed_at BIGINT NOT NULL,
            PRIMARY KEY (user_id, card_id)
        );

        CREATE TABLE triggers (
            user_id \(ColumnType.text) NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            campaign_id \(ColumnType.text) NOT NULL,
            trigger_id \(ColumnType.text) NOT NULL,
            at \(ColumnType.time) NOT NULL,
            due_at \(ColumnType.time) NOT NULL,
            due_locally BOOLEAN NOT NULL,
            until \(ColumnType.time) NOT NULL,
            properties \(ColumnType.text),
            outcome \(ColumnType.text),
            PRIMARY KEY (user_id, campaign_id, trigger_id)
        );
        CREATE INDEX waiting_triggers ON triggers (user_id, at, trigger_id) WHERE outcome IS NULL;

        CREATE TABLE broadcasts (
            campaign_id \(ColumnType.text) NOT NULL,
            trigger_id \(ColumnType.text) NOT NULL,
            at \(ColumnType.time) NOT NULL,
            due_at \(ColumnType.time) NOT NULL,
            due_locally BOOLEAN NOT NULL,
            until \(ColumnType.time) NOT NULL,
            properties \(ColumnType.text),
            audience \(ColumnType.text) NOT NULL,
            PRIMARY KEY (campaign_id, trigger_id)
        );
        CREATE INDEX broadcasts_by_end ON broadcasts (until);

        CREATE TABLE schedules (
            campaign_id \(ColumnType.text) NOT NULL,
            trigger_id \(ColumnType.text) NOT NULL,
            users \(ColumnType.text) NOT NULL,
            until \(ColumnType.time) NOT NULL,
            PRIMARY KEY (campaign_id, trigger_id)
        );
        CREATE INDEX schedules_by_end ON schedules (until);

        CREATE TABLE withholdings (
            user_id \(ColumnType.text) NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            campaign_id \(ColumnType.text) NOT NULL,
            variant_id \(ColumnType.text) NOT NULL,
            kind \(ColumnType.text) NOT NULL,
            at \(ColumnType.time) NOT NULL,
            PRIMARY KEY (user_id, campaign_id, variant_id, kind)
        );
        """
}
