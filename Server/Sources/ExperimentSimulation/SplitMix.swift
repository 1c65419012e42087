import Foundation

/// SplitMix64: the same numbers for the same seed, so that a simulation can be repeated.
public struct SplitMix: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts from a seed.
    public init(seed: UInt64) { state = seed }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

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
