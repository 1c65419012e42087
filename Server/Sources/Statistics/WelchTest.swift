/// Welch's test of whether two means differ, for data that are looked at once.
public struct WelchTest: Sendable, Hashable {
    /// The difference over its standard error.
    public let statistic: Double
    /// The degrees of freedom by Welch and Satterthwaite.
    public let degreesOfFreedom: Double
    /// The chance of a difference as large as this, on either side, where there is none.
    public let pValue: Double

    /// Compares two samples, or returns `nil` where one has fewer than two users or neither varies.
    public init?(_ sample: Sample, with baseline: Sample) {
        guard let mean = sample.mean, let variance = sample.variance, let other = baseline.mean,
            let otherVariance = baseline.variance, variance + otherVariance > 0
        else { return nil }
        let (first, second) = (variance / Double(sample.count), otherVariance / Double(baseline.count))
        statistic = (mean - other) / (first + second).squareRoot()
        degreesOfFreedom =
            (first + second) * (first + second)
            / (first * first / Double(sample.count - 1) + second * second / Double(baseline.count - 1))
        pValue = StudentDistribution.twoSidedSurvival(statistic, degreesOfFreedom: degreesOfFreedom)
    }
}
