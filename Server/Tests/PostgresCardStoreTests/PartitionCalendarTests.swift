import CardModel
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: the days of the log")
struct PartitionCalendarTests {
    private func partition(_ start: Int64, _ end: Int64) -> EventPartition { EventPartition(start: start, end: end) }

    /// The bounds as PostgreSQL shows those of a partition.
    private func shown(_ partition: EventPartition) -> String {
        "FOR VALUES FROM ('\(partition.lowerBound)') TO ('\(partition.upperBound)')"
    }

    @Test(
        "A day has the name that it has in UTC, leap days and the last year of four digits among them",
        arguments: [
            (-1, "1969-12-31"), (0, "1970-01-01"), (10_956, "1999-12-31"), (11_016, "2000-02-29"),
            (20_787, "2026-11-30"), (20_818, "2026-12-31"), (20_819, "2027-01-01"), (21_242, "2028-02-28"),
            (21_243, "2028-02-29"), (21_244, "2028-03-01"), (47_540, "2100-02-28"), (47_541, "2100-03-01"),
            (2_932_896, "9999-12-31"),
        ] as [(Int64, String)]
    )
    func names(day: Int64, text: String) {
        let single = partition(day, day + 1)
        #expect(single.day == text && single.lastDay == text)
        #expect(single.name == "events_" + text.replacing("-", with: ""))
        #expect(partition(day, day + 2).day == text)
        #expect(partition(day - 1, day + 1).lastDay == text)
        // A name that needs no quotation marks, whatever the day.
        #expect(single.name.allSatisfy { $0.isASCII && ($0.isNumber || $0.isLowercase || $0 == "_") })
    }

