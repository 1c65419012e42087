import CardModel
import CardStore
import Hummingbird
import WireJSON

extension Section {
    static let campaigns = Section(
        "campaigns",
        in: .cards,
        icon: """
            <rect x='1.8' y='2' width='12.4' height='8.8' rx='1.6'/>\
            <path d='M4.5 5h7M4.5 7.8h4M8 10.8V15'/>
            """
    ) { localized("Campaigns") }
}

extension PageDescriptor {
    static let campaigns = PageDescriptor(
        .campaigns,
        templates: ["campaigns": PackageResources.campaigns_mustache]
    ) { routes in
        routes.get("/dashboard/campaigns", .viewer, CampaignsPage.show)
        routes.get("/dashboard/campaigns/bulk", .viewer, CampaignsPage.list)
        routes.post("/dashboard/campaigns/bulk", .editor, BulkActions.apply)
    }
}

/// The list of campaigns, with search and filters.
enum CampaignsPage {
    static let pageSize = 50
    /// The most campaigns of a search that are counted for the tabs.
    private static let countedMatches = 200

    struct StatusTab {
        let name: String
        let count: String
        let address: String
        let isCurrent: Bool
    }

    struct CampaignsView {
        let tabs: [StatusTab]
        let campaigns: [CampaignLine]
        let text: String
        let status: String
        let tags: [TagChoice]
        let hasTags: Bool
        let heads: [SortHead]
        let sorts: [SortChoice]
        /// The number of campaigns that were sorted, where there may be more.
        let sorted: String?
        let next: String?
        let isFiltered: Bool
        /// Whether the search, the tag or the tab leaves campaigns out.
        let isNarrowed: Bool
        /// The list without the search and the tag, and its first page with them.
        let unfilteredAddress: String
        let firstAddress: String
        let isFirst: Bool
        /// The address to which actions on several campaigns are sent, which show this list again.
        let bulkAddress: String
        let saved: SavedFiltersView
        /// The shards whose numbers are missing, in a sentence; `nil` where all answer.
        var absent: String?
    }

    /// Leads to the list, from the address of actions on several campaigns.
    @Sendable static func list(_ context: PageContext) async throws -> Response {
        .seeOther(presentAddress(context.query))
    }

    /// The list that the query asks for.
    @Sendable static func show(_ context: PageContext) async throws -> Response {
        let (found, shards) = try await PartialReads.permitted { try await Self.view(context) }
        var view = found
        view.absent = MissingShards.sentence(shards)
        return try context.page("campaigns", title: localized("Campaigns"), in: .campaigns, view)
    }

    private static func view(_ context: PageContext) async throws -> CampaignsView {
        let query = context.query
        let tab = query[.status].flatMap(CampaignTab.init)
        let filter = CampaignFilter(status: tab?.status, tag: query.text(.tag), text: query.text(.q))
        let sort = CampaignSort(query)
        let part = try await part(context, tab, filter, sort)
        let shown = part.campaigns
        let tags = try await context.store.campaignTags(limit: 200)
        return CampaignsView(
            tabs: try await tabs(context, tab, filter),
            campaigns: try await CampaignLine.lines(of: shown, context),
            text: PageFormatter.shown(filter.text),
            status: PageFormatter.shown(tab?.rawValue),
            tags: TagChoice.all(tags, of: filter),
            hasTags: !tags.isEmpty,
            heads: heads(sort, query),
            sorts: sorts(sort),
            sorted: part.isCut ? PageFormatter.count(Int64(CampaignSort.window)) : nil,
            next: part.next,
            isFiltered: filter.text != nil || filter.tag != nil,
            isNarrowed: filter.text != nil || filter.tag != nil || tab != nil,
            unfilteredAddress: address(query, without: [.q, .tag]),
            firstAddress: address(query),
            isFirst: part.isFirst,
            bulkAddress: bulkAddress(query),
            saved: try await SavedFiltersView(of: .campaigns, context)
        )
    }

    /// The campaigns of a tab, those last changed first.
    ///
    /// The store doesn't know which active campaigns are still to start or over; the server has all in memory.
    static func campaigns(
        _ context: PageContext,
        _ tab: CampaignTab?,
        _ filter: CampaignFilter,
        after place: CampaignPlace?,
        limit: Int
    ) async throws -> [Campaign] {
        guard let tab, tab.status == .active else {
            return try await context.store.searchCampaigns(matching: filter, after: place, limit: limit)
        }
        let now = context.now
        let found = context.site.server.activeCampaigns().filter { campaign in
            tab.contains(campaign, at: now) && filter.includes(campaign) && place?.isBefore(campaign) ?? true
        }
        let sorted = found.sorted { ($1.updatedAt, $1.id) < ($0.updatedAt, $0.id) }
        return Array(sorted.prefix(limit))
    }

    private static func tabs(
        _ context: PageContext,
        _ current: CampaignTab?,
        _ filter: CampaignFilter
    ) async throws -> [StatusTab] {
        let counts = try await counts(context, filter)
        let first = StatusTab(
            name: localized("All"),
            count: counts.all,
            address: address(context.query, without: [.status]),
            isCurrent: current == nil
        )
        return [first]
            + CampaignTab.allCases.map { tab in
                StatusTab(
                    name: tab.name,
                    count: counts.tabs[tab] ?? "0",
                    address: address(context.query, status: tab),
                    isCurrent: tab == current
                )
            }
    }

