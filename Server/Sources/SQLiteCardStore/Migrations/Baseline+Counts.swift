// What is counted of campaigns, by day and variant.
// It stays when users go.

extension Baseline {
    /// Deliveries, impressions, clicks and dismissals, and how users were divided among variants.
    static let counts = """
        CREATE TABLE counts (
            campaign_id TEXT NOT NULL,
            utc_day INTEGER NOT NULL,
            local_day INTEGER NOT NULL,
            variant_id TEXT NOT NULL,
            delivered INTEGER NOT NULL,
            impressions INTEGER NOT NULL,
            unique_impressions INTEGER NOT NULL,
            clicks INTEGER NOT NULL,
            unique_clicks INTEGER NOT NULL,
            dismissals INTEGER NOT NULL,
            decode_errors INTEGER NOT NULL,
            recipients INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (campaign_id, utc_day, local_day, variant_id)
        ) WITHOUT ROWID;

        CREATE TABLE divisions (
            campaign_id TEXT NOT NULL,
            weights TEXT NOT NULL,
            variant_id TEXT NOT NULL,
            users INTEGER NOT NULL,
            PRIMARY KEY (campaign_id, weights, variant_id)
        ) WITHOUT ROWID;

        CREATE TABLE problems (
            campaign_id TEXT NOT NULL,
            variant_id TEXT NOT NULL,
            class_type TEXT NOT NULL,
            field TEXT NOT NULL,
            message TEXT NOT NULL,
            count INTEGER NOT NULL,
            last_at REAL NOT NULL,
            PRIMARY KEY (campaign_id, variant_id, class_type, field)
        ) WITHOUT ROWID;
        """

    /// Conversions and revenue, and cards that templates suppressed.
    static let outcomes = """
        CREATE TABLE conversion_counts (
            campaign_id TEXT NOT NULL,
            utc_day INTEGER NOT NULL,
            local_day INTEGER NOT NULL,
            variant_id TEXT NOT NULL,
            conversion TEXT NOT NULL,
            conversions INTEGER NOT NULL,
            unique_conversions INTEGER NOT NULL,
            PRIMARY KEY (campaign_id, utc_day, local_day, variant_id, conversion)
        ) WITHOUT ROWID;

        CREATE TABLE amount_counts (
            campaign_id TEXT NOT NULL,
            utc_day INTEGER NOT NULL,
            local_day INTEGER NOT NULL,
            variant_id TEXT NOT NULL,
            conversion TEXT NOT NULL,
            currency TEXT NOT NULL,
            purchases INTEGER NOT NULL,
            buyers INTEGER NOT NULL,
            amount TEXT NOT NULL,
            squares REAL NOT NULL,
            PRIMARY KEY (campaign_id, utc_day, local_day, variant_id, conversion, currency)
        ) WITHOUT ROWID;

        CREATE TABLE withheld_counts (
            campaign_id TEXT NOT NULL,
            utc_day INTEGER NOT NULL,
            local_day INTEGER NOT NULL,
            variant_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            reason TEXT NOT NULL,
            users INTEGER NOT NULL,
            PRIMARY KEY (campaign_id, utc_day, local_day, variant_id, kind, reason)
        ) WITHOUT ROWID;
        """

    /// The sums over all campaigns without their controls; the database keeps them up to date itself.
    ///
    /// A user that two campaigns reached counts twice. Either of two triggers on the same change may come first.
    static let dayTotals = """
        CREATE TABLE day_totals (
            local_day INTEGER PRIMARY KEY NOT NULL,
            delivered INTEGER NOT NULL,
            impressions INTEGER NOT NULL,
            unique_impressions INTEGER NOT NULL,
            clicks INTEGER NOT NULL,
            unique_clicks INTEGER NOT NULL,
            dismissals INTEGER NOT NULL,
            decode_errors INTEGER NOT NULL,
            recipients INTEGER NOT NULL DEFAULT 0
        );

        CREATE TRIGGER counts_added AFTER INSERT ON counts
        WHEN NOT EXISTS (
            SELECT 1 FROM controls WHERE campaign_id = NEW.campaign_id AND variant_id = NEW.variant_id
        ) BEGIN
            INSERT INTO day_totals (local_day, delivered, impressions, unique_impressions, clicks,
                unique_clicks, dismissals, decode_errors)
            VALUES (NEW.local_day, NEW.delivered, NEW.impressions, NEW.unique_impressions, NEW.clicks,
                NEW.unique_clicks, NEW.dismissals, NEW.decode_errors)
            ON CONFLICT (local_day) DO UPDATE SET
                delivered = delivered + excluded.delivered,
                impressions = impressions + excluded.impressions,
                unique_impressions = unique_impressions + excluded.unique_impressions,
                clicks = clicks + excluded.clicks,
                unique_clicks = unique_clicks + excluded.unique_clicks,
                dismissals = dismissals + excluded.dismissals,
                decode_errors = decode_errors + excluded.decode_errors;
        END;

        CREATE TRIGGER counts_changed AFTER UPDATE ON counts
        WHEN NOT EXISTS (
            SELECT 1 FROM controls WHERE campaign_id = NEW.campaign_id AND variant_id = NEW.variant_id
        ) BEGIN
            INSERT INTO day_totals (local_day, delivered, impressions, unique_impressions, clicks,
                unique_clicks, dismissals, decode_errors)
            VALUES (NEW.local_day, NEW.delivered - OLD.delivered, NEW.impressions - OLD.impressions,
                NEW.unique_impressions - OLD.unique_impressions, NEW.clicks - OLD.clicks,
                NEW.unique_clicks - OLD.unique_clicks, NEW.dismissals - OLD.dismissals,
                NEW.decode_errors - OLD.decode_errors)
            ON CONFLICT (local_day) DO UPDATE SET
                delivered = delivered + excluded.delivered,
                impressions = impressions + excluded.impressions,
                unique_impressions = unique_impressions + excluded.unique_impressions,
                clicks = clicks + excluded.clicks,
                unique_clicks = unique_clicks + excluded.unique_clicks,
                dismissals = dismissals + excluded.dismissals,
                decode_errors = decode_errors + excluded.decode_errors;
        END;

        CREATE TRIGGER recipients_added AFTER INSERT ON counts
        WHEN NEW.recipients <> 0 AND NOT EXISTS (
            SELECT 1 FROM controls WHERE campaign_id = NEW.campaign_id AND variant_id = NEW.variant_id
        ) BEGIN
            INSERT INTO day_totals
                (local_day, delivered, impressions, unique_impressions, clicks, unique_clicks, dismissals,
                    decode_errors, recipients)
            VALUES (NEW.local_day, 0, 0, 0, 0, 0, 0, 0, NEW.recipients)
            ON CONFLICT (local_day) DO UPDATE SET recipients = recipients + excluded.recipients;
        END;

        CREATE TRIGGER recipients_changed AFTER UPDATE OF recipients ON counts
        WHEN NEW.recipients <> OLD.recipients AND NOT EXISTS (
            SELECT 1 FROM controls WHERE campaign_id = NEW.campaign_id AND variant_id = NEW.variant_id
        ) BEGIN
            INSERT INTO day_totals
                (local_day, delivered, impressions, unique_impressions, clicks, unique_clicks, dismissals,
                    decode_errors, recipients)
            VALUES (NEW.local_day, 0, 0, 0, 0, 0, 0, 0, NEW.recipients - OLD.recipients)
            ON CONFLICT (local_day) DO UPDATE SET recipients = recipients + excluded.recipients;
        END;
        """
}
