/// Bounds what one template may cost, so that no author can stall or exhaust the server.
///
/// The defaults are those of a card's texts; at them a render takes less than 50 ms on an ordinary machine.
public struct LiquidLimits: Sendable, Equatable {
    /// The most work of one render, partials included.
    ///
    /// A unit is about a byte that is read, written or compared; a tag counts as 32 and more. The same template with
    /// the same data takes the same work on any machine. Default 5 million.
    public var work: Int
    /// The longest time for one render, partials included, for machines that are slow or busy.
    ///
    /// Default 250 ms.
    public var duration: Duration
    /// The longest output in UTF-8 bytes.
    ///
    /// Default 64 KiB.
    public var outputBytes: Int
    /// The most turns that all loops of one render take together.
    ///
    /// Default 10,000.
    public var loopTurns: Int
    /// The deepest nesting of blocks, partials and brackets.
    ///
    /// Default 50.
    public var nesting: Int
    /// The most bytes that captures and filters produce in one render, counted whether or not they are still in use.
    ///
    /// Default 1 MiB.
    public var memoryBytes: Int
    /// The longest template in UTF-8 bytes.
    ///
    /// Default 64 KiB.
    public var templateBytes: Int

    /// Creates limits; what is left out keeps its default.
    public init(
        work: Int = 5_000_000,
        duration: Duration = .milliseconds(250),
        outputBytes: Int = 64 << 10,
        loopTurns: Int = 10_000,
        nesting: Int = 50,
        memoryBytes: Int = 1 << 20,
        templateBytes: Int = 64 << 10
    ) {
        self.work = work
        self.duration = duration
        self.outputBytes = outputBytes
        self.loopTurns = loopTurns
        self.nesting = nesting
        self.memoryBytes = memoryBytes
        self.templateBytes = templateBytes
    }
}
