/// The difference between two groups of users that the data show, however often one looks at them.
public struct SampleComparison: Sendable, Hashable {
    /// The conclusion from a comparison.
    public enum Verdict: String, Sendable, CaseIterable {
        /// There are too few users, or too few who did anything, for the mathematics to hold.
        case notEnoughData = "not_enough_data"
        /// The data are compatible with no difference; more may show one.
        case noDifferenceYet = "no_difference_yet"
        /// The mean is higher than the baseline's.
        case higher
        /// The mean is lower than the baseline's.
        case lower
    }

    /// The way in which the two variances of a comparison are taken.
    public enum Spread: Sendable {
        /// Each group's own: right for shares, which cannot be far out.
        case separate
        /// The larger for both: the group with fewer users may have missed the rare large amounts so far.
        case larger
    }

    /// The fewest users that each group needs.
    public static let fewestUsers: Int64 = 100
    /// The fewest users that, by the rate of both groups together, are expected in each group to have done something,
    /// and, of a share, not to have.
    public static let fewestExpected = 10.0

    /// The difference of the means.
    public let difference: Double
    /// The values that the true difference can have; `nil` where there are too few data to say.
    public let differenceInterval: Interval?
    /// The difference in parts of the baseline's mean, or `nil` where that is 0.
    public let lift: Double?
    /// The values that the true lift can have; `nil` where there are too few data, or the baseline's mean may be 0.
    public let liftInterval: Interval?
    /// The p-value that stays valid when one looks at any time; 1 where there are too few data.
    public let pValue: Double
    /// The conclusion from the comparison.
    public let verdict: Verdict

    /// Compares a group with a baseline, or returns `nil` where one of them has no users.
    ///
    /// - Parameters:
    ///   - sample: The group.
    ///   - baseline: What it is compared with.
    ///   - spread: How the variances are taken.
    ///   - error: In which share of experiments the interval may ever miss the truth, between 0 and 1.
    ///   - family: How many comparisons share that error; the p-value is multiplied by it (Bonferroni).
    public init?(_ sample: Sample, with baseline: Sample, spread: Spread, error: Double = 0.05, family: Int = 1) {
        guard let mean = sample.mean, let base = baseline.mean else { return nil }
        difference = mean - base
        lift = base == 0 ? nil : difference / base
        guard Self.isEnough(sample, baseline, isShare: spread == .separate),
            let errors = Self.standardErrors(sample, baseline, spread)
        else {
            (differenceInterval, liftInterval, pValue, verdict) = (nil, nil, 1, .notEnoughData)
            return
        }
        let boundary = SequentialBoundary(count: sample.count + baseline.count)
        let reach = boundary.standardErrors(error: error / Double(max(1, family)))
        let width = reach * (errors.sample + errors.baseline).squareRoot()
        let score = difference / (errors.sample + errors.baseline).squareRoot()
        differenceInterval = Interval(low: difference - width, high: difference + width)
        liftInterval = Self.ratioInterval(mean, base, errors, reach).map {
            // safe: numbers with a fraction
            Interval(low: $0.low - 1, high: $0.high - 1)
        }
        pValue = min(1, boundary.pValue(standardErrors: score) * Double(max(1, family)))
        verdict = abs(score) <= reach ? .noDifferenceYet : difference > 0 ? .higher : .lower
    }

    private static func isEnough(_ sample: Sample, _ baseline: Sample, isShare: Bool) -> Bool {
        let fewest = min(sample.count, baseline.count)
        guard fewest >= fewestUsers else { return false }
        // safe: counts of users
        let rate = Double(sample.active + baseline.active) / Double(sample.count + baseline.count)
        let expected = Double(fewest) * (isShare ? min(rate, 1 - rate) : rate)
        return expected >= fewestExpected
    }

    /// The squared standard errors of the two means, or `nil` where nothing varies.
    private static func standardErrors(
        _ sample: Sample,
        _ baseline: Sample,
        _ spread: Spread
    ) -> (sample: Double, baseline: Double)? {
        guard var first = sample.variance, var second = baseline.variance, first + second > 0 else { return nil }
        if spread == .larger { (first, second) = (max(first, second), max(first, second)) }
        return (first / Double(sample.count), second / Double(baseline.count))
    }

    /// The ratios r for which `mean - r * base` is compatible with 0 (Fieller), so that the interval of the lift
    /// excludes 0 just where that of the difference does.
    private static func ratioInterval(
        _ mean: Double,
        _ base: Double,
        _ errors: (sample: Double, baseline: Double),
        _ reach: Double
    ) -> Interval? {
        let square = reach * reach
        let leading = base * base - square * errors.baseline
        guard base > 0, leading > 0 else { return nil }
        let middle = mean * base
        let rest = mean * mean - square * errors.sample
        let root = max(0, middle * middle - leading * rest).squareRoot()
        return Interval(low: (middle - root) / leading, high: (middle + root) / leading)
    }
}
