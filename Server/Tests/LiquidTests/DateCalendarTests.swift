import Liquid
import Testing

@Suite("The calendar of dates")
struct DateCalendarTests {
    /// A calendar that goes from one day to the next, and computes nothing.
    private struct Walk {
        var year = 1_895
        var month = 1
        var day = 1
        var dayOfYear = 1
        /// 0 for Sunday; the first of January 1895 was a Tuesday.
        var weekday = 2
        var seconds = -2_366_755_200.0

        static func isLeap(_ year: Int) -> Bool {
            if year % 400 == 0 { return true }
            if year % 100 == 0 { return false }
            return year % 4 == 0
        }

        static func length(of year: Int) -> Int { isLeap(year) ? 366 : 365 }

        var lengthOfMonth: Int {
            if month == 2 { return Self.isLeap(year) ? 29 : 28 }
            return [4, 6, 9, 11].contains(month) ? 30 : 31
        }

        /// The year and the week of the Thursday of this week, which is how ISO 8601 counts.
        var isoWeek: (year: Int, week: Int) {
            var (thursday, ofYear) = (dayOfYear + 4 - (weekday == 0 ? 7 : weekday), year)
            if thursday < 1 {
                ofYear -= 1
                thursday += Self.length(of: ofYear)
            } else if thursday > Self.length(of: ofYear) {
                thursday -= Self.length(of: ofYear)
                ofYear += 1
            }
            return (ofYear, (thursday - 1) / 7 + 1)
        }

        mutating func advance() {
            seconds += 86_400
            weekday = weekday == 6 ? 0 : weekday + 1
            dayOfYear += 1
            day += 1
            guard day > lengthOfMonth else { return }
            day = 1
            month += 1
            guard month > 12 else { return }
            (year, month, dayOfYear) = (year + 1, 1, 1)
        }
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    @Test("has the days that come one after the other, with their leap days, weekdays and weeks")
    func days() {
        var walk = Walk()
        // The Sundays and Mondays of the year so far, which are its weeks.
        var (sundays, mondays) = (0, 0)
        while walk.year < 2_105 {
            if walk.dayOfYear == 1 { (sundays, mondays) = (0, 0) }
            sundays += walk.weekday == 0 ? 1 : 0
            mondays += walk.weekday == 1 ? 1 : 0
            let isNearNewYear = walk.dayOfYear < 12 || walk.dayOfYear > 350
            if isNearNewYear || [58, 59, 60, 61, 62].contains(walk.dayOfYear) {
                let iso = walk.isoWeek
                let expected =
                    "\(walk.year)-\(Self.padded(walk.month, 2))-\(Self.padded(walk.day, 2)) "
                    + "\(Self.padded(walk.dayOfYear, 3)) \(walk.weekday) \(Self.padded(sundays, 2)) "
                    + "\(Self.padded(mondays, 2)) \(iso.year)-W\(Self.padded(iso.week, 2))"
                // Noon, and the last second of the day.
                for second in [43_200.0, 86_399] {
                    let date = LiquidDate(seconds: walk.seconds + second)
                    #expect(date.format("%Y-%m-%d %j %w %U %W %G-W%V") == expected)
                }
            }
            walk.advance()
        }
    }

    @Test("is read back from what it writes, in any zone", arguments: [-86_340, -12_600, -60, 0, 60, 20_700, 86_340])
    func roundTrip(offset: Int) throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<300 {
            // From the year 1000 on, so that a year has four digits, up to 9998.
            let seconds = Double(Int.random(in: -30_609_792_000...253_360_000_000, using: &random))
            let date = LiquidDate(seconds: seconds, offset: offset)
            var context = LiquidContext(data: LiquidHash([("text", .string(date.format("%Y-%m-%dT%H:%M:%S%:z")))]))
            context.calendar = LiquidCalendar(now: { 0 })
            let shown = try standard.compile("{{ text | date: '%s %z' }}").render(context).text
            #expect(shown == "\(Int(seconds)) \(date.format("%z"))")
        }
    }

    @Test(
        "counts fractions before 1970 forward too",
        arguments: [
            (-0.5, "1969-12-31 23:59:59.500"), (-1.0, "1969-12-31 23:59:59.000"),
            (-86_400.25, "1969-12-30 23:59:59.750"),
            (0.999, "1970-01-01 00:00:00.999"), (59.9999996, "1970-01-01 00:01:00.000"),
        ]
    )
    func fractions(seconds: Double, expected: String) {
        #expect(LiquidDate(seconds: seconds).format("%F %T.%L") == expected)
    }
}
