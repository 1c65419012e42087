import Statistics
import Synchronization

/// Makes ids of traces and spans.
///
/// Each is a number that is counted, made unlike the others by a bijection (SplitMix64) with a random start: a request
/// that isn't traced costs one addition, and no call of the system.
final class TraceIDSource: Sendable {
    private let drawn = Atomic<UInt64>(0)
    private let (high, low, span): (UInt64, UInt64, UInt64)

    /// Creates a source with random starts.
    init() {
        (high, low, span) = (.random(in: .min ... .max), .random(in: .min ... .max), .random(in: .min ... .max))
    }

    /// Returns the id of a new trace.
    func trace() -> TraceID {
        let number = drawn.wrappingAdd(1, ordering: .relaxed).oldValue
        return TraceID(high: Self.mix(high &+ number), low: max(Self.mix(low &+ number), 1))
    }

    /// Returns the id of a new span.
    func spanID() -> SpanID {
        let number = drawn.wrappingAdd(1, ordering: .relaxed).oldValue
        return SpanID(rawValue: max(Self.mix(span &+ number), 1))
    }

    private static func mix(_ number: UInt64) -> UInt64 { SplitMix.scrambled(number &* SplitMix.step) }
}
