/// Decides which requests are traced.
public struct TraceSampler: Sendable, Hashable {
    private static let end: UInt64 = 1 << 56
    private static let mask: UInt64 = 0x00FF_FFFF_FFFF_FFFF

    /// The lower 56 bits of a trace's id from which on it is traced; 2⁵⁶ for none.
    private let threshold: UInt64
    /// Whether a trace that another program began is traced where that program traces it.
    let followsParent: Bool

    /// Creates a sampler.
    ///
    /// All programs that decide by a ratio in this way trace the same requests, as far as they know the id.
    ///
    /// - Parameters:
    ///   - ratio: The share of traces, from 0 to 1.
    ///   - followsParent: Whether a trace that another program began is traced where that program traces it.
    public init(ratio: Double, followsParent: Bool = true) {
        let share = ratio.isNaN ? 0 : min(max(ratio, 0), 1)
        // safe: from 0 to 2⁵⁶
        threshold = UInt64(((1 - share) * Double(Self.end)).rounded())
        self.followsParent = followsParent
    }

    /// Returns whether a trace is one of those by its id.
    func samples(_ id: TraceID) -> Bool { id.low & Self.mask >= threshold }
}
