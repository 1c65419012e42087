import CardModel

/// The start and the end of a delivery in words.
struct ScheduleText {
    private(set) var start: String
    let end: String

    /// Creates the words for a campaign as it is: one that was launched says when, and what start it was planned for.
    ///
    /// - Parameters:
    ///   - campaign: The campaign.
    ///   - now: The moment.
    ///   - timeZone: The workspace's time zone.
    ///   - stop: The time at which it was stopped, where that is known.
    init(_ campaign: Campaign, at now: UnixTime, timeZone: String, stoppedAt stop: UnixTime? = nil) {
        self.init(campaign.content.delivery, at: now, timeZone: timeZone)
        guard let launchedAt = campaign.launchedAt, CampaignState(campaign, at: now) != .scheduled else { return }
        let launch = localized("Launched on \(Self.text(.at(launchedAt), timeZone)).")
        let plan = Self.plan(of: campaign, ahead: start, at: now, timeZone, stoppedAt: stop)
        start = plan.map { localized("\($0) \(launch)", in: "sentences") } ?? launch
    }

    /// Returns the start that a launched campaign was planned for, or `nil` where that had passed or never came.
    private static func plan(
        of campaign: Campaign,
        ahead: String,
        at now: UnixTime,
        _ timeZone: String,
        stoppedAt stop: UnixTime?
    ) -> String? {
        guard let planned = campaign.startAfterLaunch else { return nil }
        let isStopped = [.stopped, .archived].contains(campaign.status)
        guard planned.latest <= now else { return isStopped ? nil : ahead }
        // It was stopped when it was last changed, or before.
        guard !isStopped || planned.earliest < stop ?? campaign.updatedAt else { return nil }
        return localized("Started on \(text(planned, timeZone)).")
    }

    /// Creates the words for a delivery that is launched now.
    init(_ delivery: Campaign.DeliveryMode, at now: UnixTime, timeZone: String) {
        let schedule = delivery.schedule
        func text(_ time: PlannedTime) -> String { Self.text(time, timeZone) }
        if let start = schedule.start, start.earliest > now {
            let wait = PageFormatter.duration(start.earliest - now)
            switch start {
            case .at: self.start = localized("Starts in \(wait), on \(text(start)).")
            case .local:
                self.start = localized("Starts on \(text(start)). The first users receive the card in \(wait).")
            }
        } else if let start = schedule.start, start.latest > now {
            // Some clocks show it already, and others within a day.
            self.start = localized("Starts on \(text(start)). Users who are past that receive the card immediately.")
        } else {
            start = localized("Starts immediately.")
        }
        switch schedule.end {
        case nil: self.end = localized("No end date.")
        case let end? where end.latest <= now: self.end = localized("Ended on \(text(end)).")
        case let end?: self.end = localized("Ends on \(text(end)).")
        }
    }

    /// `24 Dec 2026, 09:00 (Asia/Tokyo)`, or `24 Dec 2026, 09:00 in the user’s local time`.
    static func text(_ time: PlannedTime, _ timeZone: String) -> String {
        switch time {
        case .at(let time): "\(PageFormatter.time(time, in: timeZone)) (\(timeZone))"
        case .local(let time): localized("\(PageFormatter.time(time.seconds, in: "UTC")) in the user’s local time")
        }
    }
}
