import Foundation

/// Delays that double from one failure to the next, with jitter, so that devices which failed together do not come
/// back together.
struct Backoff: Sendable, Equatable {
    var base: TimeInterval = 1
    var limit: TimeInterval = 300
    private(set) var failures = 0

    /// Counts a failure and returns the seconds to wait: between half of the full delay and all of it.
    ///
    /// - Parameter random: a number from 0 up to 1.
    /// - Returns: seconds.
    mutating func fail(random: Double) -> TimeInterval {
        let full = min(limit, base * pow(2, Double(min(failures, 30))))
        failures += 1
        return full * (0.5 + 0.5 * min(max(random, 0), 1))
    }

    mutating func succeed() {
        failures = 0
    }
}
