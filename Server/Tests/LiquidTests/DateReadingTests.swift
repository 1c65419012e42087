import Liquid
import Testing

@Suite("Dates that are read")
struct DateReadingTests {
    private func shown(_ date: String, as format: String = "%Y-%m-%d %H:%M:%S %z") throws -> String? {
        var context = LiquidContext(data: LiquidHash([("date", .string(date)), ("format", .string(format))]))
        // Saturday, 14 March 2026, 15:09:26.
        context.calendar = LiquidCalendar(now: { 1_773_500_966 })
        return try standard.compile("{{ date | date: format }}").render(context).text
    }

    @Test(
        "know which days there are",
        arguments: [
            ("2000-02-29", true), ("1900-02-29", false), ("2100-02-29", false), ("2024-02-30", false),
            ("2026-04-30", true), ("2026-04-31", false), ("2026-06-31", false), ("2026-09-31", false),
            ("2026-11-31", false), ("2026-12-31", true), ("2026-12-32", false), ("2026-00-10", false),
            ("2026-01-00", false), ("2026-1-1", true), ("0001-01-01", true), ("9999-12-31", true),
            ("29 Feb 2025", false), ("29 Feb 2028", true), ("Feb 30, 2028", false),
            ("31.06.2026", false), ("30.06.2026", true),
        ]
    )
    func days(_ date: String, exists: Bool) throws {
        let text = try shown(date, as: "date")
        #expect(text == (exists ? "date" : date))
    }

    @Test(
        "know which times there are",
        arguments: [
            ("2026-01-31 23:59:59", "2026-01-31 23:59:59 +0000"), ("2026-01-31 23:59:60", "2026-02-01 00:00:00 +0000"),
            ("2026-01-31 23:59:61", nil), ("2026-01-31 23:60", nil), ("2026-01-31 24:00", "2026-02-01 00:00:00 +0000"),
            ("2026-01-31 24:00:00", "2026-02-01 00:00:00 +0000"), ("2026-01-31 24:00:01", nil),
            ("2026-01-31 24:30", nil), ("2026-01-31 25:00", nil), ("2026-12-31 24:00", "2027-01-01 00:00:00 +0000"),
        ]
    )
    func times(_ date: String, _ expected: String?) throws {
        #expect(try shown(date) == expected ?? date)
    }

    @Test(
        "tell the halves of a day",
        arguments: [
            ("12am", "00:00"), ("12 AM", "00:00"), ("12:30 am", "00:30"), ("1am", "01:00"), ("11:59am", "11:59"),
            ("12pm", "12:00"), ("12:30PM", "12:30"), ("1 pm", "13:00"), ("11:59 pm", "23:59"),
        ]
    )
    func halves(_ time: String, _ expected: String) throws {
        #expect(try shown("2026-05-06 \(time)", as: "%F %R") == "2026-05-06 \(expected)")
    }

    @Test(
        "tell zones",
        arguments: [
            ("Z", "+0000"), ("z", "+0000"), (" UTC", "+0000"), (" GMT", "+0000"), ("+00:00", "+0000"),
            ("+09", "+0900"), ("+0900", "+0900"), (" +09:00", "+0900"), ("-03:30", "-0330"), ("-0330", "-0330"),
            ("+05:45", "+0545"), (" GMT+2", "+0200"), (" UTC-05:00", "-0500"), (" EST", "-0500"), (" EDT", "-0400"),
            (" PDT", "-0700"), (" JST", "+0900"), (" CEST", "+0200"), ("+14:00", "+1400"), ("-12:00", "-1200"),
        ]
    )
    func zones(_ zone: String, _ expected: String) throws {
        #expect(try shown("2026-05-06T07:08:09\(zone)") == "2026-05-06 07:08:09 \(expected)")
    }

    @Test(
        "say the moment that their zone makes of them",
        arguments: [
            ("1970-01-01T00:00:00+01:00", "-3600"), ("1970-01-01T00:00:00-01:00", "3600"),
            ("1970-01-01T00:00:00Z", "0"), ("2000-01-01T00:00:00Z", "946684800"),
            ("2000-03-01T00:00:00Z", "951868800"), ("2026-03-14T15:09:26.999Z", "1773500966"),
            ("1969-12-31T23:59:59.5Z", "-1"), ("2038-01-19T03:14:08Z", "2147483648"),
        ]
    )
    func moments(_ date: String, _ expected: String) throws {
        #expect(try shown(date, as: "%s") == expected)
    }

    @Test(
        "take what they do not say from today",
        arguments: [
            ("12:30", "2026-03-14 12:30:00 +0000"), ("5 pm", "2026-03-14 17:00:00 +0000"),
            ("May", "2026-05-01 00:00:00 +0000"), ("May 5", "2026-05-05 00:00:00 +0000"),
            ("5th of September", "2026-09-05 00:00:00 +0000"), ("2025-07", "2025-07-01 00:00:00 +0000"),
            ("July 2025", "2025-07-01 00:00:00 +0000"), ("NOW", "2026-03-14 15:09:26 +0000"),
        ]
    )
    func parts(_ date: String, _ expected: String) throws {
        #expect(try shown(date) == expected)
    }

    @Test(
        "take years of two digits from 1969 to 2068",
        arguments: [
            ("1 Jan 68", "2068"), ("1 Jan 69", "1969"), ("1 Jan 99", "1999"), ("1 Jan 00", "2000"),
            ("01/02/68", "2068"), ("01/02/69", "1969"), ("1.2.26", "2026"), ("1 Jan 026", "0026"),
        ]
    )
    func shortYears(_ date: String, _ expected: String) throws {
        #expect(try shown(date, as: "%Y") == expected)
    }

    @Test("keep fractions of a second to the microsecond")
    func fractions() throws {
        #expect(try shown("2026-01-01T00:00:00.123456Z", as: "%N") == "123456000")
        #expect(try shown("2026-01-01T00:00:00.9Z", as: "%S %L") == "00 900")
        #expect(try shown("2026-01-01T00:00:59.999Z", as: "%S %L") == "59 999")
    }

    @Test("are not looked for in what is longer than any date")
    func length() throws {
        let padded = String(repeating: " ", count: 118) + "2026-01-01"
        #expect(try shown(padded, as: "%F") == "2026-01-01")
        #expect(try shown(" " + padded, as: "%F") == " " + padded)
    }

    @Test("are shown at home where they say no offset of their own, by the offset of their moment")
    func home() throws {
        // A zone that put its clock forward by an hour at the beginning of 1971.
        var context = LiquidContext(data: LiquidHash([("said", "1970-06-01T00:00:00+02:00")]))
        context.calendar = LiquidCalendar(now: { 31_536_000 })
        context.calendar.homeOffset = { $0 < 31_536_000 ? 3_600 : 7_200 }
        let source = "{{ 0 | date: '%R %z' }} {{ 'now' | date: '%R %z' }} {{ '31535999' | date: '%R' }} "
        let said = "{{ said | date: '%R %z' }}"
        let text = try standard.compile(source + said).render(context).text
        #expect(text == "01:00 +0100 02:00 +0200 00:59 00:00 +0200")
    }
}
