import Statistics
import Testing

@testable import CardModel

@Suite("What reports sum up for conversions")
struct ReportSummaryTests {
    private static let ids = ["a", "b", "control"].map(VariantID.init(rawValue:))
    private static let paid = Campaign.Conversion(id: "paid", goal: .event(EventCondition(.purchase(product: nil))))
    private static let seen = Campaign.Conversion(id: "seen", goal: .sessionStart, opening: .impression)

    private static let campaign: Campaign = {
        var campaign = Sample.campaign("c", variants: ids.map { Sample.variant($0.rawValue) })
        campaign.content.variants[2].card = nil
        campaign.content.conversions = [paid, seen]
        return campaign
    }()

    private func day(_ number: Int32) -> CountingDay {
        CountingDay(utc: Day(number: number), local: Day(number: number + 1))
    }

    private func counts(recipients: Int64, seen: Int64, clicked: Int64 = 0) -> CampaignCounts {
        var counts = CampaignCounts()
        (counts.recipients, counts.uniqueImpressions, counts.uniqueClicks) = (recipients, seen, clicked)
        return counts
    }

    private func converted(
        _ variant: Int,
        _ number: Int32,
        _ id: String,
        _ all: Int64,
        _ unique: Int64
    )
        -> CampaignReport.ConversionRow
    {
        var counts = ConversionCounts()
        (counts.conversions, counts.uniqueConversions) = (all, unique)
        return CampaignReport.ConversionRow(
            variant: Self.ids[variant],
            day: day(number),
            conversion: id,
            counts: counts
        )
    }

    private func spent(
        _ variant: Int,
        _ currency: String,
        _ amount: Amount,
        buyers: Int64,
        squares: Double
    )
        -> CampaignReport.AmountRow
    {
        CampaignReport.AmountRow(
            variant: Self.ids[variant],
            day: day(1),
            conversion: "paid",
            currency: currency,
            counts: AmountCounts(purchases: buyers, buyers: buyers, amount: amount, squares: squares)
        )
    }

    private var report: CampaignReport {
        CampaignReport(
            campaign: Self.campaign,
            rows: [
                .init(variant: Self.ids[0], day: day(1), counts: counts(recipients: 100, seen: 60, clicked: 30)),
                .init(variant: Self.ids[0], day: day(2), counts: counts(recipients: 50, seen: 20)),
                .init(variant: Self.ids[1], day: day(1), counts: counts(recipients: 80, seen: 40, clicked: 10)),
                .init(variant: Self.ids[2], day: day(1), counts: counts(recipients: 1_000, seen: 0)),
            ],
            problems: [],
            conversions: [
                converted(0, 1, "paid", 20, 15), converted(0, 2, "paid", 5, 5), converted(1, 1, "paid", 8, 8),
                converted(0, 1, "seen", 10, 10), converted(2, 1, "paid", 70, 70), converted(0, 1, "gone", 9, 9),
            ],
            amounts: [
                spent(0, "EUR", 100, buyers: 4, squares: 3_000), spent(0, "USD", 20, buyers: 1, squares: 400),
                spent(1, "EUR", 50, buyers: 2, squares: 1_300), spent(2, "EUR", 500, buyers: 9, squares: 30_000),
            ]
        )
    }

    @Test("A summary has the users, conversions and amounts of the variants that are asked for")
    func summaries() throws {
        let summaries = report.conversionSummaries(of: [Self.ids[0]])
        #expect(summaries.map(\.conversion.id) == ["paid", "seen"])
        #expect(summaries[0].users == 150 && summaries[0].counts.conversions == 25)
        #expect(summaries[0].counts.uniqueConversions == 20)
        #expect(summaries[0].amounts.mapValues(\.amount) == ["EUR": 100, "USD": 20])
        // Whose window opens with the impression is one of those who saw the card.
        #expect(summaries[1].users == 80 && summaries[1].counts.uniqueConversions == 10)
        #expect(summaries[1].amounts.isEmpty)
        let none = report.conversionSummaries(of: [])
        #expect(none.allSatisfy { $0.users == 0 && $0.counts == ConversionCounts() && $0.amounts.isEmpty })
    }

    @Test("Totals are those of all variants that show something")
    func totals() {
        let totals = report.conversionTotals
        #expect(totals.map(\.users) == [230, 120])
        #expect(totals[0].counts.conversions == 33 && totals[0].counts.uniqueConversions == 28)
        #expect(totals[0].amounts["EUR"] == AmountCounts(purchases: 6, buyers: 6, amount: 150, squares: 4_300))
        #expect(report.totals == counts(recipients: 230, seen: 120, clicked: 40))
    }

