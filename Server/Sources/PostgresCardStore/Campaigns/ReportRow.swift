import CardModel
import CardStore

/// The counts of a campaign: each node adds to rows of its own, which are summed up here.
enum ReportRow {
    /// The counts of a variant, summed up.
    static let sums = """
        sum(delivered)::BIGINT AS delivered, sum(recipients)::BIGINT AS recipients,
            sum(impressions)::BIGINT AS impressions, sum(unique_impressions)::BIGINT AS unique_impressions,
            sum(clicks)::BIGINT AS clicks, sum(unique_clicks)::BIGINT AS unique_clicks,
            sum(dismissals)::BIGINT AS dismissals, sum(decode_errors)::BIGINT AS decode_errors
        """

    static func counts(of campaign: CampaignID, in connection: PostgresConnection) throws -> [CampaignReport.Row] {
        try connection.rows(
            """
            SELECT variant_id, utc_day, local_day, \(sums) FROM counts WHERE campaign_id = $1
            GROUP BY utc_day, local_day, variant_id ORDER BY utc_day, local_day, variant_id
            """,
            [campaign.rawValue]
        ).map(CampaignReport.Row.init)
    }

    static func problems(
        of campaign: CampaignID,
        in connection: PostgresConnection
    ) throws -> [CampaignReport.DecodingErrorCount] {
        try connection.rows(
            "SELECT * FROM problems WHERE campaign_id = $1 ORDER BY count DESC, variant_id, class_type, field",
            [campaign.rawValue]
        ).map(CampaignReport.DecodingErrorCount.init)
    }

    /// Reads conversions; those that come to nothing only where they are asked for.
    static func conversions(
        of campaign: CampaignID,
        keepsZeros: Bool = false,
        in connection: PostgresConnection
    ) throws -> [CampaignReport.ConversionRow] {
        try connection.rows(
            """
            SELECT * FROM (
                SELECT variant_id, utc_day, local_day, conversion, sum(conversions)::BIGINT AS conversions,
                    sum(unique_conversions)::BIGINT AS unique_conversions
                FROM conversion_counts WHERE campaign_id = $1
                GROUP BY utc_day, local_day, variant_id, conversion
            ) AS counts
            WHERE $2 OR conversions <> 0 OR unique_conversions <> 0
            ORDER BY utc_day, local_day, variant_id, conversion
            """,
            [campaign.rawValue, keepsZeros]
        ).map(CampaignReport.ConversionRow.init)
    }

    /// Reads amounts; those of no purchase in the end only where they are asked for.
    static func amounts(
        of campaign: CampaignID,
        keepsZeros: Bool = false,
        in connection: PostgresConnection
    ) throws -> [CampaignReport.AmountRow] {
        try connection.rows(
            """
            SELECT * FROM (
                SELECT variant_id, utc_day, local_day, conversion, currency, sum(purchases)::BIGINT AS purchases,
                    sum(buyers)::BIGINT AS buyers, trim_scale(sum(amount))::TEXT AS amount, sum(squares) AS squares
                FROM amount_counts WHERE campaign_id = $1
                GROUP BY utc_day, local_day, variant_id, conversion, currency
            ) AS counts
            WHERE $2 OR purchases <> 0 OR buyers <> 0
            ORDER BY utc_day, local_day, variant_id, conversion, currency
            """,
            [campaign.rawValue, keepsZeros]
        ).map(CampaignReport.AmountRow.init)
    }

    static func allocations(
        of campaign: CampaignID,
        in connection: PostgresConnection
    ) throws -> [CampaignReport.VariantAllocationRow] {
        try connection.rows(
            """
            SELECT weights, variant_id, sum(users)::BIGINT AS users FROM divisions WHERE campaign_id = $1
            GROUP BY weights, variant_id ORDER BY weights, variant_id
            """,
            [campaign.rawValue]
        ).map(CampaignReport.VariantAllocationRow.init)
    }

    static func withheld(of campaign: CampaignID, in connection: PostgresConnection) throws -> [WithheldCount] {
        try connection.rows(
            """
            SELECT * FROM withheld_counts WHERE campaign_id = $1
            ORDER BY utc_day, local_day, variant_id, kind, reason
            """,
            [campaign.rawValue]
        ).map(WithheldCount.init)
    }
}
