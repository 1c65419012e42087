import Foundation
import Statistics

/// Numbers of the distributions that a simulated world draws from.
extension SplitMix {
    /// A number above 0 and up to 1.
    mutating func unit() -> Double { Double(next() >> 11 + 1) * 0x1p-53 }

    /// Returns the number of `count` independent tries that succeed.
    mutating func binomial(_ count: Int, _ probability: Double) -> Int {
        guard count > 0, probability > 0 else { return 0 }
        if probability == 0.5 { return coins(count) }
        if probability > 0.5 { return count - binomial(count, 1 - probability) }
        // The gaps between successes are geometric, so only these are drawn.
        let scale = log1p(-probability)
        var (successes, place) = (0, 0.0)
        while true {
            place += (log(unit()) / scale).rounded(.down) + 1
            if place > Double(count) { return successes }
            successes += 1
        }
    }

    private mutating func coins(_ count: Int) -> Int {
        var heads = 0
        var left = count
        while left >= 64 {
            heads += next().nonzeroBitCount
            left -= 64
        }
        return heads + (next() & (1 << UInt64(left) - 1)).nonzeroBitCount
    }

    /// A number whose logarithm is normal.
    mutating func logNormal(mean: Double, deviation: Double) -> Double {
        let normal = (-2 * log(unit())).squareRoot() * cos(2 * .pi * unit())
        return exp(mean + deviation * normal)
    }
}
