import CardModel
import WireJSON

/// The days that a report shows: those that the address names, or the last 60 that have something.
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

    init(_ query: FormData, until today: Day) {
        let first = Self.day(query[.from])
        let typed = Self.day(query[.to])
        let isReversed = first.flatMap { first in typed.map { first > $0 } } ?? false
        problem = isReversed ? localized("The first day is after the last one. Swap them.") : nil
        // What is no range counts for nothing, but stays in the fields.
        self.first = isReversed ? nil : first
        last = isReversed ? today : min(typed ?? today, today)
        from = PageFormatter.shown(first)
        to = isReversed ? PageFormatter.shown(typed) : last == today ? "" : last.description
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
