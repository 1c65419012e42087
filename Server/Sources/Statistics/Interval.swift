/// The values that the data leave possible.
public struct Interval: Sendable, Hashable {
    /// The smallest.
    public var low: Double
    /// The largest.
    public var high: Double

    /// Creates an interval.
    public init(low: Double, high: Double) {
        self.low = low
        self.high = high
    }

    /// Whether a value lies in it.
    public func contains(_ value: Double) -> Bool { low <= value && value <= high }
}
