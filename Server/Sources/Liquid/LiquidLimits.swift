/// Bounds what one template may cost, so that no author can stall or exhaust the server.
public struct LiquidLimits: Sendable, Equatable {
    /// The longest time for one render, partials included.
    ///
    /// Default 250 ms.
    public var duration: Duration
    /// The longest output in UTF-8 bytes.
    ///
    /// Default 1 MiB.
    public var outputBytes: Int
    /// The most turns that all loops of one render take together.
    ///
    /// Default 100,000.
    public var loopTurns: Int
    /// The deepest nesting of blocks, partials and brackets.
    ///
    /// Default 100.
    public var nesting: Int
    /// The most bytes that captures and filters produce in one render, counted whether or not they are still in use.
    ///
    /// Default 8 MiB.
    public var memoryBytes: Int
    /// The longest template in UTF-8 bytes.
    ///
    /// Default 1 MiB.
    public var templateBytes: Int

    /// Creates limits; what is left out keeps its default.
    public init(
        duration: Duration = .milliseconds(250),
        outputBytes: Int = 1 << 20,
        loopTurns: Int = 100_000,
        nesting: Int = 100,
        memoryBytes: Int = 8 << 20,
        templateBytes: Int = 1 << 20
    ) {
        self.duration = duration
        self.outputBytes = outputBytes
        self.loopTurns = loopTurns
        self.nesting = nesting
        self.memoryBytes = memoryBytes
        self.templateBytes = templateBytes
    }
}
