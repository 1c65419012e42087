import CardModel
import Foundation

/// Writes the dates of one page: making a formatter takes far longer than using it.
struct CalendarDates {
    private let time: DateFormatter
    private let localTime: DateFormatter
    private let day: DateFormatter
    private let month: DateFormatter
    private let weekday: DateFormatter
    private let shortDay: DateFormatter

    init(zone: String) {
        func formatter(_ pattern: String, _ zone: TimeZone = .gmt) -> DateFormatter {
            let formatter = DateFormatter()
            formatter.locale = TextCatalog.current.locale
            formatter.timeZone = zone
            formatter.dateFormat = pattern
            return formatter
        }
        time = formatter(localized("d MMM yyyy, HH:mm"), TimeZone(identifier: zone) ?? .gmt)
        localTime = formatter(localized("d MMM yyyy, HH:mm"))
        day = formatter(localized("d MMM yyyy"))
        month = formatter(localized("MMMM yyyy"))
        weekday = formatter(localized("EEE d MMM"))
        shortDay = formatter(localized("d MMM"))
    }

    /// `December 2026`, `Quarter from October 2026 to December 2026`, `7 Dec 2026 – 13 Dec 2026`.
    func title(of range: CalendarRange) -> String {
        switch range.span {
        case .week: "\(text(day, range.first)) – \(text(day, range.last))"
        case .month: text(month, range.first)
        case .quarter: "\(text(month, range.first)) – \(text(month, range.last))"
        }
    }

    /// Returns the label above a day; `nil` for days of a quarter but Mondays.
    func label(of index: Int, in range: CalendarRange) -> String? {
        let day = range.days[index]
        switch range.span {
        case .week: return text(weekday, day)
        case .month: return String(index + 1)
        // safe: days of the years that timestamps have; 1970-01-01 was a Thursday
        case .quarter: return (day.number + 3) % 7 == 0 ? text(shortDay, day) : nil
        }
    }

    /// `3 Dec 2026`, the day on which a moment lies in the workspace's time zone.
    func day(of moment: UnixTime, in range: CalendarRange) -> String {
        day.string(from: Date(timeIntervalSince1970: range.clock.local(at: moment).seconds))
    }

    /// `3 Dec 2026, 09:00 – 10 Dec 2026, 18:00 in the user’s local time`.
    func text(of run: CampaignRun) -> String {
        let schedule = run.campaign.content.delivery.schedule
        var start = text(of: run.start.lowerBound)
        if case .local(let planned) = schedule.start, run.campaign.launchedAt.map({ $0 < run.start.upperBound }) ?? true
        {
            start = text(ofLocal: planned)
        }
        guard let last = run.end?.upperBound else {
            return run.isOpenAtStart
                ? localized("From its launch on, no end") : localized("From \(start), no end")
        }
        var end = text(of: last)
        if case .local(let planned) = schedule.end, last == schedule.end?.latest { end = text(ofLocal: planned) }
        return run.isOpenAtStart
            ? localized("From its launch until \(end)") : localized("From \(start) until \(end)")
    }

    private func text(of moment: UnixTime) -> String { time.string(from: Date(timeIntervalSince1970: moment)) }

    private func text(ofLocal planned: LocalTime) -> String {
        let time = localTime.string(from: Date(timeIntervalSince1970: planned.seconds))
        return localized("\(time) in the user’s local time")
    }

    private func text(_ formatter: DateFormatter, _ day: Day) -> String {
        formatter.string(from: Date(timeIntervalSince1970: Double(day.number) * 86_400))
    }
}
