import CardModel

/// The time for which a campaign runs, and the state in which it is.
///
/// A start or an end in users' local time isn't one moment: clocks reach it over 26 hours.
struct CampaignRun {
    let campaign: Campaign
    let state: CampaignState
    /// The moments between which it begins for the first and for the last user.
    let start: ClosedRange<UnixTime>
    /// The moments between which it ends for the first and for the last user, or `nil` where it has no end.
    let end: ClosedRange<UnixTime>?
    /// Whether nothing says when it begins: a draft without a start begins with its launch.
    let isOpenAtStart: Bool

    /// Finds when a campaign runs, or returns `nil` for one that has never run and never will as it is.
    ///
    /// - Parameters:
    ///   - campaign: The campaign.
    ///   - now: The moment.
    ///   - stop: The time at which it was stopped, where that is known.
    init?(_ campaign: Campaign, at now: UnixTime, stoppedAt stop: UnixTime? = nil) {
        // A draft that was archived has a plan that was given up.
        if campaign.status == .archived, campaign.launchedAt == nil { return nil }
        let schedule = campaign.content.delivery.schedule
        // safe: the earliest isn't later than the latest
        let start = schedule.start.map { $0.earliest...$0.latest }
        self.campaign = campaign
        state = CampaignState(campaign, at: now)
        if let launch = campaign.launchedAt {
            // Who launches late starts late.
            // safe: in order as before
            self.start = start.map { max($0.lowerBound, launch)...max($0.upperBound, launch) } ?? launch...launch
        } else {
            // safe: one moment
            self.start = start ?? now...now
        }
        isOpenAtStart = campaign.launchedAt == nil && start == nil
        // safe: the earliest isn't later than the latest
        let end = schedule.end.map { $0.earliest...$0.latest }
        switch campaign.status {
        case .stopped, .archived:
            // It was stopped when it was last changed, or before.
            let stop = stop ?? campaign.updatedAt
            // safe: in order as before
            self.end = end.map { min($0.lowerBound, stop)...min($0.upperBound, stop) } ?? stop...stop
        case .draft, .active, .paused: self.end = end
        }
        if let last = self.end?.upperBound, last <= self.start.lowerBound { return nil }
    }

    /// Whether nothing says when it begins or ends, so that a bar would only say that it is a draft.
    var isUndated: Bool { isOpenAtStart && end == nil }

    /// Whether the campaign starts or ends by the clocks of its users.
    var isLocal: Bool {
        if case .scheduledLocally = campaign.content.delivery { true } else { false }
    }

    /// Whether it is to give cards from now on: those that are over can't get in each other's way any more.
    var isPlanned: Bool {
        switch state {
        case .draft, .scheduled, .active, .paused: true
        case .ended, .stopped, .archived: false
        }
    }

    /// Whether it runs for anybody between two moments.
    func runs(from begin: UnixTime, to finish: UnixTime) -> Bool {
        start.lowerBound < finish && (end?.upperBound ?? .infinity) > begin
    }

    /// Whether both run for anybody at the same moment between two others.
    func meets(_ other: CampaignRun, from begin: UnixTime, to finish: UnixTime) -> Bool {
        let first = max(begin, start.lowerBound, other.start.lowerBound)
        let last = min(finish, end?.upperBound ?? .infinity, other.end?.upperBound ?? .infinity)
        return first < last
    }

    /// Whether it may give its cards between two moments: where nothing triggers it, who is there gets the card as it
    /// starts.
    func givesCards(from begin: UnixTime, to finish: UnixTime) -> Bool {
        campaign.content.delivery.isTriggered
            ? runs(from: begin, to: finish) : start.lowerBound < finish && start.upperBound >= begin
    }
}

extension CampaignState {
    /// The order in which the calendar keeps campaigns where it can't show all of them.
    fileprivate var rank: Int {
        switch self {
        case .active: 0
        case .scheduled: 1
        case .paused: 2
        case .draft: 3
        case .ended: 4
        case .stopped: 5
        case .archived: 6
        }
    }
}

/// The runs that matter most, of however many there are.
struct CampaignRunList {
    let limit: Int
    /// The runs that were kept, those that matter most first.
    private(set) var runs: [CampaignRun] = []
    /// The number of campaigns.
    private(set) var count = 0

    /// Creates an empty list.
    init(limit: Int) { self.limit = limit }

    /// Adds a run, and drops the last one where there are too many.
    mutating func add(_ run: CampaignRun) {
        count += 1
        if runs.count == limit, let last = runs.last, !Self.isOrdered(run, last) { return }
        let place = runs.firstIndex { Self.isOrdered(run, $0) } ?? runs.endIndex
        runs.insert(run, at: place)
        if runs.count > limit { runs.removeLast() }
    }

    /// Replaces the runs by what is known of them by now, and drops those for which there is `nil`.
    mutating func refine(_ refined: [CampaignRun?]) {
        let kept = refined.compactMap(\.self)
        count -= runs.count - kept.count
        runs = kept
    }

    private static func isOrdered(_ left: CampaignRun, _ right: CampaignRun) -> Bool {
        let places = (left.state.rank, left.start.lowerBound, left.campaign.id)
        return places < (right.state.rank, right.start.lowerBound, right.campaign.id)
    }

    /// The runs by their start, as the calendar shows them.
    var byStart: [CampaignRun] {
        runs.sorted { ($0.start.lowerBound, $0.campaign.id) < ($1.start.lowerBound, $1.campaign.id) }
    }
}
