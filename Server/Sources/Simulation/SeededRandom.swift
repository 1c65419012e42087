import Statistics

/// Numbers that look random and are the same for the same seed and purpose.
package struct SeededRandom: RandomNumberGenerator, Sendable, Equatable {
    private var numbers: SplitMix

    /// Creates a source for a purpose: other words give other numbers for the same seed.
    package init(seed: UInt64, _ purpose: String...) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in purpose.joined(separator: "/").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        numbers = SplitMix(seed: seed ^ hash)
    }

    /// Returns the next number.
    package mutating func next() -> UInt64 { numbers.next() }
}
