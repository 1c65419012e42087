import Foundation

/// The distance that a mean can stray from the truth at any time, however often one looks: a normal mixture.
///
/// `docs/experiments.md` derives it. The same formula bounds the difference of two means, where `count` is the number
/// of users in both.
public struct SequentialBoundary: Sendable, Hashable {
    /// The number of users at which the boundary is tightest; it holds at every other.
    public static let tightestCount = 5_000.0

    /// The mixture's variance, in units of the variance of one user.
    ///
    /// Fixed for all experiments: choosing it by the data would void the promise.
    static let mixtureVariance: Double = {
        let level = -2 * log(0.05)
        return (level + log(level + 1)) / tightestCount
    }()

    /// The sum of what is known before and what the data add, in units of the former.
    private let growth: Double

    /// Creates the boundary for that many users.
    public init(count: Int64) { growth = Double(max(0, count)) * Self.mixtureVariance + 1 }

    /// The logarithm of the evidence against there being no difference, given how many standard errors there are.
    ///
    /// Where there is none, the evidence ever exceeds 1/α in at most a share of α of experiments.
    public func logEvidence(standardErrors: Double) -> Double {
        standardErrors * standardErrors * (growth - 1) / (2 * growth) - log(growth) / 2
    }

    /// The p-value that stays valid when one looks at any time.
    public func pValue(standardErrors: Double) -> Double { min(1, exp(-logEvidence(standardErrors: standardErrors))) }

    /// Returns the number of standard errors that the estimate can be from the truth.
    ///
    /// - Parameter error: The share of experiments in which it is further at any time, between 0 and 1.
    /// - Returns: The number; infinite where there are no data.
    public func standardErrors(error: Double) -> Double {
        guard growth > 1 else { return .infinity }
        return (2 * growth / (growth - 1) * (log(growth) / 2 - log(error))).squareRoot()
    }
}
