/// Numbers that look random and are the same for the same seed (SplitMix64).
package struct SeededRandom: RandomNumberGenerator, Sendable, Equatable {
    private var state: UInt64

    /// Creates a source for a purpose: other words give other numbers for the same seed.
    package init(seed: UInt64, _ purpose: String...) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in purpose.joined(separator: "/").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        state = seed ^ hash
    }

    /// The next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
