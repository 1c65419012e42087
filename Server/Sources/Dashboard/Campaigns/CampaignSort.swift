import CardModel
import CardStore

/// What the list of campaigns can be sorted by.
enum CampaignSortKey: String, SortKey {
    case name
    case status
    case start
    case delivered
    case impressions
    case clicks
    case created
    case updated

    static let standard = CampaignSortKey.updated

    var name: String {
        switch self {
        case .name: localized("Campaign")
        case .status: localized("Status")
        case .start: localized("Start")
        case .delivered: localized("Delivered")
        case .impressions: localized("Impressions")
        case .clicks: localized("Click rate")
        case .created: localized("Created")
        case .updated: localized("Updated")
        }
    }

    var beginsWithLargest: Bool {
        switch self {
        case .name, .status: false
        case .start, .delivered, .impressions, .clicks, .created, .updated: true
        }
    }

    /// Whether it compares what was counted.
    fileprivate var needsCounts: Bool { [.delivered, .impressions, .clicks].contains(self) }
}

typealias CampaignSort = ListSort<CampaignSortKey>

extension CampaignSort {
    /// The number of campaigns that are compared, those changed last: an order by counts has no index.
    static var window: Int { 1_000 }

    /// Sorts campaigns, which are in the order of their last change.
    func sorted(_ campaigns: [Campaign], _ visit: Visit) async throws -> [Campaign] {
        let counts = key.needsCounts ? try await visit.store.campaignTotals(of: campaigns.map(\.id)) : [:]
        let now = visit.now
        switch key {
        case .name: return sorted(campaigns) { $0.content.name.lowercased() }
        case .status: return sorted(campaigns) { CampaignState($0, at: now).place }
        case .start: return sorted(campaigns) { $0.shownStart?.earliest ?? -.infinity }
        case .created: return sorted(campaigns, by: \.createdAt)
        case .updated: return sorted(campaigns, by: \.updatedAt)
        case .delivered: return sorted(campaigns) { Double(Self.sum($0, counts).delivered) }
        case .impressions: return sorted(campaigns) { Double(Self.sum($0, counts).impressions) }
        case .clicks: return sorted(campaigns) { Self.clickRate(Self.sum($0, counts)) }
        }
    }

    private static func sum(_ campaign: Campaign, _ counts: [CampaignID: [VariantID: CampaignCounts]]) -> CampaignCounts
    {
        CampaignLine.sum(campaign, counts[campaign.id] ?? [:])
    }

    /// The rate as the list shows it: one without impressions comes after all others.
    private static func clickRate(_ counts: CampaignCounts) -> Double {
        guard counts.uniqueImpressions > 0 else { return -1 }
        return min(1, Double(counts.uniqueClicks) / Double(counts.uniqueImpressions))
    }
}

extension CampaignState {
    /// Where it comes in the order of a campaign's life.
    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension Campaign {
    /// When it starts: as planned, or when it was launched; `nil` for neither.
    var shownStart: PlannedTime? {
        let planned = content.delivery.schedule.start
        guard let launchedAt else { return planned }
        guard let planned, planned.earliest > launchedAt else { return .at(launchedAt) }
        return planned
    }
}
