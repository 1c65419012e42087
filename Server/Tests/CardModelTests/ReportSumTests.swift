import CardModel
import Statistics
import Testing
import WireJSON

@Suite("A report adds up")
struct ReportSumTests {
    private static let variants = ["control", "a", "b"].map { VariantID(rawValue: $0) }
    private static let goal = Campaign.Conversion.Goal.event(EventCondition(.purchase(product: nil)))

    /// The numbers of counts, in the order of their declaration.
    private static var fields: [WritableKeyPath<CampaignCounts, Int64>] {
        [
            \.delivered, \.recipients, \.impressions, \.uniqueImpressions, \.clicks, \.uniqueClicks, \.dismissals,
            \.decodeErrors,
        ]
    }

    /// Days that are one in UTC and another in the workspace.
    private func day(_ random: inout SplitMix) -> CountingDay {
        let utc = Int32.random(in: 20_000...20_004, using: &random)
        return CountingDay(utc: Day(number: utc), local: Day(number: utc + Int32.random(in: 0...1, using: &random)))
    }

    private func report(_ random: inout SplitMix) -> CampaignReport {
        var campaign = Sample.campaign("c", variants: Self.variants.map { Sample.variant($0.rawValue) })
        campaign.content.variants[0].card = nil
        campaign.content.conversions = ["first", "second"].map { Campaign.Conversion(id: $0, goal: Self.goal) }
        var report = CampaignReport(campaign: campaign, rows: [], problems: [])
        for _ in 0..<Int.random(in: 0...30, using: &random) {
            let variant = Self.variants[Int.random(in: 0...2, using: &random)]
            var counts = CampaignCounts()
            for field in Self.fields { counts[keyPath: field] = Int64.random(in: 0...9, using: &random) }
            report.rows.append(CampaignReport.Row(variant: variant, day: day(&random), counts: counts))
            var converted = ConversionCounts()
            converted.conversions = Int64.random(in: 0...9, using: &random)
            converted.uniqueConversions = Int64.random(in: 0...9, using: &random)
            let conversion = Bool.random(using: &random) ? "first" : "second"
            report.conversions.append(
                CampaignReport.ConversionRow(
                    variant: variant,
                    day: day(&random),
                    conversion: conversion,
                    counts: converted
                )
            )
            let amount = AmountCounts(purchases: 1, buyers: 1, amount: 0.1, squares: 0.25)
            report.amounts.append(
                CampaignReport.AmountRow(
                    variant: variant,
                    day: day(&random),
                    conversion: conversion,
                    currency: Bool.random(using: &random) ? "EUR" : "JPY",
                    counts: amount
                )
            )
        }
        return report
    }

    @Test("Totals are the sums of every variant's days but the control's, number by number")
    func totals() {
        var random = SplitMix(seed: 81)
        for _ in 0..<50 {
            let report = report(&random)
            for field in Self.fields {
                var sums: [VariantID: Int64] = [:]
                for row in report.rows { sums[row.variant, default: 0] += row.counts[keyPath: field] }
                for variant in Self.variants {
                    #expect(report.counts(of: variant)[keyPath: field] == sums[variant] ?? 0)
                }
                let expected = (sums[Self.variants[1]] ?? 0) + (sums[Self.variants[2]] ?? 0)
                #expect(report.totals[keyPath: field] == expected)
            }
        }
    }

    @Test("The days of either calendar add up to the same, and name each day on which something was counted")
    func days() {
        var random = SplitMix(seed: 82)
        for _ in 0..<50 {
            let report = report(&random)
            for calendar in [\CountingDay.utc, \CountingDay.local] {
                let table = report.dailyCounts { $0[keyPath: calendar] }
                for variant in Self.variants {
                    let sum = table.values.compactMap { $0[variant] }.reduce(into: CampaignCounts()) { $0 += $1 }
                    #expect(sum == report.counts(of: variant))
                }
                var days: Set<Day> = []
                for row in report.rows { days.insert(row.day[keyPath: calendar]) }
                for row in report.conversions { days.insert(row.day[keyPath: calendar]) }
                for row in report.amounts { days.insert(row.day[keyPath: calendar]) }
                #expect(Set(table.keys) == days)
            }
        }
    }

    @Test("Conversions and what was spent are told apart by conversion, variant and currency")
    func conversions() {
        var random = SplitMix(seed: 83)
        for _ in 0..<50 {
            let report = report(&random)
            let summaries = report.conversionTotals
            #expect(summaries.map(\.conversion.id) == ["first", "second"])
            for summary in summaries {
                let id = summary.conversion.id
                let rows = report.conversions.filter { $0.conversion == id && $0.variant.rawValue != "control" }
                #expect(summary.counts.conversions == rows.reduce(0) { $0 + $1.counts.conversions })
                #expect(summary.counts.uniqueConversions == rows.reduce(0) { $0 + $1.counts.uniqueConversions })
                for currency in ["EUR", "JPY", "USD"] {
                    let amounts = report.amounts.filter {
                        $0.conversion == id && $0.variant.rawValue != "control" && $0.currency == currency
                    }
                    let found = summary.amounts[currency]
                    #expect((found == nil) == amounts.isEmpty)
                    #expect(found?.purchases ?? 0 == Int64(amounts.count))
                    // Tenths that are added exactly.
                    let amount = found?.amount ?? .zero
                    #expect(amount * 10 == Amount(Int64(amounts.count)))
                    #expect(found?.squares ?? 0 == 0.25 * Double(amounts.count))
                }
            }
        }
    }

    @Test("Counts that no database should have end nothing, and nothing is zero but nothing")
    func edges() {
        for field in Self.fields {
            var counts = CampaignCounts()
            #expect(counts.isZero)
            counts[keyPath: field] = 1
            #expect(!counts.isZero)
            var large = CampaignCounts()
            large[keyPath: field] = .max
            large += counts
            #expect(large[keyPath: field] == .min)
            #expect(Self.fields.filter { large[keyPath: $0] != 0 } == [field])
        }
    }

    @Test(
        "A day is that of its moment where the clock stands, whatever the moment",
        arguments: [
            (0, 0, "1970-01-01"), (-1, 0, "1969-12-31"), (86_399.9, 0, "1970-01-01"), (86_400, 0, "1970-01-02"),
            (0, -1, "1969-12-31"), (82_800, 3_600, "1970-01-02"), (951_782_400, 0, "2000-02-29"),
            (951_868_799, 0, "2000-02-29"), (951_868_800, 0, "2000-03-01"), (4_107_542_400, 0, "2100-03-01"),
        ] as [(Double, Int, String)]
    )
    func moments(_ time: UnixTime, _ offset: Int, _ expected: String) {
        #expect(Day(of: time, offset: offset).description == expected)
    }

    @Test("A moment that no calendar has is the first or the last day", arguments: [1e300, .infinity, 1e15])
    func limits(_ time: UnixTime) {
        #expect(Day(of: time).number == .max)
        #expect(Day(of: -time).number == .min)
    }
}
