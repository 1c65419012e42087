import CardModel
import CardStore

/// The campaigns that run in a range, of however many the workspace has.
///
/// The server has active campaigns in memory, and all of them are looked at. Of the others, a store doesn't know when
/// they run without reading each, so that those changed last are looked at.
struct CalendarCampaigns {
    /// The most campaigns that have a bar.
    static let limit = 50
    /// The most drafts that are looked at, and paused, stopped and archived campaigns.
    static let readLimit = 200

    var list = CampaignRunList(limit: limit)
    /// The drafts that say neither when they begin nor when they end, so that no range is theirs.
    var undated = UndatedDrafts()
    /// The states of which there are more campaigns than were looked at.
    var partial: [CampaignState] = []

    /// Finds the campaigns of a filter that run in a range.
    static func find(_ range: CalendarRange, _ filter: CampaignFilter, _ context: PageContext) async throws -> Self {
        let now = context.now
        var found = CalendarCampaigns()
        for campaign in context.site.server.activeCampaigns() {
            guard let run = CampaignRun(campaign, at: now), run.runs(from: range.start, to: range.end),
                filter.includes(campaign)
            else { continue }
            found.list.add(run)
        }
        for status in [Campaign.Status.draft, .paused, .stopped, .archived] {
            var filter = filter
            filter.status = status
            let limit = readLimit + 1
            let campaigns = try await context.store.searchCampaigns(matching: filter, after: nil, limit: limit)
            if campaigns.count == limit, let last = campaigns.last {
                found.partial.append(CampaignState(last, at: now))
            }
            for campaign in campaigns.prefix(readLimit) { found.add(campaign, in: range, at: now) }
        }
        found.undated.isPartial = found.partial.contains(.draft)
        try await found.findStops(range, context)
        return found
    }

    /// Looks up when those campaigns were stopped that have a bar: their last change may have come later.
    private mutating func findStops(_ range: CalendarRange, _ context: PageContext) async throws {
        let stops = try await RecordedStop.find(among: list.runs.map(\.campaign), context.store)
        let refined = list.runs.map { run -> CampaignRun? in
            guard let stop = stops[run.campaign.id] else { return run }
            let stopped = CampaignRun(run.campaign, at: context.now, stoppedAt: stop.at)
            return stopped.flatMap { $0.runs(from: range.start, to: range.end) ? $0 : nil }
        }
        list.refine(refined)
    }

    private mutating func add(_ campaign: Campaign, in range: CalendarRange, at now: UnixTime) {
        guard let run = CampaignRun(campaign, at: now) else { return }
        if run.isUndated {
            undated.add(campaign)
        } else if run.runs(from: range.start, to: range.end) {
            list.add(run)
        }
    }

    /// Whether campaigns of the range have no bar.
    var isCut: Bool { list.count > list.runs.count || !partial.isEmpty }

    /// The sentences that name what isn't shown.
    var notes: [String] {
        var notes: [String] = []
        let hidden = list.count - list.runs.count
        if hidden > 0 {
            let count = PageFormatter.counted(Int64(hidden), .campaign)
            notes.append(
                localized("\(count) more in this range not shown. Search, choose a tag or a shorter range to see them.")
            )
        }
        if !partial.isEmpty {
            let names = PageFormatter.list(partial.map(\.name))
            let limit = PageFormatter.count(Int64(Self.readLimit))
            notes.append(
                localized("Of each of these, only the \(limit) changed last are looked at: \(names).")
            )
        }
        return notes
    }
}
