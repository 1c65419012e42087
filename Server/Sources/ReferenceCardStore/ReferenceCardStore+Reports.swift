public import CardModel
import CardStore
import WireJSON

extension ReferenceCardStore {
    /// Reads the counts of a campaign, or returns `nil` where there is none of that id.
    public func campaignReport(of campaign: CampaignID) async throws -> CampaignReport? {
        try read { state in
            guard let found = state.campaigns[campaign] else { return nil }
            var report = CampaignReport(
                campaign: found,
                rows: state.rows(of: campaign),
                problems: state.problems(of: campaign),
                conversions: state.conversionRows(of: campaign),
                amounts: state.amountRows(of: campaign),
                allocations: state.allocationRows(of: campaign)
            )
            report.withheld = state.suppressedRows(of: campaign)
            return report
        }
    }

    /// Sums up what was counted of campaigns over all days.
    public func campaignTotals(of campaigns: [CampaignID]) async throws -> [CampaignID: [VariantID: CampaignCounts]] {
        try read { state in
            var totals: [CampaignID: [VariantID: CampaignCounts]] = [:]
            for campaign in campaigns {
                totals[campaign] = [:]
                for (key, counts) in state.counts where key.campaign == campaign {
                    totals[campaign]?[key.variant, default: CampaignCounts()] += counts
                }
            }
            return totals
        }
    }

    /// Sums up what was counted on each day.
    public func dayTotals(from first: Day) async throws -> [Day: CampaignCounts] {
        try read { $0.dayTotals.filter { $0.key >= first } }
    }
}

extension ReferenceState {
    fileprivate func rows(of campaign: CampaignID) -> [CampaignReport.Row] {
        counts.filter { $0.key.campaign == campaign }
            .map { CampaignReport.Row(variant: $0.key.variant, day: $0.key.day, counts: $0.value) }
            .sorted { ($0.day.utc, $0.day.local, $0.variant) < ($1.day.utc, $1.day.local, $1.variant) }
    }

    fileprivate func problems(of campaign: CampaignID) -> [CampaignReport.DecodingErrorCount] {
        problems.filter { $0.key.campaign == campaign }
            .sorted { left, right in
                (right.value.count, left.key.variant, left.key.classType, left.key.field)
                    < (left.value.count, right.key.variant, right.key.classType, right.key.field)
            }
            .map { key, problem in
                CampaignReport.DecodingErrorCount(
                    variant: key.variant,
                    classType: key.classType.text.isEmpty ? nil : key.classType.text,
                    field: key.field.text.isEmpty ? nil : key.field.text,
                    message: problem.message,
                    count: problem.count,
                    lastAt: problem.lastAt
                )
            }
    }

    fileprivate func conversionRows(of campaign: CampaignID) -> [CampaignReport.ConversionRow] {
        conversionCounts.filter { $0.key.campaign == campaign && $0.value != ConversionCounts() }.map { key, counts in
            CampaignReport.ConversionRow(
                variant: key.variant,
                day: key.day,
                conversion: key.conversion,
                counts: counts
            )
        }
        .sorted {
            ($0.day.utc, $0.day.local, $0.variant, ByteString($0.conversion))
                < ($1.day.utc, $1.day.local, $1.variant, ByteString($1.conversion))
        }
    }

    fileprivate func amountRows(of campaign: CampaignID) -> [CampaignReport.AmountRow] {
        amountCounts.filter { key, counts in
            key.conversion.campaign == campaign && (counts.purchases != 0 || counts.buyers != 0)
        }
        .map { key, counts in
            CampaignReport.AmountRow(
                variant: key.conversion.variant,
                day: key.conversion.day,
                conversion: key.conversion.conversion,
                currency: key.currency,
                counts: counts
            )
        }
        .sorted { left, right in
            left.day == right.day
                ? (left.variant, ByteString(left.conversion), ByteString(left.currency))
                    < (right.variant, ByteString(right.conversion), ByteString(right.currency))
                : (left.day.utc, left.day.local) < (right.day.utc, right.day.local)
        }
    }

    fileprivate func allocationRows(of campaign: CampaignID) -> [CampaignReport.VariantAllocationRow] {
        allocations.filter { $0.key.campaign == campaign }
            .sorted { (ByteString($0.key.weights), $0.key.variant) < (ByteString($1.key.weights), $1.key.variant) }
            .compactMap { key, users in
                VariantAllocation(key.weights).map { allocation in
                    CampaignReport.VariantAllocationRow(allocation: allocation, variant: key.variant, users: users)
                }
            }
    }

    fileprivate func suppressedRows(of campaign: CampaignID) -> [WithheldCount] {
        suppressed.filter { $0.key.campaign == campaign }.map { key, users in
            WithheldCount(variant: key.variant, day: key.day, kind: key.kind, reason: key.reason.text, users: users)
        }
        .sorted { left, right in
            left.day == right.day
                ? (left.variant, ByteString(left.kind.rawValue), ByteString(left.reason))
                    < (right.variant, ByteString(right.kind.rawValue), ByteString(right.reason))
                : (left.day.utc, left.day.local) < (right.day.utc, right.day.local)
        }
    }
}