    @Test("A sample has those who could have, and those who did")
    func samples() {
        let (a, b, control) = (Self.ids[0], Self.ids[1], Self.ids[2])
        let clicks = report.sample(of: a, on: .clicks)
        #expect(clicks.count == 80 && clicks.active == 30 && clicks.sum == 30)
        #expect(report.sample(of: control, on: .clicks).count == 0)
        #expect(report.sample(of: b, on: .conversion("paid")).count == 80)
        #expect(report.sample(of: b, on: .conversion("paid")).active == 8)
        #expect(report.sample(of: a, on: .conversion("seen")).count == 80)
        let amount = report.sample(of: a, on: .amount("paid", currency: "EUR"))
        #expect(amount.count == 150 && amount.active == 4 && amount.sum == 100 && amount.sumOfSquares == 3_000)
        #expect(report.sample(of: b, on: .amount("paid", currency: "USD")).active == 0)
        // What the campaign no longer asks for has nobody.
        #expect(report.sample(of: a, on: .conversion("gone")).count == 0)
        #expect(report.sample(of: a, on: .amount("gone", currency: "EUR")).count == 0)
    }

    @Test("Each day has the variants of which something was counted on it, in either calendar")
    func days() {
        let utc = report.dailyCounts(by: \.utc)
        #expect(Set(utc.keys.map(\.number)) == [1, 2])
        #expect(utc[Day(number: 1)]?.count == 3 && utc[Day(number: 2)]?.count == 1)
        let local = report.dailyCounts(by: \.local)
        #expect(Set(local.keys.map(\.number)) == [2, 3])
        #expect(local[Day(number: 2)] == utc[Day(number: 1)])
        var later = report
        later.conversions.append(converted(1, 9, "paid", 1, 1))
        // A day with a conversion alone is there, with nothing else counted.
        #expect(later.dailyCounts(by: \.utc)[Day(number: 9)] == [Self.ids[1]: CampaignCounts()])
    }

    @Test("Without rows everything is nothing, and the experiment has nothing to say")
    func empty() {
        let empty = CampaignReport(campaign: Self.campaign, rows: [], problems: [])
        #expect(empty.totals.isZero && empty.dailyCounts(by: \.utc).isEmpty)
        #expect(empty.conversionTotals.map(\.users) == [0, 0])
        let experiment = Experiment(empty)
        #expect(experiment.verdict == Experiment.Verdict(code: .notEnoughData, place: nil))
        #expect(experiment.sampleRatio == nil)
        #expect(experiment.findings.isEmpty)
        var single = Sample.campaign("c")
        single.content.conversions = [Self.paid]
        let alone = Experiment(CampaignReport(campaign: single, rows: [], problems: []))
        #expect(alone.verdict.code == .nothingToCompare && alone.findings.isEmpty)
    }

    @Test("One side without anybody is compared with nobody, and ends nothing")
    func oneSide() {
        for place in 0..<3 {
            var report = report
            report.rows.removeAll { $0.variant == Self.ids[place] }
            report.conversions.removeAll { $0.variant == Self.ids[place] }
            report.amounts.removeAll { $0.variant == Self.ids[place] }
            let findings = Experiment(report).findings
            #expect(!findings.isEmpty, "The others are compared with each other.")
            #expect(findings.allSatisfy { $0.variant != Self.ids[place] && $0.baseline != Self.ids[place] })
        }
    }

    @Test("Variants are comparable while their weights stay in one proportion, but for a hundredth of their users")
    func comparable() {
        let (a, b) = (Self.ids[0], Self.ids[1])
        func isComparable(_ rows: [(weights: [Int], users: [Int64])]) -> Bool {
            var report = CampaignReport(campaign: Self.campaign, rows: [], problems: [])
            for row in rows {
                let pairs = zip(Self.ids, row.weights).map { ($0, $1) }
                let allocation = VariantAllocation(Dictionary(uniqueKeysWithValues: pairs))
                for (variant, users) in zip(Self.ids, row.users) {
                    report.allocations.append(.init(allocation: allocation, variant: variant, users: users))
                }
            }
            return report.isComparable(a, b) && report.isComparable(b, a)
        }
        #expect(isComparable([]))
        #expect(isComparable([([1, 2, 3], [100, 200, 300])]))
        #expect(isComparable([([1, 2, 3], [100, 200, 300]), ([2, 4, 1], [100, 200, 50])]))
        #expect(!isComparable([([1, 2, 3], [100, 200, 300]), ([1, 1, 1], [100, 100, 100])]))
        #expect(!isComparable([([1, 1, 1], [100, 100, 100]), ([1, 0, 1], [100, 0, 100])]))
        // Four of 400 users are a hundredth, and five are more.
        #expect(isComparable([([1, 1, 1], [198, 198, 0]), ([1, 3, 1], [1, 3, 900])]))
        #expect(!isComparable([([1, 1, 1], [198, 197, 0]), ([1, 3, 1], [1, 4, 0])]))
        #expect(isComparable([([1_000_000, 999_999, 1], [9, 9, 9]), ([1_000_000, 999_999, 7], [9, 9, 9])]))
    }
}
