package import CardModel

/// The counts that a database has of a campaign, which it needn't know.
package struct CampaignTally: Sendable, Hashable {
    /// The counts, by day and variant.
    package var rows: [CampaignReport.Row] = []
    /// The problems that devices had with cards.
    package var problems: [CampaignReport.DecodingErrorCount] = []
    /// The conversions; also where they come to nothing, since another database may have counted the rest.
    package var conversions: [CampaignReport.ConversionRow] = []
    /// The amounts that were spent; also where they come to nothing.
    package var amounts: [CampaignReport.AmountRow] = []
    /// The division of users among variants.
    package var allocations: [CampaignReport.VariantAllocationRow] = []
    /// The cards that templates withheld.
    package var withheld: [WithheldCount] = []

    /// Creates a tally of nothing.
    package init() {}
}

extension PostgresCardStore {
    /// Reads what this database has counted of a campaign, at one moment.
    package func campaignTally(of campaign: CampaignID) async throws -> CampaignTally {
        try await snapshot { connection in
            var tally = CampaignTally()
            tally.rows = try ReportRow.counts(of: campaign, in: connection)
            tally.problems = try ReportRow.problems(of: campaign, in: connection)
            tally.conversions = try ReportRow.conversions(of: campaign, keepsZeros: true, in: connection)
            tally.amounts = try ReportRow.amounts(of: campaign, keepsZeros: true, in: connection)
            tally.allocations = try ReportRow.allocations(of: campaign, in: connection)
            tally.withheld = try ReportRow.withheld(of: campaign, in: connection)
            return tally
        }
    }
}