    /// Returns the number of campaigns with the text and the tag of the search, or of all of them without one, as tabs
    /// show it.
    private static func counts(
        _ context: PageContext,
        _ filter: CampaignFilter
    ) async throws -> (all: String, tabs: [CampaignTab: String]) {
        let now = context.now
        let active = context.site.server.activeCampaigns().filter(filter.includes)
        // The state of each, which may take a schedule in local time, is found out once for all tabs.
        let states = Dictionary(active.map { (CampaignState($0, at: now).rawValue, 1) }, uniquingKeysWith: +)
        var (counts, isCut) = (try await context.store.campaignCountsByStatus(), false)
        if filter.text != nil || filter.tag != nil {
            // With a search, what comes after some hundred matches isn't counted.
            var search = filter
            counts = [:]
            for status in [nil, Campaign.Status.archived] {
                search.status = status
                let found = try await context.store.searchCampaigns(matching: search, after: nil, limit: countedMatches)
                // safe: no more than are counted
                for campaign in found { counts[campaign.status, default: 0] += 1 }
                isCut = isCut || found.count == countedMatches
            }
        }
        let all = counts.filter { $0.key != .archived }.values.reduce(0, +)
        let tabs = CampaignTab.allCases.map { tab in
            let isActive = tab.status == .active
            let count = isActive ? states[tab.rawValue] ?? 0 : counts[tab.status] ?? 0
            return (tab, shown(count, isExact: isActive || !isCut))
        }
        return (shown(all, isExact: !isCut), Dictionary(tabs) { first, _ in first })
    }

    /// Returns a number of campaigns as a tab shows it, such as `12,345`, or `200+` where there may be more.
    static func shown(_ count: Int, isExact: Bool) -> String {
        PageFormatter.count(Int64(count)) + (isExact ? "" : "+")
    }

    private static func bulkAddress(_ query: FormData) -> String {
        presentAddress(query, of: "/dashboard/campaigns/bulk")
    }

    /// The page of the list that the query asks for, without the notice of a change.
    static func presentAddress(_ query: FormData, of address: String = "/dashboard/campaigns") -> String {
        var query = query
        query.removeAll { [FormField.done, .undo].map(\.rawValue).contains($0.name) }
        return query.fields.isEmpty ? address : "\(address)?\(query.encoded)"
    }

    /// The first page of the list that the query asks for, with another tab or without some of its fields.
    static func address(
        _ query: FormData,
        status: CampaignTab? = nil,
        without fields: [FormField] = [],
        sort: CampaignSort? = nil,
        page: Int64? = nil
    ) -> String {
        let replaced: [FormField] = (status == nil ? [] : [.status]) + (sort == nil ? [] : [.sort])
        let dropped = ([.after, .done, .undo, .page] + fields + replaced).map(\.rawValue)
        var query = query
        query.removeAll { dropped.contains($0.name) || $0.value.isEmpty }
        if let status { query.prepend(FormField.status.rawValue, status.rawValue) }
        if let sort, sort != .standard { query.append(FormField.sort.rawValue, sort.text) }
        if let page { query.append(FormField.page.rawValue, String(page)) }
        let address = "/dashboard/campaigns"
        return query.fields.isEmpty ? address : "\(address)?\(query.encoded)"
    }

    static func next(_ query: FormData, after campaign: Campaign) -> String {
        var query = query
        query.removeAll { ["after", "done", "undo"].contains($0.name) }
        query.append("after", "\(campaign.updatedAt.bitPattern)-\(campaign.id.rawValue)")
        return "/dashboard/campaigns?\(query.encoded)"
    }

    static func place(_ text: String?) -> CampaignPlace? {
        guard let parts = text?.split(at: "-", maxSplits: 1), parts.count == 2, let bits = UInt64(parts[0]),
            let id = CampaignID(checking: String(parts[1]))
        else { return nil }
        let time = UnixTime(bitPattern: bits)
        return time.isFinite ? CampaignPlace(updatedAt: time, id: id) : nil
    }
}

/// The tabs of the list, by the status of their campaigns.
enum CampaignTab: String, CaseIterable, Sendable {
    case draft
    case scheduled
    case active
    case ended
    case paused
    case stopped
    case archived

    var name: String {
        switch self {
        case .draft: CampaignState.draft.name
        case .scheduled: CampaignState.scheduled.name
        case .active: CampaignState.active.name
        case .ended: CampaignState.ended.name
        case .paused: CampaignState.paused.name
        case .stopped: CampaignState.stopped.name
        case .archived: CampaignState.archived.name
        }
    }

    /// The status that the store knows.
    var status: Campaign.Status {
        switch self {
        case .draft: .draft
        case .scheduled, .active, .ended: .active
        case .paused: .paused
        case .stopped: .stopped
        case .archived: .archived
        }
    }

    func contains(_ campaign: Campaign, at now: UnixTime) -> Bool {
        CampaignState(campaign, at: now).rawValue == rawValue
    }
}

extension CampaignFilter {
    /// Whether a campaign has the tag and the text, as the store finds them.
    func includes(_ campaign: Campaign) -> Bool {
        let content = campaign.content
        let hasTag = tag.map { tag in content.tags.contains { $0.hasSameBytes(as: tag) } } ?? true
        guard hasTag, var search = CampaignTextSearch(self) else { return hasTag }
        return search.finds(name: content.name, id: campaign.id.rawValue)
    }
}

extension CampaignPlace {
    fileprivate func isBefore(_ campaign: Campaign) -> Bool {
        (campaign.updatedAt, campaign.id) < (updatedAt, id)
    }
}
