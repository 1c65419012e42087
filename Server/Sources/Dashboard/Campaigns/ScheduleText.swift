import CardModel

/// The start and the end of a delivery in words.
struct ScheduleText {
    let start: String
    let end: String

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
        end = schedule.end.map { localized("Ends on \(text($0)).") } ?? localized("No end date.")
    }

    /// `24 Dec 2026, 09:00 (Asia/Tokyo)`, or `24 Dec 2026, 09:00 in the user’s local time`.
    static func text(_ time: PlannedTime, _ timeZone: String) -> String {
        switch time {
        case .at(let time): "\(PageFormatter.time(time, in: timeZone)) (\(timeZone))"
        case .local(let time): localized("\(PageFormatter.time(time.seconds, in: "UTC")) in the user’s local time")
        }
    }
}