    @Test(
        "A bound is the milliseconds of the day's beginning, with which ids of version 7 begin",
        arguments: [
            (0, #"\x000000000000"#), (1, #"\x000005265c00"#), (20_787, #"\x01a229c05400"#),
            (20_819, #"\x01a2ce8bd400"#), (21_243, #"\x01ab56143400"#), (2_932_896, #"\xe677ccf98000"#),
        ] as [(Int64, String)]
    )
    func bounds(day: Int64, bound: String) {
        #expect(partition(day, day + 1).lowerBound == bound)
        #expect(partition(day - 1, day).upperBound == bound)
        let time = Double(day) * 86_400
        #expect(partition(day - 1, day).endTime == time)
        #expect(EventPartition.day(of: time) == day)
    }

    @Test("Days of before 1970 begin where ids do")
    func early() {
        #expect(partition(-30, -1).lowerBound == #"\x000000000000"#)
        #expect(partition(-30, -1).upperBound == #"\x000000000000"#)
        #expect(partition(-1, 1).upperBound == #"\x000005265c00"#)
    }

    @Test("Bounds are read as they are written, for every day on which a year, month or leap day begins or ends")
    func readBack() throws {
        for day in [0, 1, 58, 59, 364, 365, 10_956, 11_016, 20_818, 21_242, 21_243, 2_932_895] as [Int64] {
            for width in [1, 2, 30] as [Int64] {
                let written = partition(day, day + width)
                #expect(EventPartition(bounds: shown(written)) == written)
            }
            let first = try #require(EventPartition(bounds: "FOR VALUES FROM (MINVALUE) TO ('\(shownBound(day))')"))
            #expect(first == partition(.min, day))
        }
    }

    private func shownBound(_ day: Int64) -> String { partition(day, day + 1).lowerBound }

    @Test(
        "Bounds of another kind are those of no partition that a server creates",
        arguments: [
            "", "DEFAULT", "FOR VALUES FROM (MINVALUE) TO (MAXVALUE)",
            #"FOR VALUES FROM ('\x01a229c05400') TO (MAXVALUE)"#,
            #"FOR VALUES FROM ('\x01a2') TO ('\x01a3')"#, "FOR VALUES FROM ('2026-11-30') TO ('2026-12-01')",
            "FOR VALUES WITH (modulus 4, remainder 1)",
            #"FOR VALUES IN ('\x01a229c05400', '\x01a2ce8bd400', '\x01ab56143400')"#,
            #"FOR VALUES FROM ('\001\242)\300T\000') TO ('\001\242,\350\275@')"#,
        ]
    )
    func foreignBounds(text: String) {
        #expect(EventPartition(bounds: text) == nil)
    }

    @Test("The day of a moment begins at midnight in UTC, and what is no moment is the first day")
    func days() {
        let midnight: UnixTime = 20_819 * 86_400
        #expect(EventPartition.day(of: midnight) == 20_819)
        #expect(EventPartition.day(of: midnight.nextDown) == 20_818)
        #expect(EventPartition.day(of: midnight + 86_399.999) == 20_819)
        #expect(EventPartition.day(of: -0.001) == -1)
        #expect(EventPartition.day(of: -86_400) == -1)
        for time in [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 1e30] {
            #expect(EventPartition.day(of: time) == 0)
        }
    }

    @Test("Two halves hold the days of the whole, and a single day has none")
    func halves() {
        for width in 2...31 as ClosedRange<Int64> {
            let whole = partition(21_230, 21_230 + width)
            let halves = whole.halves
            #expect(halves.count == 2)
            #expect(halves.first?.start == whole.start && halves.last?.end == whole.end)
            #expect(halves.first?.end == halves.last?.start)
            #expect(halves.allSatisfy { $0.start < $0.end })
        }
        #expect(partition(5, 6).halves.isEmpty && partition(5, 5).halves.isEmpty)
    }

    @Test("However partitions lie, those that are added hold each day once, from today to a week ahead")
    func coverage() {
        var random = NumberSequence(seed: 7)
        for _ in 0..<500 {
            let today = 21_240 + random.next(below: 10)
            var known: [EventPartition] = []
            var day = today - 20
            while day < today + 20 {
                let end = day + 1 + random.next(below: 6)
                if random.next(below: 2) == 0 { known.append(partition(day, end)) }
                day = end
            }
            let width = 1 + random.next(below: 30)
            let added = EventPartition.missing(beside: known, on: today, width: width)
            let all = (known + added).sorted { $0.start < $1.start }
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.end <= $1.start }, "\(known) \(added)")
            let days = Set(all.flatMap { $0.start..<$0.end })
            #expect(days.isSuperset(of: today...today + EventPartition.daysAhead), "\(known) \(added)")
            #expect(added.allSatisfy { $0.end - $0.start <= width && $0.end > $0.start })
            #expect(added.allSatisfy { $0.start >= today && $0.start <= today + EventPartition.daysAhead })
            #expect(EventPartition.missing(beside: all, on: today, width: width).isEmpty)
        }
    }

    @Test("A partition that is wider than a day goes on over the end of a year and a leap day")
    func wide() {
        let year = EventPartition.missing(beside: [], on: 20_815, width: 30)
        #expect(year == [partition(20_815, 20_845)])
        #expect(year.first?.name == "events_20261228" && year.first?.lastDay == "2027-01-26")
        let leap = EventPartition.missing(beside: [partition(.min, 21_242)], on: 21_242, width: 7)
        #expect(leap.map(\.day) == ["2028-02-28", "2028-03-06"])
        #expect(leap.map(\.lastDay) == ["2028-03-05", "2028-03-12"])
    }

    @Test("Events that are kept longer have wider partitions, of a month at most")
    func widths() {
        var last: Int64 = 0
        for days in 1...2_000 {
            let width = EventPartition.width(keeping: days)
            #expect(width >= max(last, 1) && width <= 30)
            // With those of the week ahead, there are never many more than are wanted.
            if width < 30 { #expect((Int64(days) + width - 1) / width <= 45) }
            last = width
        }
        #expect(EventPartition.width(keeping: 0) == 1 && EventPartition.width(keeping: -9) == 1)
    }
}

/// Numbers that look random and are the same in every run.
private struct NumberSequence {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(below limit: Int64) -> Int64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int64(state >> 33) % limit
    }
}
