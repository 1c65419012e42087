public import Statistics
import WireJSON

/// The comparison of a campaign's variants; `docs/experiments.md` has the mathematics.
public struct Experiment: Sendable {
    /// The metric that is measured of each user.
    public enum Metric: Sendable, Hashable {
        /// Whether they clicked, of those who saw the card.
        case clicks
        /// Whether they did what a conversion asks for, of those whose window has opened.
        case conversion(String)
        /// The amount that they spent in a currency on a conversion, of those whose window has opened.
        case amount(String, currency: String)
    }

    /// One variant compared with one other.
    public struct Finding: Sendable {
        /// The metric that is measured.
        public let metric: Metric
        /// The variant that it is compared with.
        public let baseline: VariantID
        /// The variant.
        public let variant: VariantID
        /// The comparison that holds however often one looks.
        public let comparison: SampleComparison
        /// The result for those who look once, on a day chosen beforehand.
        public let singleLook: WelchTest?

        /// The values that the true lift can have, as people are told them: no rate falls by more than all of it.
        ///
        /// Amounts can, since refunds are below zero.
        public var liftInterval: Interval? {
            guard let interval = comparison.liftInterval else { return nil }
            if case .amount = metric { return interval }
            return Interval(low: max(-1, interval.low), high: max(-1, interval.high))
        }
    }

    /// The message that a reader is told first.
    public struct Verdict: Sendable, Hashable {
        /// The kinds of verdict.
        public enum Code: String, Sendable, CaseIterable {
            /// There are fewer than two variants, or no metric that two of them share.
            case nothingToCompare = "nothing_to_compare"
            /// Users were not divided as the weights say, so no comparison can be trusted.
            case sampleRatioMismatch = "sample_ratio_mismatch"
            /// Users were divided by other weights at other times, so variants differ in when their users came.
            case weightsChanged = "weights_changed"
            /// It is too early for the mathematics.
            case notEnoughData = "not_enough_data"
            /// The data are compatible with no difference.
            case noDifferenceYet = "no_difference_yet"
            /// A variant is better than the baseline on the first metric.
            case better
            /// Every variant that differs from the baseline on the first metric is worse.
            case worse
        }

        /// The kind.
        public let code: Code
        /// The finding that it comes from: the best variant's, or of those that are worse the worst.
        public let place: Int?
    }

    /// The share of experiments in which the intervals of a metric cover the truth at every look.
    public static let confidence = 0.95

    /// Whether users were divided as the weights say; `nil` where nobody was divided.
    public let sampleRatio: SampleRatioTest?
    /// The comparisons: the first metric first.
    public let findings: [Finding]
    /// The message that a reader is told first.
    public let verdict: Verdict

    /// Compares the variants of a report.
    public init(_ report: CampaignReport) {
        sampleRatio = Self.sampleRatio(of: report)
        let families = Self.families(of: report)
        let amounts = AmountSums(report)
        findings = families.flatMap { Self.findings(in: $0, of: report, amounts) }
        let isMixed = families.contains { family in
            family.variants.contains { !report.isComparable($0.id, family.baseline.id) }
        }
        verdict =
            families.isEmpty
            ? Verdict(code: .nothingToCompare, place: nil) : Self.verdict(sampleRatio, findings, isMixed: isMixed)
    }

    // MARK: Sample ratio

    private static func sampleRatio(of report: CampaignReport) -> SampleRatioTest? {
        let groups = Dictionary(grouping: report.allocations, by: \.allocation)
        return SampleRatioTest(
            groups.map { allocation, rows in
                let variants = allocation.weights.sorted { $0.key.rawValue < $1.key.rawValue }
                return SampleRatioTest.Group(
                    weights: variants.map { Double($0.value) },
                    counts: variants.map { variant, _ in
                        // safe: each user took a request
                        rows.filter { $0.variant == variant }.reduce(0) { $0 + $1.users }
                    }
                )
            }
        )
    }

    // MARK: Comparisons

    private static func metrics(of report: CampaignReport) -> [Metric] {
        let conversions = report.campaign.content.conversions
        let amounts = conversions.filter(\.hasAmounts).flatMap { conversion in
            Set(report.amounts.filter { $0.conversion == conversion.id }.map(\.currency)).sorted()
                .map { Metric.amount(conversion.id, currency: $0) }
        }
        return conversions.map { .conversion($0.id) } + [.clicks] + amounts
    }

    /// Comparisons that share an error: some variants with one other, on one metric.
    private struct Family {
        let metric: Metric
        let baseline: Campaign.Variant
        let variants: [Campaign.Variant]
    }

    private static func families(of report: CampaignReport) -> [Family] {
        let variants = report.campaign.content.variants
        let showing = variants.filter { !$0.isControl }
        return metrics(of: report).flatMap { metric in
            // A control shows nothing that could be clicked.
            let control = metric == .clicks ? nil : variants.first(where: \.isControl)
            let others = Array(showing.dropFirst())
            return [
                control.map { Family(metric: metric, baseline: $0, variants: showing) },
                showing.first.map { Family(metric: metric, baseline: $0, variants: others) },
            ].compactMap(\.self).filter { !$0.variants.isEmpty }
        }
    }

