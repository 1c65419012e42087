extension Baseline {
    /// The tables of what the team writes, with every version of it.
    static let campaigns = """
        CREATE TABLE campaigns (
            id \(ColumnType.text) PRIMARY KEY,
            name \(ColumnType.text) NOT NULL,
            folded_name \(ColumnType.text) NOT NULL,
            content \(ColumnType.text) NOT NULL,
            status \(ColumnType.text) NOT NULL,
            withdrawn BOOLEAN NOT NULL,
            has_segments BOOLEAN NOT NULL,
            has_conversions BOOLEAN NOT NULL,
            version BIGINT NOT NULL,
            generation BIGINT NOT NULL,
            created_at \(ColumnType.time) NOT NULL,
            updated_at \(ColumnType.time) NOT NULL,
            launched_at \(ColumnType.time)
        );
        CREATE INDEX campaigns_by_status ON campaigns (status, updated_at DESC, id DESC);
        CREATE INDEX campaigns_by_time ON campaigns (updated_at DESC, id DESC);
        CREATE INDEX campaigns_by_age ON campaigns (created_at, id);
        CREATE INDEX campaigns_launched ON campaigns (launched_at, id) INCLUDE (version) WHERE launched_at IS NOT NULL;
        CREATE INDEX campaigns_converting ON campaigns (id) INCLUDE (version)
            WHERE launched_at IS NOT NULL AND status <> 'archived' AND has_conversions;

        CREATE TABLE campaign_tags (
            tag \(ColumnType.text) NOT NULL,
            campaign_id \(ColumnType.text) NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
            PRIMARY KEY (tag, campaign_id)
        );
        CREATE INDEX campaign_tags_by_campaign ON campaign_tags (campaign_id);

        CREATE TABLE controls (
            campaign_id \(ColumnType.text) NOT NULL,
            variant_id \(ColumnType.text) NOT NULL,
            PRIMARY KEY (campaign_id, variant_id)
        );

        CREATE TABLE campaign_versions (
            campaign_id \(ColumnType.text) NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
            version BIGINT NOT NULL,
            at \(ColumnType.time) NOT NULL,
            actor \(ColumnType.text) NOT NULL,
            action \(ColumnType.text) NOT NULL,
            status \(ColumnType.text) NOT NULL,
            withdrawn BOOLEAN NOT NULL,
            launched_at \(ColumnType.time),
            changed \(ColumnType.text) NOT NULL,
            restores BIGINT,
            content \(ColumnType.text),
            PRIMARY KEY (campaign_id, version)
        );

        CREATE TABLE segments (
            id \(ColumnType.text) PRIMARY KEY,
            content \(ColumnType.text) NOT NULL,
            archived BOOLEAN NOT NULL,
            version BIGINT NOT NULL,
            created_at \(ColumnType.time) NOT NULL,
            updated_at \(ColumnType.time) NOT NULL
        );
        CREATE INDEX segments_by_change ON segments (updated_at DESC, id);

        CREATE TABLE content_types (
            class_type \(ColumnType.text) PRIMARY KEY,
            schema \(ColumnType.text) NOT NULL,
            updated_at \(ColumnType.time) NOT NULL
        );

        CREATE TABLE content_type_proposals (
            position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id \(ColumnType.text) NOT NULL UNIQUE,
            key_id \(ColumnType.text) NOT NULL,
            app_version \(ColumnType.text) NOT NULL,
            types \(ColumnType.text) NOT NULL,
            updated_at \(ColumnType.time) NOT NULL,
            dismissed BOOLEAN NOT NULL DEFAULT FALSE,
            UNIQUE (key_id, app_version)
        );

        CREATE TABLE content_blocks (
            name \(ColumnType.text) PRIMARY KEY,
            content \(ColumnType.text) NOT NULL,
            description \(ColumnType.text) NOT NULL,
            updated_at \(ColumnType.time) NOT NULL
        );
        """
}
