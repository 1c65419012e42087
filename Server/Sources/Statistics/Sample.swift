/// The sums of one number per user: how many users, their sum, and the sum of their squares.
public struct Sample: Sendable, Hashable {
    /// The number of users.
    public let count: Int64
    /// The number of users who have a number other than 0.
    public let active: Int64
    /// The sum over users.
    public let sum: Double
    /// The sum of the squares over users.
    public let sumOfSquares: Double

    /// Creates a sample.
    public init(count: Int64, active: Int64, sum: Double, sumOfSquares: Double) {
        self.count = max(0, count)
        self.active = min(max(0, active), self.count)
        self.sum = sum
        self.sumOfSquares = sumOfSquares
    }

    /// Creates the sample of a share: 1 for each success and 0 for the others.
    public init(_ proportion: Proportion) {
        self.init(
            count: proportion.trials,
            active: proportion.successes,
            sum: Double(proportion.successes),
            sumOfSquares: Double(proportion.successes)
        )
    }

    /// The mean, or `nil` of none.
    public var mean: Double? { count > 0 ? sum / Double(count) : nil }

    /// The variance with Bessel's correction, or `nil` of fewer than two.
    public var variance: Double? {
        guard count > 1, let mean else { return nil }
        // Rounding may leave a little less than nothing where all numbers are the same.
        // safe: asked for: more than one
        return max(0, sumOfSquares - Double(count) * mean * mean) / Double(count - 1)
    }

    /// Student's interval for the mean, or `nil` of fewer than two.
    ///
    /// It holds for one look at the data; ``SampleComparison`` holds for many.
    public func interval(confidence: Double) -> Interval? {
        guard let mean, let variance else { return nil }
        // safe: there is a variance, so there is more than one
        let t = StudentDistribution.twoSidedQuantile(1 - confidence, degreesOfFreedom: Double(count - 1))
        let spread = t * (variance / Double(count)).squareRoot()
        return Interval(low: mean - spread, high: mean + spread)
    }
}
