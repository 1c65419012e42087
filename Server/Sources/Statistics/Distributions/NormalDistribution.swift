import Foundation

/// The normal distribution with mean 0 and variance 1.
public enum NormalDistribution {
    /// The chance of a value above `value`.
    public static func survival(_ value: Double) -> Double { erfc(value / 2.0.squareRoot()) / 2 }

    /// The value below which a share of `probability`, from 0 to 1, lies; infinite at the ends.
    public static func quantile(_ probability: Double) -> Double {
        guard probability > 0 else { return -.infinity }
        guard probability < 1 else { return .infinity }
        // By symmetry only the lower half is searched, where the tail keeps its digits.
        guard probability <= 0.5 else { return -quantile(1 - probability) }
        var (low, high) = (-40.0, 0.0)
        // Each step halves the interval, so 64 of them leave nothing to halve.
        for _ in 0..<64 {
            let middle = (low + high) / 2
            if survival(-middle) < probability { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