    private static func findings(in family: Family, of report: CampaignReport, _ amounts: AmountSums) -> [Finding] {
        let base = report.sample(of: family.baseline.id, on: family.metric, amounts)
        return family.variants.filter { report.isComparable($0.id, family.baseline.id) }.compactMap { variant in
            let sample = report.sample(of: variant.id, on: family.metric, amounts)
            let comparison = SampleComparison(
                sample,
                with: base,
                spread: family.metric.isShare ? .separate : .larger,
                error: 1 - confidence,
                family: family.variants.count
            )
            return comparison.map {
                Finding(
                    metric: family.metric,
                    baseline: family.baseline.id,
                    variant: variant.id,
                    comparison: $0,
                    singleLook: WelchTest(sample, with: base)
                )
            }
        }
    }

    // MARK: Verdict

    private static func verdict(_ ratio: SampleRatioTest?, _ findings: [Finding], isMixed: Bool) -> Verdict {
        if ratio?.isMismatch == true, !findings.isEmpty || isMixed {
            return Verdict(code: .sampleRatioMismatch, place: nil)
        }
        guard let first = findings.first else {
            return Verdict(code: isMixed ? .weightsChanged : .notEnoughData, place: nil)
        }
        let relevant = findings.indices.filter {
            findings[$0].metric == first.metric && findings[$0].baseline == first.baseline
        }
        // safe: the verdict was made of the findings
        func difference(_ place: Int) -> Double { findings[place].comparison.difference }
        func called(_ verdict: SampleComparison.Verdict) -> [Int] {
            // safe: what is relevant was taken from the findings
            relevant.filter { findings[$0].comparison.verdict == verdict }
        }
        if let best = called(.higher).max(by: { difference($0) < difference($1) }) {
            return Verdict(code: .better, place: best)
        }
        if let worst = called(.lower).min(by: { difference($0) < difference($1) }) {
            return Verdict(code: .worse, place: worst)
        }
        let isEarly = called(.notEnoughData).count == relevant.count
        return Verdict(code: isEarly ? .notEnoughData : .noDifferenceYet, place: nil)
    }
}

extension Experiment.Metric {
    /// Whether a user counts as one or nothing.
    public var isShare: Bool {
        if case .amount = self { false } else { true }
    }
}

extension CampaignReport {
    /// Returns the number of users with an open window of a conversion.
    public func population(of conversion: Campaign.Conversion, in variant: VariantID) -> Int64 {
        let counts = counts(of: variant)
        return conversion.opening == .delivery ? counts.recipients : counts.uniqueImpressions
    }

    /// The share of users up to which a division by other weights is passed over, such as those of a test.
    private static let negligible: Int64 = 100

    /// Returns whether users were divided among two variants in the same proportion all the time, but for one in a
    /// hundred of them.
    ///
    /// Otherwise one variant has more of the users who came early, and any change in time, such as of the season or of
    /// the card's text, looks like a difference of the variants.
    func isComparable(_ variant: VariantID, _ baseline: VariantID) -> Bool {
        var users: [VariantAllocation: Int64] = [:]
        for row in allocations where row.variant == variant || row.variant == baseline {
            // safe: each user took a request
            users[row.allocation, default: 0] += row.users
        }
        let total = users.values.reduce(0, +)
        let proportions = users.filter { $0.value > total / Self.negligible }.keys.map {
            ($0.weights[variant] ?? 0, $0.weights[baseline] ?? 0)
        }
        guard let first = proportions.first else { return true }
        return proportions.allSatisfy {
            $0.0.multipliedFullWidth(by: first.1) == $0.1.multipliedFullWidth(by: first.0)
        }
    }

    /// Returns the sample of a variant's users on a metric.
    public func sample(of variant: VariantID, on metric: Experiment.Metric) -> Sample {
        sample(of: variant, on: metric, AmountSums(self))
    }

    /// Returns the sample of a variant's users on a metric, with the sums of what was spent.
    fileprivate func sample(of variant: VariantID, on metric: Experiment.Metric, _ sums: AmountSums) -> Sample {
        switch metric {
        case .clicks:
            let counts = counts(of: variant)
            return Sample(Proportion(successes: counts.uniqueClicks, trials: counts.uniqueImpressions))
        case .conversion(let id):
            guard let conversion = campaign.content.conversions.first(where: { $0.id == id }) else { break }
            return Sample(
                Proportion(
                    successes: conversions(id, of: variant).uniqueConversions,
                    trials: population(of: conversion, in: variant)
                )
            )
        case .amount(let id, let currency):
            guard let conversion = campaign.content.conversions.first(where: { $0.id == id }) else { break }
            let amounts = sums[variant, id, currency]
            return Sample(
                count: population(of: conversion, in: variant),
                active: amounts.buyers,
                sum: amounts.amount.double,
                sumOfSquares: amounts.squares
            )
        }
        return Sample(count: 0, active: 0, sum: 0, sumOfSquares: 0)
    }
}

/// The amounts that were spent in all, by variant, conversion and currency, summed once: there can be many of each.
private struct AmountSums {
    private struct Place: Hashable {
        let variant: VariantID
        @Bytewise var conversion: String
        @Bytewise var currency: String
    }

    private var sums: [Place: AmountCounts] = [:]

    init(_ report: CampaignReport) {
        for row in report.amounts {
            let place = Place(variant: row.variant, conversion: row.conversion, currency: row.currency)
            sums[place, default: AmountCounts()] += row.counts
        }
    }

    subscript(variant: VariantID, conversion: String, currency: String) -> AmountCounts {
        sums[Place(variant: variant, conversion: conversion, currency: currency)] ?? AmountCounts()
    }
}
