public import CardModel
import CardStore
import PostgresCardStore

extension ShardedCardStore {
    /// Reads the counts of a campaign, or returns `nil` where there is none of that id.
    ///
    /// Each database has what it counted, each at a moment of its own.
    public func campaignReport(of campaign: CampaignID) async throws -> CampaignReport? {
        guard let found = try await home.campaign(campaign) else { return nil }
        let tally = CampaignTally(sumOf: try await onAll { try await $0.campaignTally(of: campaign) })
        var report = CampaignReport(
            campaign: found,
            rows: tally.rows,
            problems: tally.problems,
            conversions: tally.conversions,
            amounts: tally.amounts,
            allocations: tally.allocations
        )
        report.withheld = tally.withheld
        return report
    }

    /// Sums up what was counted of campaigns over all days, in all databases.
    public func campaignTotals(of campaigns: [CampaignID]) async throws -> [CampaignID: [VariantID: CampaignCounts]] {
        let totals = try await onAllToSum { try await $0.campaignTotals(of: campaigns) }
        return totals.reduce(into: [:]) { sums, totals in
            for (campaign, variants) in totals {
                sums[campaign, default: [:]].merge(variants, uniquingKeysWith: Self.sum)
            }
        }
    }

    /// Sums up what was counted on each day, in all databases.
    public func dayTotals(from first: Day) async throws -> [Day: CampaignCounts] {
        let totals = try await onAllToSum { try await $0.dayTotals(from: first) }
        return totals.reduce(into: [:]) { sums, days in sums.merge(days, uniquingKeysWith: Self.sum) }
    }

    private static func sum(_ one: CampaignCounts, _ other: CampaignCounts) -> CampaignCounts {
        var sum = one
        sum += other
        return sum
    }
}
