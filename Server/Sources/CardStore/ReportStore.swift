public import CardModel

/// Keeps what was counted of campaigns.
public protocol ReportStore: Sendable {
    /// Reads the counts of a campaign, or returns `nil` where there is none of that id.
    func campaignReport(of campaign: CampaignID) async throws -> CampaignReport?

    /// Sums up what was counted of campaigns over all days.
    func campaignTotals(of campaigns: [CampaignID]) async throws -> [CampaignID: [VariantID: CampaignCounts]]

    /// Sums up what was counted on each day of the workspace's time zone, over all campaigns but not their controls.
    func dayTotals(from first: Day) async throws -> [Day: CampaignCounts]
}
