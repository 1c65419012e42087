import Foundation

/// The distribution of a sum of squared normal values.
public enum ChiSquareDistribution {
    /// The chance of a value above `value`, with 1 or more degrees of freedom.
    public static func survival(_ value: Double, degreesOfFreedom: Int) -> Double {
        guard value > 0 else { return 1 }
        return IncompleteGamma.upper(Double(degreesOfFreedom) / 2, value / 2)
    }
}

/// The regularised incomplete gamma function.
enum IncompleteGamma {
    private static let precision = 1e-15
    private static let steps = 10_000

    /// Q(a, x): by the series of its complement where x is small, and by its continued fraction elsewhere.
    static func upper(_ a: Double, _ x: Double) -> Double {
        let scale = exp(a * log(x) - x - logGamma(a))
        return x < a + 1 ? 1 - scale * series(a, x) : scale * fraction(a, x)
    }

    private static func series(_ a: Double, _ x: Double) -> Double {
        var term = 1 / a
        var sum = term
        for step in 1...steps {
            term *= x / (a + Double(step))
            sum += term
            if term < sum * precision { break }
        }
        return sum
    }

    private static func fraction(_ a: Double, _ x: Double) -> Double {
        var fraction = ContinuedFraction(denominator: x + 1 - a)
        for step in 1...steps {
            let index = Double(step)
            fraction.extend(numerator: -index * (index - a), denominator: x + 2 * index + 1 - a)
            if fraction.hasConverged { break }
        }
        return 1 / fraction.value
    }
}

/// A continued fraction, worked out from the front (Lentz's method as Thompson and Barnett changed it).
struct ContinuedFraction {
    private static let tiny = 1e-300
    private(set) var value: Double
    private(set) var hasConverged = false
    private var c: Double
    private var d = 0.0

    init(denominator: Double) {
        value = denominator == 0 ? Self.tiny : denominator
        c = value
    }

    mutating func extend(numerator: Double, denominator: Double) {
        d = denominator + numerator * d
        if d == 0 { d = Self.tiny }
        d = 1 / d
        c = denominator + numerator / c
        if c == 0 { c = Self.tiny }
        value *= c * d
        hasConverged = abs(c * d - 1) < 1e-15
    }
}

/// The logarithm of the gamma function of a positive number.
func logGamma(_ value: Double) -> Double {
    let (logarithm, _) = lgamma(value)
    return logarithm
}
