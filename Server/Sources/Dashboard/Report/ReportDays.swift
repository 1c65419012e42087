import CardModel
import WireJSON

/// The days that a report shows: those that the address names, or the last 60 that have something, up to the day on
/// which the campaign was stopped.
struct ReportDays {
    /// The most days that a chart draws.
    private static let longest: Int32 = 400
    private static let usual: Int32 = 60

    private let first: Day?
    private let last: Day
    /// The days as the fields of the form have them.
    let from: String
    let to: String
    let isChosen: Bool
    /// The problem of the days, or `nil` for none.
    let problem: String?
    /// The days as a query, to load the numbers again.
    let query: String

    /// Whether days after the campaign was stopped aren't shown, since no other last day was chosen.
    let endsWithStop: Bool

    init(_ query: FormData, until today: Day, stopped: Day? = nil) {
        let first = Self.day(query[.from])
        let typed = Self.day(query[.to])
        let isReversed = first.flatMap { first in typed.map { first > $0 } } ?? false
        problem = isReversed ? localized("The first day is after the last one. Swap them.") : nil
        // What is no range counts for nothing, but stays in the fields.
        self.first = isReversed ? nil : first
        let usual = min(stopped ?? today, today)
        // A first day after the stop is chosen to see what came later.
        let hasLater = first.map { $0 > usual } ?? false
        last = isReversed ? today : min(typed ?? (hasLater ? today : usual), today)
        endsWithStop = typed == nil && !hasLater && usual < today
        from = PageFormatter.shown(first)
        let isUsual = typed == nil || last == usual
        to = isReversed ? PageFormatter.shown(typed) : isUsual ? "" : last.description
        isChosen = !from.isEmpty || !to.isEmpty
        self.query = isChosen ? "&from=\(from)&to=\(to)" : ""
    }

    private static func day(_ text: String?) -> Day? {
        guard let text, text.utf8.count == 10, let time = Timestamp.unixTime(of: text),
            Timestamp.range.contains(time)
        else { return nil }
        return Day(of: time)
    }

    /// The days from the first one that counts, given the first with numbers.
    // safe: days of 32 bits within the years that timestamps have
    func days(since start: Day?) -> [Day] {
        guard let start else { return [] }
        let begin = first ?? max(start, Day(number: last.number - Self.usual + 1))
        let number = max(begin.number, last.number - Self.longest + 1)
        return number <= last.number ? (number...last.number).map { Day(number: $0) } : []
    }
}

extension ReportPage {
    /// Returns the days that the report of a campaign shows.
    static func days(of campaign: Campaign, until today: Day, _ context: PageContext) async throws -> ReportDays {
        let stop = try await RecordedStop.find(campaign, context.store)
        let stopped = stop.map { DayClock(zone: context.timeZone).day(of: $0.at) }
        return ReportDays(context.query, until: today, stopped: stopped)
    }
}
