import CardModel
import CardStore
import GRDB

/// The counts of a campaign, as rows keep them.
enum ReportRow {
    static func counts(of campaign: CampaignID, in database: Database) throws -> [CampaignReport.Row] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM counts WHERE campaign_id = ? ORDER BY utc_day, local_day, variant_id",
            arguments: [campaign.rawValue]
        ).map(CampaignReport.Row.init)
    }

    static func problems(of campaign: CampaignID, in database: Database) throws -> [CampaignReport.DecodingErrorCount] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM problems WHERE campaign_id = ? ORDER BY count DESC, variant_id, class_type, field",
            arguments: [campaign.rawValue]
        ).map(CampaignReport.DecodingErrorCount.init)
    }

    static func conversions(of campaign: CampaignID, in database: Database) throws -> [CampaignReport.ConversionRow] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT * FROM conversion_counts
                WHERE campaign_id = ? AND (conversions <> 0 OR unique_conversions <> 0)
                """,
            arguments: [campaign.rawValue]
        ).map(CampaignReport.ConversionRow.init)
    }

    static func amounts(of campaign: CampaignID, in database: Database) throws -> [CampaignReport.AmountRow] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT * FROM amount_counts WHERE campaign_id = ? AND (purchases <> 0 OR buyers <> 0)
                """,
            arguments: [campaign.rawValue]
        ).map(CampaignReport.AmountRow.init)
    }

    static func allocations(
        of campaign: CampaignID,
        in database: Database
    ) throws -> [CampaignReport.VariantAllocationRow] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM divisions WHERE campaign_id = ? ORDER BY weights, variant_id",
            arguments: [campaign.rawValue]
        ).map(CampaignReport.VariantAllocationRow.init)
    }
}
