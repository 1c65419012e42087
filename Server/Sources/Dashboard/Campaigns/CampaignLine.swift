import CardModel
import CardStore

/// A campaign as lists show it.
struct CampaignLine {
    let id: String
    let address: String
    let name: String
    let tags: [String]
    let status: StatusView
    let layout: String
    let variants: String?
    let delivered: String
    let impressions: String
    let clickRate: String
    let hasProblems: Bool
    /// Whether a request for approval waits.
    let isWaiting: Bool
    /// The time at which it starts or has started, or `nil` for neither.
    let start: StartView?
    /// The time at which it was stopped, or `nil` where it wasn't.
    let stopped: StoppedView?
    let changed: TimeView

    static func lines(of campaigns: [Campaign], _ context: PageContext) async throws -> [CampaignLine] {
        let totals = try await context.store.campaignTotals(of: campaigns.map(\.id))
        let waiting = try await context.store.campaignsAwaitingApproval(among: campaigns.map(\.id))
        let stops = try await RecordedStop.find(among: campaigns, context.store)
        return campaigns.map { campaign in
            let (counts, isWaiting) = (totals[campaign.id] ?? [:], waiting.contains(campaign.id))
            return CampaignLine(campaign, counts, isWaiting: isWaiting, stops[campaign.id], context)
        }
    }

    private init(
        _ campaign: Campaign,
        _ counts: [VariantID: CampaignCounts],
        isWaiting: Bool,
        _ stop: RecordedStop?,
        _ context: PageContext
    ) {
        self.isWaiting = isWaiting
        let shown = campaign.content.variants.filter { !$0.isControl }
        let sum = Self.sum(campaign, counts)
        let layouts = Set(shown.compactMap { $0.card?.layout })
        id = campaign.id.rawValue
        address = "/dashboard/campaigns/\(FormData.escape(part: campaign.id.rawValue))"
        name = campaign.content.name
        tags = campaign.content.tags
        status = StatusView(campaign, at: context.now)
        layout = layouts.count == 1 ? layouts.first.map(\.displayName) ?? "" : localized("Mixed")
        let hasControl = campaign.content.variants.contains(where: \.isControl)
        let parts = [
            shown.count > 1 ? localized("\(shown.count) variants") : nil, hasControl ? localized("control") : nil,
        ].compactMap(\.self)
        variants = parts.isEmpty ? nil : PageFormatter.list(parts)
        delivered = PageFormatter.short(sum.delivered)
        impressions = PageFormatter.short(sum.impressions)
        clickRate = PageFormatter.rate(sum.uniqueClicks, of: sum.uniqueImpressions)
        hasProblems = sum.decodeErrors > 0
        start = campaign.shownStart.map { StartView($0, context) }
        stopped = stop.map { StoppedView($0, of: campaign, context) }
        changed = TimeView(campaign.updatedAt, for: context)
    }

    /// Returns the counts of all variants that show something.
    static func sum(_ campaign: Campaign, _ counts: [VariantID: CampaignCounts]) -> CampaignCounts {
        campaign.content.variants.filter { !$0.isControl }
            .reduce(into: CampaignCounts()) { $0 += counts[$1.id] ?? CampaignCounts() }
    }
}

/// The start of a campaign as lists show it.
struct StartView {
    let day: String
    let text: String

    init(_ start: PlannedTime, _ context: PageContext) {
        day = start.day(in: context.timeZone)
        text = ScheduleText.text(start, context.timeZone)
    }
}

/// The end of a campaign that was stopped, as lists show it.
struct StoppedView {
    /// The day until which it ran, or that it was stopped where it never began.
    let day: String
    /// The time for which it ran.
    let text: String

    init(_ stop: RecordedStop, of campaign: Campaign, _ context: PageContext) {
        let zone = context.timeZone
        day =
            stop.isBeforeStart(of: campaign)
            ? localized("Stopped") : localized("until \(stop.end(of: campaign).day(in: zone))")
        text = stop.run(of: campaign, in: zone)
    }
}

extension PlannedTime {
    /// Returns the day in a time zone, or on the users' own clocks.
    fileprivate func day(in timeZone: String) -> String {
        let pattern = localized("d MMM yyyy")
        return switch self {
        case .at(let time): PageFormatter.format(time, timeZone, pattern)
        case .local(let time): PageFormatter.format(time.seconds, "UTC", pattern)
        }
    }
}

/// The status of a campaign as a badge.
struct StatusView {
    let key: String
    let text: String

    init(_ campaign: Campaign, at now: UnixTime) {
        let state = CampaignState(campaign, at: now)
        key = state.rawValue
        text = campaign.isWithdrawn ? localized("\(state.name), cards removed") : state.name
    }
}

extension CardTemplate.Layout {
    /// The name in the language of the request that is being answered.
    var displayName: String { localized(shape.label) }
}
