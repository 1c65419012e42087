import CardModel
import CardStore

/// The end of a campaign that was stopped, by its history.
struct RecordedStop {
    /// The versions that are read at a time: few campaigns are edited after they were stopped.
    private static let step = 20

    /// The time at which it was stopped.
    let at: UnixTime
    /// The name of who stopped it, or `nil` where the history begins later, so that it was stopped then or before.
    let actor: String?

    /// Finds when a campaign was stopped; `nil` for one that wasn't, or was never launched.
    static func find(_ campaign: Campaign, _ store: any CardStore) async throws -> RecordedStop? {
        try await find(among: [campaign], store)[campaign.id]
    }

    /// Finds when campaigns were stopped, by the newest versions of all of them at once.
    ///
    /// - Parameters:
    ///   - campaigns: The campaigns.
    ///   - store: The store.
    /// - Returns: The ends of those that were launched and stopped, by their IDs.
    /// - Throws: What the store throws.
    static func find(
        among campaigns: [Campaign],
        _ store: any CardStore
    ) async throws -> [CampaignID: RecordedStop] {
        var rest = campaigns.filter { isOver($0.status) && $0.launchedAt != nil }[...]
        var found: [CampaignID: RecordedStop] = [:]
        while !rest.isEmpty {
            let part = rest.prefix(PageLimit.highest)
            rest = rest.dropFirst(part.count)
            let latest = try await store.latestCampaignVersions(of: part.map(\.id), limit: step)
            for campaign in part { found[campaign.id] = try await stop(of: campaign, latest[campaign.id] ?? [], store) }
        }
        return found
    }

    /// Finds when a campaign was stopped, from its newest versions on.
    private static func stop(
        of campaign: Campaign,
        _ latest: [CampaignVersion],
        _ store: any CardStore
    ) async throws -> RecordedStop {
        var found = RecordedStop(at: campaign.updatedAt, actor: nil)
        var versions = latest
        while true {
            for version in versions {
                guard isOver(version.status) else { return found }
                found = RecordedStop(at: version.at, actor: version.actor)
            }
            guard versions.count == step, let last = versions.last else {
                return RecordedStop(at: found.at, actor: nil)
            }
            versions = try await store.campaignVersions(of: campaign.id, before: last.number, limit: step)
        }
    }

    private static func isOver(_ status: Campaign.Status) -> Bool { status == .stopped || status == .archived }

    /// Returns the sentence that says when a campaign was stopped, and who did it.
    ///
    /// - Parameters:
    ///   - timeZone: The workspace's time zone.
    ///   - who: The name of who stopped it, or `nil` where that isn't known.
    /// - Returns: The sentence.
    func sentence(in timeZone: String, by who: String?) -> String {
        let time = ScheduleText.text(.at(at), timeZone)
        guard let who else { return localized("Stopped on \(time) or before.") }
        return localized("Stopped on \(time) by \(who).")
    }

    /// Returns the time for which a campaign ran, such as `From 3 Dec 2026, 09:00 (Asia/Tokyo) until …`.
    func run(of campaign: Campaign, in timeZone: String) -> String {
        guard let start = campaign.shownStart, !isBeforeStart(of: campaign) else {
            return localized("Never: it was stopped before it began.")
        }
        let end = ScheduleText.text(end(of: campaign), timeZone)
        return localized("From \(ScheduleText.text(start, timeZone)) until \(end)")
    }

    /// Returns the time until which a campaign ran: its schedule may have ended before it was stopped.
    func end(of campaign: Campaign) -> PlannedTime {
        campaign.content.delivery.schedule.end.flatMap { $0.latest <= at ? $0 : nil } ?? .at(at)
    }

    /// Returns whether a campaign was stopped before it began for anybody.
    func isBeforeStart(of campaign: Campaign) -> Bool { campaign.shownStart.map { $0.earliest >= at } ?? true }
}
