import CardModel
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: reports")
struct ReportTests {
    @Test("Money has as many decimals as its currency")
    func money() {
        #expect(Wording.money(1_980, "JPY") == "¥1,980")
        #expect(Wording.money(12, "EUR") == "€12.00")
        #expect(Wording.money(1_234.5, "USD") == "$1,234.50")
    }

    @Test("A number has its noun in singular or plural")
    func counted() {
        #expect(Wording.counted(1, "user") == "1 user")
        #expect(Wording.counted(0, "user") == "0 users")
        #expect(Wording.part(1, of: 1_234, "user") == "1 of 1,234 users")
        #expect(Wording.part(0, of: 1, "user") == "0 of 1 user")
    }

    @Test("A day that isn't over is a point beside the line, and says so")
    func partialDay() throws {
        let days = (0..<3).map { Day(number: 20_000 + $0) }
        func chart(_ isPartial: Bool) -> String {
            let series = SeriesChart.Series(name: "Clicks", colour: 1, values: [10, 20, 0])
            return SeriesChart(days: days, series: [series], label: "x", isLastDayPartial: isPartial).svg
        }
        let (whole, partial) = (chart(false), chart(true))
        #expect(whole.contains("class=\"line s1\"") && !whole.contains("partial") && !whole.contains("so far"))
        #expect(partial.contains("class=\"dot partial s1\"") && partial.contains(", so far – Clicks: 0"))
        let line = try #require(partial.firstMatch(of: /class="line s1" d="([^"]*)"/)).1
        #expect(line.count { $0 == "L" } == 1)
    }

    @Test("Full days are compared with as many before them, where the campaign has numbers of then")
    func compared() {
        func row(_ day: String, _ impressions: Int64) -> JSONValue {
            ["day": .string(day), "variant_id": "a", "impressions": .integer(impressions), "clicks": 0, "delivered": 4]
        }
        let json: JSONValue = [
            "variants": [["id": "a", "name": "A"]],
            "days": [
                row("2026-03-01", 40), row("2026-03-02", 60), row("2026-03-03", 80), row("2026-03-04", 45),
                row("2026-03-05", 1),
            ],
        ]
        let today = Day(of: 1_772_668_800)
        #expect(today.description == "2026-03-05")
        let range = ReportDays(FormData(urlEncoded: "from=2026-03-03"), until: today)
        let numbers = ReportNumbers(json, range, today: today)
        #expect(numbers.comparedDays == 2)
        #expect(numbers.changes.map(\.name) == ["Delivered", "Impressions", "Clicks"])
        #expect(numbers.changes.map(\.now) == ["8", "125", "0"])
        #expect(numbers.changes.map(\.before) == ["8", "100", "0"])
        #expect(numbers.changes.map(\.difference) == ["0.00%", "+25.0%", "–"])
        #expect(ReportNumbers(json, ReportDays(FormData(urlEncoded: ""), until: today), today: today).changes.isEmpty)
    }

    @Test("Conversions are no step of the funnel: users convert without a click")
    func funnel() {
        let totals: JSONValue = [
            "recipients": 100, "unique_impressions": 40, "unique_clicks": 5,
            "conversions": [["id": "buy", "name": "Purchase", "users": 50, "unique_conversions": 20]],
        ]
        let funnel = ReportPage.funnel(totals)
        #expect(funnel.map(\.name) == ["Delivered", "Viewed", "Clicked"])
        #expect(funnel.map(\.figures) == ["100", "40", "5"])
        let converted = ReportPage.converted(totals)
        #expect(converted.map(\.figures) == ["20"])
        #expect(converted.map(\.rate) == ["40.0%"])
    }
}
