extension Baseline {
    /// The tables of what was counted.
    ///
    /// A node adds to the rows of its slot, and readers sum over the slots.
    static let counts = """
        CREATE TABLE counts (
            slot BIGINT NOT NULL,
            campaign_id \(ColumnType.text) NOT NULL,
            utc_day BIGINT NOT NULL,
            local_day BIGINT NOT NULL,
            variant_id \(ColumnType.text) NOT NULL,
            delivered BIGINT NOT NULL,
            impressions BIGINT NOT NULL,
            unique_impressions BIGINT NOT NULL,
            clicks BIGINT NOT NULL,
            unique_clicks BIGINT NOT NULL,
            dismissals BIGINT NOT NULL,
            decode_errors BIGINT NOT NULL,
            recipients BIGINT NOT NULL,
            PRIMARY KEY (campaign_id, utc_day, local_day, variant_id, slot)
        ) WITH (fillfactor = 50);

        CREATE TABLE day_totals (
            slot BIGINT NOT NULL,
            local_day BIGINT NOT NULL,
            delivered BIGINT NOT NULL,
            impressions BIGINT NOT NULL,
            unique_impressions BIGINT NOT NULL,
            clicks BIGINT NOT NULL,
            unique_clicks BIGINT NOT NULL,
            dismissals BIGINT NOT NULL,
            decode_errors BIGINT NOT NULL,
            recipients BIGINT NOT NULL,
            PRIMARY KEY (local_day, slot)
        ) WITH (fillfactor = 50);

        CREATE TABLE conversion_counts (
            slot BIGINT NOT NULL,
            campaign_id \(ColumnType.text) NOT NULL,
            utc_day BIGINT NOT NULL,
            local_day BIGINT NOT NULL,
            variant_id \(ColumnType.text) NOT NULL,
            conversion \(ColumnType.text) NOT NULL,
            conversions BIGINT NOT NULL,
            unique_conversions BIGINT NOT NULL,
            PRIMARY KEY (campaign_id, utc_day, local_day, variant_id, conversion, slot)
        ) WITH (fillfactor = 50);

        CREATE TABLE amount_counts (
            slot BIGINT NOT NULL,
            campaign_id \(ColumnType.text) NOT NULL,
            utc_day BIGINT NOT NULL,
            local_day BIGINT NOT NULL,
            variant_id \(ColumnType.text) NOT NULL,
            conversion \(ColumnType.text) NOT NULL,
            currency \(ColumnType.text) NOT NULL,
            purchases BIGINT NOT NULL,
            buyers BIGINT NOT NULL,
            amount NUMERIC NOT NULL,
            squares DOUBLE PRECISION NOT NULL,
            PRIMARY KEY (campaign_id, utc_day, local_day, variant_id, conversion, currency, slot)
        ) WITH (fillfactor = 50);

        CREATE TABLE divisions (
            slot BIGINT NOT NULL,
            campaign_id \(ColumnType.text) NOT NULL,
            weights \(ColumnType.text) NOT NULL,
            variant_id \(ColumnType.text) NOT NULL,
            users BIGINT NOT NULL,
            PRIMARY KEY (campaign_id, weights, variant_id, slot)
        ) WITH (fillfactor = 50);

        CREATE TABLE problems (
            campaign_id \(ColumnType.text) NOT NULL,
            variant_id \(ColumnType.text) NOT NULL,
            class_type \(ColumnType.text) NOT NULL,
            field \(ColumnType.text) NOT NULL,
            message \(ColumnType.text) NOT NULL,
            count BIGINT NOT NULL,
            last_at \(ColumnType.time) NOT NULL,
            PRIMARY KEY (campaign_id, variant_id, class_type, field)
        );

        CREATE TABLE withheld_counts (
            campaign_id \(ColumnType.text) NOT NULL,
            utc_day BIGINT NOT NULL,
            local_day BIGINT NOT NULL,
            variant_id \(ColumnType.text) NOT NULL,
            kind \(ColumnType.text) NOT NULL,
            reason \(ColumnType.text) NOT NULL,
            users BIGINT NOT NULL,
            PRIMARY KEY (campaign_id, utc_day, local_day, variant_id, kind, reason)
        );
        """
}
