import CardModel
import CardStore
import Hummingbird

/// The list of campaigns, with search and filters.
enum CampaignsPage {
    private static let pageSize = 50

    struct Tab {
        let name: String
        let count: String
        let address: String
        let isCurrent: Bool
    }

    struct Choice {
        let name: String
        let isChosen: Bool
    }

    struct View {
        let tabs: [Tab]
        let campaigns: [CampaignLine]
        let text: String
        let status: String
        let tags: [Choice]
        let hasTags: Bool
        let next: String?
        let isFiltered: Bool
        let isFirst: Bool
    }

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        let query = visit.query
        let status = query["status"].flatMap(Campaign.Status.init)
        let filter = CampaignFilter(status: status, tag: query.text("tag"), text: query.text("q"))
        let place = place(query["after"])
        let found = try await visit.store.campaigns(matching: filter, after: place, limit: pageSize + 1)
        let shown = Array(found.prefix(pageSize))
        let tags = try await visit.store.campaignTags(limit: 200)
        let view = View(
            tabs: try await tabs(visit, status),
            campaigns: try await CampaignLine.lines(of: shown, visit),
            text: filter.text ?? "",
            status: status?.rawValue ?? "",
            tags: tags.map { Choice(name: $0, isChosen: $0 == filter.tag) },
            hasTags: !tags.isEmpty,
            next: found.count > pageSize ? shown.last.map { next(query, after: $0) } : nil,
            isFiltered: filter.text != nil || filter.tag != nil,
            isFirst: place == nil
        )
        return try visit.page("campaigns", title: "Campaigns", in: .campaigns, view)
    }

    private static func tabs(_ visit: Visit, _ status: Campaign.Status?) async throws -> [Tab] {
        let counts = try await visit.store.campaignCounts()
        let all = counts.filter { $0.key != .archived }.values.reduce(0, +)
        let first = Tab(name: "All", count: String(all), address: "/dashboard/campaigns", isCurrent: status == nil)
        return [first]
            + Campaign.Status.allCases.map { item in
                Tab(
                    name: item.rawValue.capitalized,
                    count: String(counts[item] ?? 0),
                    address: "/dashboard/campaigns?status=\(item.rawValue)",
                    isCurrent: item == status
                )
            }
    }

    private static func next(_ query: FormData, after campaign: Campaign) -> String {
        var query = query
        query.fields.removeAll { $0.name == "after" || $0.name == "done" }
        query.fields.append(("after", "\(campaign.updatedAt.bitPattern)-\(campaign.id.rawValue)"))
        return "/dashboard/campaigns?\(query.encoded)"
    }

    private static func place(_ text: String?) -> CampaignPlace? {
        guard let parts = text?.split(separator: "-", maxSplits: 1), parts.count == 2, let bits = UInt64(parts[0]),
            let id = CampaignID(checking: String(parts[1]))
        else { return nil }
        let time = UnixTime(bitPattern: bits)
        return time.isFinite ? CampaignPlace(updatedAt: time, id: id) : nil
    }
}
