import Foundation

/// Whether users were divided among the variants as the weights say.
///
/// Where they were not, something keeps users of one variant from being counted, and no comparison can be trusted. The
/// weights may have changed on the way: users given a card under the same weights form one group.
public struct SampleRatioTest: Sendable, Hashable {
    /// Users who were divided by the same weights.
    public struct Group: Sendable, Hashable {
        /// The weights, by variant; those of weight 0 took no part.
        public var weights: [Double]
        /// The users, by variant.
        public var counts: [Int64]

        /// Creates a group; both arrays have the same order and length.
        public init(weights: [Double], counts: [Int64]) {
            // safe: both are made of the same variants
            precondition(weights.count == counts.count, "A weight is needed for each count.")
            self.weights = weights
            self.counts = counts
        }
    }

    /// The weight of what is thought of the weights before: as much as that many users would tell.
    static let concentration = 100.0

    /// Below this the division counts as wrong: of experiments that run well, at most this share is ever called wrong.
    public static let alarmLevel = 0.01

    /// Pearson's sum over variants and groups.
    public let chiSquare: Double
    /// The variants that took part less one, summed over groups.
    public let degreesOfFreedom: Int
    /// The p-value of the chi-square test, valid for one look.
    public let singleLookPValue: Double
    /// The p-value that stays valid when one looks at any time.
    public let pValue: Double

    /// Whether the division is wrong beyond what chance does.
    public var isMismatch: Bool { pValue < Self.alarmLevel }

    /// Tests groups, or returns `nil` where there are no users or nothing was divided.
    public init?(_ groups: [Group]) {
        var (chiSquare, degreesOfFreedom, logEvidence) = (0.0, 0, 0.0)
        for group in groups {
            let parts = zip(group.weights, group.counts).filter { $0.0 > 0 }
            // safe: each took a request
            let total = parts.reduce(0) { $0 + $1.1 }
            guard total > 0, parts.count > 1 else { continue }
            // safe: numbers with a fraction
            let whole = parts.reduce(0) { $0 + $1.0 }
            degreesOfFreedom += parts.count - 1
            for (weight, count) in parts {
                let expected = Double(total) * weight / whole
                chiSquare += (Double(count) - expected) * (Double(count) - expected) / expected
            }
            // safe: numbers with a fraction
            logEvidence += Self.logEvidence(parts.map { (share: $0.0 / whole, count: Double($0.1)) })
        }
        guard degreesOfFreedom > 0 else { return nil }
        self.chiSquare = chiSquare
        self.degreesOfFreedom = degreesOfFreedom
        singleLookPValue = ChiSquareDistribution.survival(chiSquare, degreesOfFreedom: degreesOfFreedom)
        pValue = min(1, exp(-logEvidence))
    }

    /// Returns the evidence for shares around the weights rather than the weights themselves: how much likelier the
    /// counts are.
    private static func logEvidence(_ parts: [(share: Double, count: Double)]) -> Double {
        let total = parts.reduce(0) { $0 + $1.count }
        var logarithm = logGamma(concentration) - logGamma(concentration + total)
        for (share, count) in parts {
            let prior = concentration * share
            logarithm += logGamma(prior + count) - logGamma(prior) - count * log(share)
        }
        return logarithm
    }
}
