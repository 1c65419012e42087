import Dispatch
import Foundation

/// Tells the time and waits.
///
/// The SDK asks this protocol for every date, delay and timeout, so a test can move time by hand
/// (`ManualClock` in `ContentCardsTesting`).
public protocol ContentCardsClock: Sendable {
    /// Returns the wall clock, which people and servers may set: it can jump in both directions.
    var now: Date { get }

    /// Returns seconds since an arbitrary moment, which never go backwards.
    var uptime: TimeInterval { get }

    /// Waits for a number of seconds of `uptime`; throws `CancellationError` when the task is cancelled.
    func sleep(for seconds: TimeInterval) async throws
}

/// Tells the time of the device.
public struct SystemClock: ContentCardsClock {
    /// Creates the clock.
    public init() {}

    /// Returns the date of the device.
    public var now: Date { Date() }

    /// Returns the seconds since the device started.
    public var uptime: TimeInterval {
        TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1_000_000_000
    }

    /// Waits for a number of seconds; zero and less return at once.
    public func sleep(for seconds: TimeInterval) async throws {
        guard seconds > 0 else { return try Task.checkCancellation() }
        // safe: more than nothing, and a day at most
        try await Task.sleep(nanoseconds: UInt64(min(seconds, 86_400) * 1_000_000_000))
    }
}

/// One moment on both clocks, so that a decision can be a pure value.
struct Moment: Sendable, Equatable {
    /// The wall clock, for dates that leave the device or survive a launch.
    var now: Date
    /// The steady clock, for delays.
    var uptime: TimeInterval
}

extension ContentCardsClock {
    var moment: Moment { Moment(now: now, uptime: uptime) }
}
