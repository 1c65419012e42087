import Foundation

/// Student's t distribution.
public enum StudentDistribution {
    /// The chance of a value further from 0 than `value`, on either side; the degrees of freedom need not be whole.
    public static func twoSidedSurvival(_ value: Double, degreesOfFreedom: Double) -> Double {
        guard value.isFinite else { return 0 }
        let square = value * value
        return IncompleteBeta.regularized(degreesOfFreedom / (degreesOfFreedom + square), degreesOfFreedom / 2, 0.5)
    }

    /// The value that is exceeded on either side with a chance of `probability` in all, between 0 and 1.
    public static func twoSidedQuantile(_ probability: Double, degreesOfFreedom: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        while twoSidedSurvival(high, degreesOfFreedom: degreesOfFreedom) > probability, high < 1e150 { high *= 2 }
        for _ in 0..<80 {
            let middle = (low + high) / 2
            if twoSidedSurvival(middle, degreesOfFreedom: degreesOfFreedom) > probability {
                low = middle
            } else {
                high = middle
            }
        }
        return (low + high) / 2
    }
}

/// The regularised incomplete beta function.
enum IncompleteBeta {
    /// Iₓ(a, b): by its continued fraction on the side where that converges quickly.
    static func regularized(_ x: Double, _ a: Double, _ b: Double) -> Double {
        guard x > 0 else { return 0 }
        guard x < 1 else { return 1 }
        if x > (a + 1) / (a + b + 2) { return 1 - regularized(1 - x, b, a) }
        let scale = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log1p(-x))
        return scale / a / fraction(x, a, b)
    }

    private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
        var fraction = ContinuedFraction(denominator: 1)
        for step in 0..<10_000 {
            let m = Double(step)
            fraction.extend(numerator: -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), denominator: 1)
            let next = m + 1
            fraction.extend(numerator: next * (b - next) * x / ((a + 2 * next - 1) * (a + 2 * next)), denominator: 1)
            if fraction.hasConverged { break }
        }
        return fraction.value
    }
}
