import CardModel
import Testing

@Suite("What a report says of its variants")
struct ExperimentTests {
    private static let day = CountingDay(utc: Day(number: 20_000), local: Day(number: 20_000))

    /// A report with users, converted users and users who clicked of each variant.
    private func report(
        _ variants: [(id: String, users: Int64, converted: Int64, clicked: Int64)],
        control: Bool = true,
        conversions: [Campaign.Conversion]? = nil,
        allocations: [CampaignReport.VariantAllocationRow] = []
    ) -> CampaignReport {
        var campaign = Sample.campaign("c", variants: variants.map { Sample.variant($0.id) })
        if control { campaign.content.variants[0].card = nil }
        campaign.content.conversions =
            conversions ?? [Campaign.Conversion(id: "bought", goal: .event(EventCondition(.purchase(product: nil))))]
        var rows: [CampaignReport.Row] = []
        var converted: [CampaignReport.ConversionRow] = []
        for variant in variants {
            var counts = CampaignCounts()
            counts.recipients = variant.users
            counts.delivered = variant.users
            counts.uniqueImpressions = variant.users
            counts.uniqueClicks = variant.clicked
            let id = VariantID(rawValue: variant.id)
            rows.append(CampaignReport.Row(variant: id, day: Self.day, counts: counts))
            var result = ConversionCounts()
            result.conversions = variant.converted
            result.uniqueConversions = variant.converted
            converted.append(
                CampaignReport.ConversionRow(variant: id, day: Self.day, conversion: "bought", counts: result)
            )
        }
        return CampaignReport(
            campaign: campaign,
            rows: rows,
            problems: [],
            conversions: converted,
            allocations: allocations
        )
    }

