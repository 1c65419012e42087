import CardModel
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: the days of the calendar")
struct CalendarRangeTests {
    private func range(
        _ span: CalendarRange.Span,
        _ day: String,
        _ zone: String = "Europe/Berlin"
    ) throws -> CalendarRange {
        let time = try #require(Timestamp.unixTime(of: day))
        return CalendarRange(span, around: Day(of: time), clock: try #require(TimeZoneClock(named: zone)))
    }

    private func moment(_ text: String) throws -> UnixTime { try #require(Timestamp.unixTime(of: text)) }

    @Test(
        "A range has the whole week, month or quarter of a day, and the next one follows it",
        arguments: [
            (CalendarRange.Span.week, "2027-01-01", "2026-12-28", "2027-01-03", "2027-01-04"),
            (.week, "2026-12-28", "2026-12-28", "2027-01-03", "2027-01-04"),
            (.month, "2028-02-29", "2028-02-01", "2028-02-29", "2028-03-01"),
            (.month, "2026-12-31", "2026-12-01", "2026-12-31", "2027-01-01"),
            (.quarter, "2027-02-15", "2027-01-01", "2027-03-31", "2027-04-01"),
            (.quarter, "2026-12-31", "2026-10-01", "2026-12-31", "2027-01-01"),
        ]
    )
    func borders(_ span: CalendarRange.Span, day: String, first: String, last: String, next: String) throws {
        let range = try range(span, day)
        #expect((range.first.description, range.last.description) == (first, last))
        #expect(range.next?.first.description == next)
        #expect(range.next?.previous?.first == range.first)
        #expect(range.bounds.count == range.days.count + 1)
    }

    @Test("Days begin at midnight of the workspace's clock, and have 23 or 25 hours where it changes")
    func daylightSaving() throws {
        let spring = try range(.month, "2027-03-10")
        #expect(spring.start == (try moment("2027-02-28T23:00:00Z")))
        #expect(spring.end == (try moment("2027-03-31T22:00:00Z")))
        #expect(spring.bounds[28] - spring.bounds[27] == 23 * 3_600)
        // Noon of the short day is 10:00 UTC: eleven of its 23 hours.
        let noon = spring.place(of: try moment("2027-03-28T10:00:00Z"))
        #expect(abs(noon - (27 + 11.0 / 23) / 31) < 1e-9)
        let autumn = try range(.week, "2027-10-31")
        #expect(autumn.bounds[7] - autumn.bounds[6] == 25 * 3_600)
        #expect(autumn.place(of: autumn.bounds[6]) == autumn.place(ofDay: 6))
    }

    @Test("Moments outside lie at the ends")
    func places() throws {
        let range = try range(.week, "2026-12-03", "UTC")
        #expect(range.place(of: range.start - 1) == 0 && range.place(of: range.end + 1) == 1)
        #expect(range.place(of: range.end) == 1)
        #expect(abs(range.place(of: range.start + 3.5 * 86_400) - 0.5) < 1e-9)
    }

    @Test(
        "What names no day that the calendar has is today, and what names no length is a month",
        arguments: ["from=x&show=y", "from=0000-00-00", "from=9999-12-31", "from=2026-02-30", "", "from=1970-01-01"]
    )
    func hostile(_ query: String) throws {
        let today = Day(of: try moment("2026-12-03"))
        let range = CalendarRange(FormData(urlEncoded: query), today: today, clock: .utc)
        #expect(range.span == .month && range.first.description == "2026-12-01")
    }

    @Test("There is a range before and after each but at the ends of the years that dates have")
    func ends() throws {
        let early = CalendarRange(FormData(urlEncoded: "from=1971-01-02&show=week"), today: Day(number: 0), clock: .utc)
        #expect(early.previous == nil && early.next != nil)
        let late = CalendarRange(FormData(urlEncoded: "from=9998-12-30"), today: Day(number: 0), clock: .utc)
        #expect(late.first.description == "9998-12-01" && late.next == nil && late.previous != nil)
    }
}
