/// A share: how many of some users did something.
public struct Proportion: Sendable, Hashable {
    /// The number of users who did.
    public let successes: Int64
    /// The number of all of them.
    public let trials: Int64

    /// Creates a share.
    ///
    /// More successes than trials count as as many: counts of one moment may be read while events of the next arrive.
    public init(successes: Int64, trials: Int64) {
        self.trials = max(0, trials)
        self.successes = min(max(0, successes), self.trials)
    }

    /// The share, or `nil` of none.
    public var rate: Double? { trials > 0 ? Double(successes) / Double(trials) : nil }

    /// Wilson's interval for the share, or `nil` of none.
    ///
    /// It covers the truth with a chance of `confidence`, between 0 and 1, at one look at the data, not when one looks
    /// until one likes it; ``SampleComparison`` does.
    public func wilsonInterval(confidence: Double) -> Interval? {
        guard let rate else { return nil }
        let n = Double(trials)
        let z = NormalDistribution.quantile((1 + confidence) / 2)
        let square = z * z
        let center = (rate + square / (2 * n)) / (1 + square / n)
        let spread = z / (1 + square / n) * (rate * (1 - rate) / n + square / (4 * n * n)).squareRoot()
        // At the ends the interval touches 0 or 1 exactly, which rounding would miss.
        return Interval(
            low: successes == 0 ? 0 : max(0, center - spread),
            high: successes == trials ? 1 : min(1, center + spread)
        )
    }
}
