/// Numbers that look random and are the same for the same seed, so that a simulation or a failed test can be repeated.
///
/// The algorithm is SplitMix64: a counter, and a bijection that makes each of its values unlike the others.
package struct SplitMix: RandomNumberGenerator, Sendable, Equatable {
    @usableFromInline package var state: UInt64

    /// Creates a source from a seed.
    @inlinable
    package init(seed: UInt64) { state = seed }

    /// Returns the next 64 random bits.
    @inlinable
    package mutating func next() -> UInt64 {
        state &+= Self.step
        return Self.scrambled(state)
    }

    /// The distance between two values of the counter.
    @inlinable package static var step: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    /// Returns a number that is unlike its neighbours, and another one for each number.
    @inlinable
    package static func scrambled(_ number: UInt64) -> UInt64 {
        var mixed = number
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
