import CardModel
import WireJSON

/// The days that the calendar shows, in the workspace's time zone.
struct CalendarRange {
    /// The length of the calendar that is shown at a time.
    enum Span: String, CaseIterable {
        case week
        case month
        case quarter

        var name: String {
            switch self {
            case .week: localized("Week")
            case .month: localized("Month")
            case .quarter: localized("Quarter")
            }
        }
    }

    let span: Span
    let first: Day
    let days: [Day]
    let clock: TimeZoneClock
    /// The moment at which each day begins, and the moment at which the last one ends: a day may have 23 or 25 hours.
    let bounds: [UnixTime]

    /// Creates the week, month or quarter that has a day in it.
    init(_ span: Span, around day: Day, clock: TimeZoneClock) {
        self.span = span
        self.clock = clock
        first = Self.first(of: span, around: day)
        let next = Self.first(of: span, around: Self.day(after: first, by: Self.enough(span)))
        // safe: days of a quarter
        days = (first.number..<next.number).map { Day(number: $0) }
        bounds = (days + [next]).map { clock.moment(of: LocalTime(seconds: Double($0.number) * 86_400)) }
    }

    /// Creates what a query asks for: the range around the day that it names, or around today.
    init(_ query: FormData, today: Day, clock: TimeZoneClock) {
        let span = query[.show].flatMap(Span.init) ?? .month
        self.init(span, around: Self.day(query[.from]) ?? today, clock: clock)
    }

    // safe: a range has a beginning and an end
    var start: UnixTime { bounds[0] }
    var end: UnixTime { bounds[bounds.count - 1] }
    var last: Day { days[days.count - 1] }

    /// The range before this one, or `nil` where dates begin.
    var previous: CalendarRange? { neighbour(Self.day(after: first, by: -1)) }

    /// The range after this one, or `nil` where dates end.
    var next: CalendarRange? { neighbour(Self.day(after: last, by: 1)) }

    private func neighbour(_ day: Day) -> CalendarRange? {
        Self.known.contains(Double(day.number) * 86_400) ? CalendarRange(span, around: day, clock: clock) : nil
    }

    /// Returns the position of a moment in the range, from 0 to 1: all days are as wide, whatever hours they have.
    func place(of time: UnixTime) -> Double {
        guard time > start else { return 0 }
        guard time < end, let next = bounds.firstIndex(where: { $0 > time }) else { return 1 }
        let day = next - 1
        return (Double(day) + (time - bounds[day]) / (bounds[next] - bounds[day])) / Double(days.count)
    }

    /// Returns how far into the range a day begins, from 0 to 1.
    func place(ofDay index: Int) -> Double { Double(index) / Double(days.count) }

    // MARK: Dates

    /// The times whose ranges are shown: a year less than timestamps have at either end.
    // safe: a year is far shorter than the range
    private static let known = (Timestamp.range.lowerBound + year)...(Timestamp.range.upperBound - year)
    private static let year = 366 * 86_400.0

    private static func day(_ text: String?) -> Day? {
        guard let text, text.utf8.count == 10, let time = Timestamp.unixTime(of: text), known.contains(time) else {
            return nil
        }
        return Day(of: time)
    }

    /// A number of days that leads from the first day of a range into the next one.
    private static func enough(_ span: Span) -> Int32 {
        switch span {
        case .week: 7
        case .month: 31
        case .quarter: 92
        }
    }

    // safe: days of the years that timestamps have
    private static func day(after day: Day, by count: Int32) -> Day { Day(number: day.number + count) }

    private static func first(of span: Span, around day: Day) -> Day {
        switch span {
        case .week:
            // 1970-01-01 was a Thursday, and weeks begin on Monday.
            // safe: days of the years that timestamps have
            Self.day(after: day, by: -((day.number + 3) % 7))
        case .month: firstOfMonth(day) { $0 }
        // safe: numbers of months
        case .quarter: firstOfMonth(day) { ($0 - 1) / 3 * 3 + 1 }
        }
    }

    /// The first day of a month of the year of a day.
    private static func firstOfMonth(_ day: Day, _ month: (Int) -> Int) -> Day {
        // characters: a day that the server writes
        let parts = day.description.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return day }
        let (year, number) = (parts[0], month(parts[1]))
        let text = "\(padded(year, 4))-\(padded(number, 2))-01"
        return Timestamp.unixTime(of: text).map { Day(of: $0) } ?? day
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
