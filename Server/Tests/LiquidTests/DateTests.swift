import Liquid
import Testing

@Suite("Dates")
struct DateTests {
    private func formatted(_ date: String, _ format: String = "%Y-%m-%d %H:%M:%S %z") throws -> String? {
        var context = LiquidContext(data: LiquidHash([("date", .string(date)), ("format", .string(format))]))
        context.calendar = LiquidCalendar(now: { 1_773_500_966 })
        return try standard.compile("{{ date | date: format }}").render(context).text
    }

    @Test(
        "are read as people and programs write them",
        arguments: [
            ("2026-03-14T15:09:26+09:00", "2026-03-14 15:09:26 +0900"),
            ("2026-03-14 15:09:26 UTC", "2026-03-14 15:09:26 +0000"),
            ("2026-03-14", "2026-03-14 00:00:00 +0000"), ("20260314T150926Z", "2026-03-14 15:09:26 +0000"),
            ("March 14, 2026 3:09 pm", "2026-03-14 15:09:00 +0000"), ("14 Mar 2026", "2026-03-14 00:00:00 +0000"),
            ("Sat, 14 Mar 2026 15:09:26 -0800", "2026-03-14 15:09:26 -0800"), ("2026/3/4", "2026-03-04 00:00:00 +0000"),
            ("14/03/2026 12am", "2026-03-14 00:00:00 +0000"), ("1773500966", "2026-03-14 15:09:26 +0000"),
            ("now", "2026-03-14 15:09:26 +0000"), ("Today", "2026-03-14 15:09:26 +0000"),
            ("2024-02-29", "2024-02-29 00:00:00 +0000"), ("1969-12-31 23:59:59", "1969-12-31 23:59:59 +0000"),
        ]
    )
    func reading(_ date: String, _ expected: String) throws {
        #expect(try formatted(date) == expected)
    }

    @Test("stay as they are when they are no dates", arguments: ["garbage", "", "2026-13-45", "2023-02-29"])
    func garbage(_ date: String) throws {
        #expect(try formatted(date) == date)
    }

    @Test(
        "are written in the form asked for",
        arguments: [
            ("%a %A %b %B %d %e %j", "Thu Thursday Jan January 01  1 001"),
            ("%y %C %G-W%V %u %w %U %W", "26 20 2026-W01 4 4 00 00"),
            ("%I:%M %p %l%P %k %L %N", "05:06 AM  5am  5 500 500000000"),
            ("%D %F %T %R %r", "01/01/26 2026-01-01 05:06:07 05:06 05:06:07 AM"),
            ("%-d %-m %_m %^a %#p %05d %%%q", "1 1  1 THU am 00001 %%q"),
            ("%s %Z %:z %n%t", "1767243967 UTC +00:00 \n\t"),
            ("%c", "Thu Jan  1 05:06:07 2026"), ("日%Y", "日2026"), ("100%", "100%"),
        ]
    )
    func writing(_ format: String, _ expected: String) throws {
        #expect(try formatted("2026-01-01 05:06:07.5", format) == expected)
    }

    @Test("take part in weeks of the year as ISO 8601 counts them")
    func isoWeeks() throws {
        #expect(try formatted("2027-01-01", "%G-W%V") == "2026-W53")
        #expect(try formatted("2024-12-30", "%G-W%V") == "2025-W01")
        #expect(try formatted("2021-01-03", "%G-W%V") == "2020-W53")
    }

    @Test("are shown in a time zone that the calendar knows")
    func timeZone() throws {
        var context = LiquidContext()
        context.calendar.offset = { zone, _ in zone == "Asia/Tokyo" ? 32_400 : nil }
        let environment = LiquidEnvironment()
        let template = try environment.compile("{{ 0 | time_zone: 'Asia/Tokyo' | date: '%F %R %z' }}")
        #expect(try template.render(context).text == "1970-01-01 09:00 +0900")
        let unknown = failure("{{ 0 | time_zone: 'Nowhere' }}", in: environment, context: context)
        #expect(unknown?.code == .argument)
    }
}
