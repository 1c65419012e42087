import CardModel
import CardStore

/// The keys that the list of campaigns can be sorted by.
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

/// The values that campaigns are compared by; those of one order are all of one kind.
enum CampaignSortValue: Comparable {
    case number(Double)
    case text(String)
}

extension CampaignSort {
    /// The number of campaigns that are compared, those changed last: an order by counts has no index.
    static var window: Int { 1_000 }

    /// The orders that have names of their own.
    static var named: [(sort: CampaignSort, name: String)] {
        [
            (.standard, localized("Last updated")),
            (CampaignSort(key: .created, isDescending: true), localized("Newest")),
            (CampaignSort(key: .name, isDescending: false), localized("Name")),
            (CampaignSort(key: .status, isDescending: false), localized("Status")),
            (CampaignSort(key: .start, isDescending: true), localized("Latest start")),
            (CampaignSort(key: .delivered, isDescending: true), localized("Most delivered")),
            (CampaignSort(key: .impressions, isDescending: true), localized("Most impressions")),
            (CampaignSort(key: .clicks, isDescending: true), localized("Highest click rate")),
        ]
    }

    /// The display name of the order; one without a name is its column with an arrow.
    var title: String {
        Self.named.first { $0.sort == self }?.name ?? "\(key.name) \(isDescending ? "↓" : "↑")"
    }

    /// Returns the values that campaigns are compared by, with their IDs: so little that a thousand large ones aren't
    /// in memory at once.
    func places(
        of campaigns: [Campaign],
        _ context: PageContext
    ) async throws -> [(id: CampaignID, value: CampaignSortValue)] {
        let counts = key.needsCounts ? try await context.store.campaignTotals(of: campaigns.map(\.id)) : [:]
        return campaigns.map { campaign in
            (campaign.id, value(of: campaign, CampaignLine.sum(campaign, counts[campaign.id] ?? [:]), at: context.now))
        }
    }

    private func value(of campaign: Campaign, _ counts: CampaignCounts, at now: UnixTime) -> CampaignSortValue {
        switch key {
        case .name: .text(campaign.content.name.lowercased())
        case .status: .number(Double(CampaignState(campaign, at: now).place))
        case .start: .number(campaign.firstStart)
        case .delivered: .number(Double(counts.delivered))
        case .impressions: .number(Double(counts.impressions))
        case .clicks: .number(Self.clickRate(counts))
        case .created: .number(campaign.createdAt)
        case .updated: .number(campaign.updatedAt)
        }
    }

    /// The rate as the list shows it: one without impressions comes after all others.
    private static func clickRate(_ counts: CampaignCounts) -> Double {
        guard counts.uniqueImpressions > 0 else { return -1 }
        return min(1, Double(counts.uniqueClicks) / Double(counts.uniqueImpressions))
    }
}

extension CampaignState {
    /// The position in the order of a campaign's life.
    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension Campaign {
    /// The planned start where the launch came before it, for some of the users at least.
    var startAfterLaunch: PlannedTime? {
        guard let start = content.delivery.schedule.start, start.latest > launchedAt ?? -.infinity else { return nil }
        return start
    }

    /// The time at which it starts: as planned, or when it was launched; `nil` for neither.
    var shownStart: PlannedTime? { startAfterLaunch ?? launchedAt.map(PlannedTime.at) }

    /// The moment at which it starts for the first users.
    fileprivate var firstStart: UnixTime {
        shownStart.map { max($0.earliest, launchedAt ?? -.infinity) } ?? -.infinity
    }
}
