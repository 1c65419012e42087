/// The times at which spans are sent to a collector and given up: a value without input and output.
struct ExportAttempts {
    /// The maximum number of spans in a request, and the number with which it doesn't wait.
    static let batch = 512
    /// The time that spans wait for others, in seconds.
    static let delay = 5.0
    /// The maximum number of times that the same spans are sent.
    private static let attempts = 5
    /// The longest pause between two requests to a collector that takes none, in seconds.
    private static let longestPause = 60.0
    /// The longest pause that a collector is given where it asks for one.
    private static let longestWish = 300.0

    /// The spans that were sent and not taken.
    private(set) var pending: [TraceSpan] = []
    private var sent = 0
    /// The number of requests that failed in a row.
    private(set) var failures = 0
    private var notBefore = 0.0
    private var lastAt: Double?

    /// Returns whether spans are to be sent now.
    ///
    /// - Parameters:
    ///   - waiting: How many spans wait.
    ///   - now: Seconds of a clock that never goes back.
    /// - Returns: Whether there is something to send, and it is time.
    mutating func isDue(waiting: Int, at now: Double) -> Bool {
        let last = lastAt ?? now
        lastAt = last
        guard now >= notBefore else { return false }
        if !pending.isEmpty { return true }
        return waiting >= Self.batch || (waiting > 0 && now - last >= Self.delay)
    }

    /// Notes which spans are sent.
    mutating func begin(_ spans: [TraceSpan], at now: Double) {
        (pending, lastAt) = (spans, now)
        sent += 1
    }

    /// Notes that they are not to be sent again: they were taken, or never will be.
    ///
    /// - Parameter isReached: Whether the collector takes spans.
    mutating func end(isReached: Bool) {
        (pending, sent) = ([], 0)
        if isReached { failures = 0 }
    }

    /// Notes that they were not taken.
    ///
    /// - Parameters:
    ///   - retryAfter: The pause that the collector asks for, in seconds.
    ///   - chance: A number from 0 to 1.
    ///   - now: The time.
    /// - Returns: How many spans are given up.
    mutating func fail(retryAfter: Double?, chance: Double, at now: Double) -> Int {
        failures = min(failures + 1, 16)
        let growing = min(Double(sign: .plus, exponent: failures - 1, significand: 1), Self.longestPause)
        notBefore = now + (retryAfter.map { min($0, Self.longestWish) } ?? growing * (0.5 + chance / 2))
        guard sent >= Self.attempts else { return 0 }
        defer { end(isReached: false) }
        return pending.count
    }
}