    @Test(
        "The verdict follows from the first metric",
        arguments: [
            (1_000, 100, 160, Experiment.Verdict.Code.better), (1_000, 160, 100, .worse),
            (1_000, 100, 101, .noDifferenceYet), (50, 10, 20, .notEnoughData),
        ] as [(Int64, Int64, Int64, Experiment.Verdict.Code)]
    )
    func verdict(users: Int64, base: Int64, converted: Int64, code: Experiment.Verdict.Code) {
        let experiment = Experiment(report([("control", users, base, 0), ("a", users, converted, 0)]))
        #expect(experiment.verdict.code == code)
        let place = experiment.verdict.place
        #expect((place == nil) == (code == .noDifferenceYet || code == .notEnoughData))
        if let place { #expect(experiment.findings[place].variant.rawValue == "a") }
    }

    @Test("Of several better variants the best is named, and a worse one does not hide it")
    func best() throws {
        let experiment = Experiment(
            report([("control", 2_000, 200, 0), ("a", 2_000, 300, 0), ("b", 2_000, 400, 0), ("c", 2_000, 90, 0)])
        )
        let place = try #require(experiment.verdict.place)
        #expect(experiment.verdict.code == .better)
        #expect(experiment.findings[place].variant.rawValue == "b")
        let pairs = experiment.findings.filter { $0.metric == .conversion("bought") }
            .map { "\($0.variant.rawValue)-\($0.baseline.rawValue)" }
        #expect(pairs == ["a-control", "b-control", "c-control", "b-a", "c-a"])
    }

    @Test("No rate is told to fall by more than all of it")
    func lowestLift() throws {
        let experiment = Experiment(report([("control", 1_000, 60, 0), ("a", 1_000, 2, 0)]))
        let finding = try #require(experiment.findings.first)
        let computed = try #require(finding.comparison.liftInterval)
        #expect(computed.low < -1)
        #expect(finding.liftInterval?.low == -1 && finding.liftInterval?.high == computed.high)
    }

    @Test("What was spent is compared by currency, over all days, however many there are")
    func currencies() throws {
        let goal = Campaign.Conversion.Goal.event(EventCondition(.purchase(product: nil)))
        var report = report(
            [("control", 1_000, 100, 0), ("a", 1_000, 100, 0)],
            conversions: [Campaign.Conversion(id: "bought", goal: goal)]
        )
        let letters = (0..<150).map { "C\($0)" }
        for currency in letters {
            for day in 0..<50 as Range<Int32> {
                for (variant, amount) in [("control", 1), ("a", 2)] {
                    report.amounts.append(
                        CampaignReport.AmountRow(
                            variant: VariantID(rawValue: variant),
                            day: CountingDay(utc: Day(number: day), local: Day(number: day)),
                            conversion: "bought",
                            currency: currency,
                            counts: AmountCounts(
                                purchases: 1,
                                buyers: 1,
                                amount: Amount(Int64(amount)),
                                squares: Double(amount * amount)
                            )
                        )
                    )
                }
            }
        }
        let found = Experiment(report).findings.filter { !$0.metric.isShare }
        #expect(found.count == letters.count)
        #expect(Set(found.map(\.metric)).count == letters.count)
        let sample = report.sample(of: VariantID(rawValue: "a"), on: .amount("bought", currency: "C7"))
        #expect(sample.sum == 100)
    }

    @Test("A control has no clicks to compare, and without a conversion there is nothing to compare it by")
    func clicks() {
        let two = Experiment(report([("control", 1_000, 0, 0), ("a", 1_000, 0, 300)], conversions: []))
        #expect(two.verdict.code == .nothingToCompare)
        let three = Experiment(
            report([("control", 1_000, 0, 0), ("a", 1_000, 0, 300), ("b", 1_000, 0, 400)], conversions: [])
        )
        #expect(three.findings.map { "\($0.variant.rawValue)-\($0.baseline.rawValue)" } == ["b-a"])
        #expect(three.verdict.code == .better)
        let empty = Experiment(report([("control", 0, 0, 0), ("a", 0, 0, 0)]))
        #expect(empty.verdict.code == .notEnoughData)
        let alone = Experiment(report([("a", 1_000, 0, 300)], control: false, conversions: []))
        #expect(alone.verdict.code == .nothingToCompare)
    }

    @Test("A wrong allocation of users comes before any comparison")
    func mismatch() throws {
        let allocation = VariantAllocation([VariantID(rawValue: "a"): 1, VariantID(rawValue: "control"): 1])
        let rows = [("a", 5_000), ("control", 4_300)].map { variant, users in
            CampaignReport.VariantAllocationRow(
                allocation: allocation,
                variant: VariantID(rawValue: variant),
                users: users
            )
        }
        let experiment = Experiment(
            report([("control", 4_300, 100, 0), ("a", 5_000, 400, 0)], allocations: rows)
        )
        #expect(experiment.verdict.code == .sampleRatioMismatch)
        #expect(try #require(experiment.sampleRatio).isMismatch)
        #expect(experiment.findings.first?.comparison.verdict == .higher)
    }

    /// Users of two variants, divided by some weights.
    private func divided(_ weights: [String: Int], _ users: [String: Int64]) -> [CampaignReport.VariantAllocationRow] {
        let allocation = VariantAllocation(
            Dictionary(uniqueKeysWithValues: weights.map { (VariantID(rawValue: $0.key), $0.value) })
        )
        return users.map { variant, count in
            CampaignReport.VariantAllocationRow(
                allocation: allocation,
                variant: VariantID(rawValue: variant),
                users: count
            )
        }
    }

    @Test("Weights that change while a campaign runs leave nothing to compare, however different the variants seem")
    func weights() {
        // Within each of both times, a and b are clicked alike: 5 %, then 50 %.
        let variants: [(id: String, users: Int64, converted: Int64, clicked: Int64)] = [
            ("a", 10_000, 0, 950), ("b", 10_000, 0, 4_550),
        ]
        let early = divided(["a": 9, "b": 1], ["a": 9_000, "b": 1_000])
        let late = divided(["a": 1, "b": 9], ["a": 1_000, "b": 9_000])
        let experiment = Experiment(
            report(variants, control: false, conversions: [], allocations: early + late)
        )
        #expect(experiment.verdict.code == .weightsChanged)
        #expect(experiment.findings.isEmpty)
        #expect(experiment.sampleRatio?.isMismatch == false)
        // The same weights in other numbers, and a few users of a test, are no change.
        let same = divided(["a": 1, "b": 1], ["a": 5_000, "b": 5_000])
        let doubled = divided(["a": 2, "b": 2], ["a": 4_950, "b": 4_950])
        let test = divided(["a": 1, "b": 9], ["a": 15, "b": 135])
        let fine = Experiment(
            report(variants, control: false, conversions: [], allocations: same + doubled + test)
        )
        #expect(fine.verdict.code == .better)
    }

    @Test("A control that gets a larger share leaves the variants that it is taken from evenly comparable")
    func grownControl() {
        let before = divided(["control": 10, "a": 45, "b": 45], ["control": 1_000, "a": 4_500, "b": 4_500])
        let after = divided(["control": 20, "a": 40, "b": 40], ["control": 2_000, "a": 4_000, "b": 4_000])
        let experiment = Experiment(
            report(
                [("control", 3_000, 300, 0), ("a", 8_500, 850, 0), ("b", 8_500, 1_700, 0)],
                allocations: before + after
            )
        )
        let pairs = Set(experiment.findings.map { "\($0.variant.rawValue)-\($0.baseline.rawValue)" })
        #expect(pairs == ["b-a"])
        #expect(experiment.verdict.code == .better)
    }

    @Test("A variant that was added later has no users of before to be compared with")
    func addedVariant() {
        let before = divided(["a": 1], ["a": 5_000])
        let after = divided(["a": 1, "b": 1], ["a": 5_000, "b": 5_000])
        let experiment = Experiment(
            report(
                [("a", 10_000, 0, 500), ("b", 5_000, 0, 1_000)],
                control: false,
                conversions: [],
                allocations: before + after
            )
        )
        #expect(experiment.verdict.code == .weightsChanged)
    }

    @Test("Users whose window opens with the impression are those who saw the card")
    func population() throws {
        var seen = report([("control", 1_000, 10, 0), ("a", 1_000, 20, 0)])
        seen.campaign.content.conversions[0].opening = .impression
        for index in seen.rows.indices { seen.rows[index].counts.uniqueImpressions = 400 }
        let sample = seen.sample(of: VariantID(rawValue: "a"), on: .conversion("bought"))
        #expect((sample.count, sample.active) == (400, 20))
        #expect(seen.sample(of: VariantID(rawValue: "a"), on: .conversion("none")).count == 0)
    }

    @Test("Amounts are compared in each currency")
    func amounts() throws {
        var report = report([("control", 1_000, 100, 0), ("a", 1_000, 100, 0)])
        for (variant, amount) in [("control", 1_000.0), ("a", 2_000.0)] {
            report.amounts.append(
                CampaignReport.AmountRow(
                    variant: VariantID(rawValue: variant),
                    day: Self.day,
                    conversion: "bought",
                    currency: "EUR",
                    counts: AmountCounts(
                        purchases: 100,
                        buyers: 100,
                        amount: Amount(Int64(amount)),
                        squares: amount * amount / 90
                    )
                )
            )
        }
        let finding = try #require(
            Experiment(report).findings.first { $0.metric == .amount("bought", currency: "EUR") }
        )
        #expect(finding.comparison.difference == 1)
        #expect(finding.comparison.lift == 1)
        #expect(finding.comparison.verdict == .higher)
    }

    @Test("A allocation is read back from its text", arguments: ["a:1,control:3", "a.b-c_d:1000000", ""])
    func divisionText(text: String) throws {
        #expect(try #require(VariantAllocation(text)).text == text)
        #expect(VariantAllocation("a") == nil)
        #expect(VariantAllocation("a:x") == nil)
    }
}
