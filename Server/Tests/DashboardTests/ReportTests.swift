import CardModel
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: reports")
struct ReportTests {
    @Test("Money has as many decimals as its currency")
    func money() {
        #expect(PageFormatter.money(1_980, "JPY") == "¥1,980")
        #expect(PageFormatter.money(12, "EUR") == "€12.00")
        #expect(PageFormatter.money(1_234.5, "USD") == "$1,234.50")
    }

    @Test("A number has its noun in singular or plural")
    func counted() {
        #expect(PageFormatter.counted(1, .user) == "1 user")
        #expect(PageFormatter.counted(0, .user) == "0 users")
        #expect(PageFormatter.part(1, of: 1_234, .user) == "1 of 1,234 users")
        #expect(PageFormatter.part(0, of: 1, .user) == "0 of 1 user")
        #expect(PageFormatter.counted(1, .picture) == "1 picture")
        #expect(PageFormatter.counted(12_345, .picture) == "12,345 pictures")
        #expect(CampaignsPage.shown(12_345, isExact: true) == "12,345")
        #expect(CampaignsPage.shown(200, isExact: false) == "200+")
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

    @Test("A day without a rate is a gap in the line, and a value between gaps is a point")
    func gaps() throws {
        let days = (0..<5).map { Day(number: 20_000 + $0) }
        let series = SeriesChart.Series(name: "Card", colour: 1, values: [0.5, nil, 0.25, nil, 0.125])
        let chart = SeriesChart(days: days, series: [series], label: "x", isPercent: true).svg
        let line = try #require(chart.firstMatch(of: /class="line s1" d="([^"]*)"/)).1
        #expect(line.count { $0 == "M" } == 3 && !line.contains("L"))
        #expect(chart.contains(" – Card: –</title>") && chart.contains("Card: 25.0%"))
        // One drawing for wide windows, and one for narrow ones.
        #expect(chart.matches(of: /class="dot s1"/).count == 6 && !chart.contains("class=\"area"))
    }

    @Test("Full days are compared with as many before them, where the campaign has numbers of then")
    func compared() throws {
        let variant = VariantID(rawValue: "a")
        func row(_ day: String, _ impressions: Int64) -> CampaignReport.Row {
            var counts = CampaignCounts()
            (counts.delivered, counts.impressions) = (4, impressions)
            let day = Day(of: Timestamp.unixTime(of: day) ?? 0)
            return CampaignReport.Row(variant: variant, day: CountingDay(utc: day, local: day), counts: counts)
        }
        let report = try CampaignReport.of(
            ["a"],
            [
                row("2026-03-01", 40), row("2026-03-02", 60), row("2026-03-03", 80), row("2026-03-04", 45),
                row("2026-03-05", 1),
            ]
        )
        let today = Day(of: 1_772_668_800)
        #expect(today.description == "2026-03-05")
        let range = ReportDays(FormData(urlEncoded: "from=2026-03-03"), until: today)
        func numbers(_ range: ReportDays) -> ReportNumbers {
            ReportNumbers(report.campaign.content.variants, report.dailyCounts(by: \.utc), range, today: today)
        }
        let past = numbers(ReportDays(FormData(urlEncoded: "from=2026-03-03&to=2026-03-04"), until: today))
        let (numbers, all) = (numbers(range), numbers(ReportDays(.empty, until: today)))
        #expect(numbers.comparedDays == 2 && numbers.leavesOutToday)
        #expect(numbers.rows.map(\.day) == ["5 Mar 2026, so far", "4 Mar 2026", "3 Mar 2026"])
        #expect(past.comparedDays == 2 && !past.leavesOutToday)
        #expect(numbers.changes.map(\.name) == ["Delivered", "Impressions", "Clicks"])
        #expect(numbers.changes.map(\.now) == ["8", "125", "0"])
        #expect(numbers.changes.map(\.before) == ["8", "100", "0"])
        #expect(numbers.changes.map(\.difference) == ["0.00%", "+25.0%", "–"])
        #expect(all.changes.isEmpty)
    }

    @Test("The table of the overview says that today isn't over, as the chart beside it does")
    func overviewToday() {
        var counts = CampaignCounts()
        (counts.impressions, counts.clicks) = (1_234, 5)
        let days = [Day(number: 20_000), Day(number: 20_001)]
        let rows = OverviewPage.table(days, [counts, CampaignCounts()])
        #expect(rows.map(\.day) == ["4 Oct", "5 Oct, so far"])
        #expect(rows.map(\.impressions) == ["1,234", "0"] && rows.map(\.clicks) == ["5", "0"])
        TextCatalog.$current.withValue(.japanese) {
            #expect(OverviewPage.table(days, [counts, counts]).last?.day == "10月5日（途中）")
        }
    }

    @Test("The table has the click rate of each variant on each day, as the chart draws it")
    func rates() throws {
        func row(_ variant: String, _ day: String, _ impressions: Int64, _ clicks: Int64) -> CampaignReport.Row {
            var counts = CampaignCounts()
            (counts.impressions, counts.clicks) = (impressions, clicks)
            let day = Day(of: Timestamp.unixTime(of: day) ?? 0)
            let id = VariantID(rawValue: variant)
            return CampaignReport.Row(variant: id, day: CountingDay(utc: day, local: day), counts: counts)
        }
        let report = try CampaignReport.of(
            ["a", "b"],
            [row("a", "2026-03-01", 200, 25), row("b", "2026-03-01", 80, 4), row("b", "2026-03-02", 40, 20)]
        )
        let numbers = ReportNumbers(
            report.campaign.content.variants,
            report.dailyCounts(by: \.utc),
            ReportDays(.empty, until: Day(of: Timestamp.unixTime(of: "2026-03-02") ?? 0)),
            today: Day(of: Timestamp.unixTime(of: "2026-03-03") ?? 0)
        )
        #expect(numbers.rows.map(\.rates) == [["–", "50.0%"], ["12.5%", "5.00%"]])
    }

    @Test("As many variants as a campaign can have are told apart, by dashes and points where a colour comes again")
    func manyVariants() throws {
        func row(_ variant: String, _ day: String) -> CampaignReport.Row {
            var counts = CampaignCounts()
            (counts.impressions, counts.clicks) = (100, 10)
            let day = Day(of: Timestamp.unixTime(of: day) ?? 0)
            let id = VariantID(rawValue: variant)
            return CampaignReport.Row(variant: id, day: CountingDay(utc: day, local: day), counts: counts)
        }
        let ids = (1...20).map { "v\($0)" }
        let report = try CampaignReport.of(ids, ids.flatMap { [row($0, "2026-03-01"), row($0, "2026-03-02")] })
        let numbers = ReportNumbers(
            report.campaign.content.variants,
            report.dailyCounts(by: \.utc),
            ReportDays(.empty, until: Day(of: Timestamp.unixTime(of: "2026-03-02") ?? 0)),
            today: Day(of: Timestamp.unixTime(of: "2026-03-02") ?? 0)
        )
        #expect(Set(numbers.rates.series.map { [$0.colour, $0.pattern] }).count == 20)
        let svg = numbers.rates.svg
        // Two drawings, each with lines, and with points for the day that isn't over.
        let lines = svg.matches(of: /class="line (s[1-5](?: d[1-3])?)"/).map { String($0.1) }
        #expect(lines.count == 40 && Set(lines).count == 20)
        let points = svg.matches(of: /<(?:circle|path) class="dot partial (s[1-5](?: d[1-3])?)"/).map { String($0.1) }
        #expect(points.count == 40 && Set(points).count == 20)
        let sheet = try #require(AssetFiles(folder: nil).file("dashboard.css"))
        let styles = String(decoding: sheet.bytes, as: UTF8.self)
        for pattern in 1..<SeriesChart.patterns {
            for name in [".chart .line.d\(pattern) {", ".key.d\(pattern)::before {"] {
                #expect(styles.contains(name), "\(name)")
            }
        }
    }

    @Test("A change has its sign, with one minus everywhere, and one that is shown as zero has none")
    func change() {
        #expect(PageFormatter.change(-0.447) == "−44.7%" && PageFormatter.change(0.0421) == "+4.21%")
        #expect(PageFormatter.change(1.92, digits: 0) == "+192%" && PageFormatter.change(-0.001, digits: 0) == "0%")
    }

    @Test("The overview compares full days: what today has so far counts in the tile alone")
    func overview() {
        let today = Day(number: 20_100)
        func counts(_ impressions: Int64) -> CampaignCounts {
            var counts = CampaignCounts()
            counts.impressions = impressions
            return counts
        }
        // safe: days of these years
        let days = (0..<90 as Range<Int32>).map { (Day(number: today.number - $0), counts($0 == 0 ? 4 : 10)) }
        let sums = OverviewPage.Sums(Dictionary(uniqueKeysWithValues: days), until: today)
        #expect(sums.shown.impressions == 294 && sums.full.impressions == 290 && sums.before.impressions == 290)
        let tile = OverviewPage.OverviewTile("Impressions", sums, \.impressions)
        #expect(tile.value == "294" && tile.trend == "0%")
    }

    @Test("The sentence of the results has per cents as the tables have them")
    func sentence() throws {
        let rows = [("a", 100), ("b", 292)].map { variant, clicks in
            var counts = CampaignCounts()
            (counts.delivered, counts.recipients, counts.uniqueImpressions) = (1_000, 1_000, 1_000)
            counts.uniqueClicks = Int64(clicks)
            let day = CountingDay(utc: Day(number: 20_000), local: Day(number: 20_000))
            return CampaignReport.Row(variant: VariantID(rawValue: variant), day: day, counts: counts)
        }
        let report = try CampaignReport.of(["a", "b"], rows)
        let text = ResultFormatter.text(Experiment(report), report.campaign)
        let pattern = /Winner: “b” is better than “a” by clicks: \+192% \(\+[0-9]+% to \+[0-9]+%\)\./
        #expect(text.wholeMatch(of: pattern) != nil, "\(text)")
    }

    @Test("The tiles of some days have the sums of these days, and days the wrong way round are a mistake")
    func range() throws {
        let variant = VariantID(rawValue: "a")
        let rows = (0..<4).map { number in
            var counts = CampaignCounts()
            (counts.delivered, counts.impressions, counts.clicks) = (1, 10, Int64(number))
            let day = Day(number: 20_000 + Int32(number))
            return CampaignReport.Row(variant: variant, day: CountingDay(utc: day, local: day), counts: counts)
        }
        let report = try CampaignReport.of(["a"], rows)
        let today = Day(number: 20_003)
        func days(_ query: String) -> ReportDays { ReportDays(FormData(urlEncoded: query), until: today) }
        func tiles(_ query: String) -> [String] {
            let counts = report.dailyCounts(by: \.local)
            let numbers = ReportNumbers(report.campaign.content.variants, counts, days(query), today: today)
            return ReportPage.tiles(of: numbers.sums).map(\.value)
        }
        let (first, second) = (Day(number: 20_001), Day(number: 20_002))
        #expect(tiles("from=\(first)&to=\(second)") == ["2", "20", "3", "15.0%", "0"])
        #expect(days("from=\(first)&to=\(second)").problem == nil)
        let reversed = days("from=\(second)&to=\(first)")
        #expect(reversed.problem == "The first day is after the last one. Swap them.")
        #expect(reversed.from == second.description && reversed.to == first.description)
        // Days that are still to come have no numbers.
        #expect(tiles("from=\(Day(number: 20_010))") == ["0", "0", "0", "–", "0"])
    }

    @Test("The days of a stopped campaign end with its stop, unless later ones are chosen")
    func stopped() {
        let (today, stop) = (Day(number: 20_010), Day(number: 20_005))
        func days(_ query: String) -> ReportDays {
            ReportDays(FormData(urlEncoded: query), until: today, stopped: stop)
        }
        func last(_ query: String) -> Day? { days(query).days(since: Day(number: 20_000)).last }
        #expect(last("") == stop && days("").endsWithStop && !days("").isChosen)
        #expect(last("from=\(Day(number: 20_002))") == stop)
        #expect(last("to=\(today)") == today && days("to=\(today)").to == today.description)
        #expect(!days("to=\(today)").endsWithStop)
        #expect(last("from=\(Day(number: 20_007))") == today)
        // A stop of today changes nothing.
        #expect(!ReportDays(.empty, until: today, stopped: today).endsWithStop)
    }

    @Test("Conversions are no step of the funnel: users convert without a click")
    func funnel() throws {
        var totals = CampaignCounts()
        (totals.recipients, totals.uniqueImpressions, totals.uniqueClicks) = (100, 40, 5)
        let funnel = ReportPage.funnel(totals)
        #expect(funnel.map(\.name) == ["Delivered", "Viewed", "Clicked"])
        #expect(funnel.map(\.figures) == ["100", "40", "5"])
        let variant = VariantID(rawValue: "a")
        var report = try CampaignReport.of(["a"], [])
        report.campaign.content.conversions = [.init(id: "buy", name: "Purchase", goal: .sessionStart)]
        var counts = CampaignCounts()
        counts.recipients = 50
        let day = CountingDay(utc: Day(number: 1), local: Day(number: 1))
        report.rows = [.init(variant: variant, day: day, counts: counts)]
        var conversions = ConversionCounts()
        conversions.uniqueConversions = 20
        report.conversions = [.init(variant: variant, day: day, conversion: "buy", counts: conversions)]
        let converted = ReportPage.converted(report.conversionSummaries(of: [variant]))
        #expect(converted.map(\.figures) == ["20"])
        #expect(converted.map(\.rate) == ["40.0%"])
    }
}

extension CampaignReport {
    /// The report of a campaign with such variants, each with a card.
    static func of(_ variants: [String], _ rows: [Row]) throws -> CampaignReport {
        let card: JSONValue = ["type": "classic", "title": "T", "description": "D"]
        let content = try Campaign.Content(
            json: [
                "name": "Sale",
                "variants": .array(variants.map { ["id": .string($0), "name": .string($0), "card": card] }),
            ]
        )
        let campaign = Campaign(id: CampaignID(rawValue: "sale"), content: content, createdAt: 0)
        return CampaignReport(campaign: campaign, rows: rows, problems: [])
    }
}
