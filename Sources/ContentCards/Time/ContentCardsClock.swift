import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

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

    /// Returns the seconds since the device started, those in which it slept included.
    public var uptime: TimeInterval {
        var time = timespec()
        clock_gettime(Self.steady, &time)
        return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1_000_000_000
    }

    #if canImport(Darwin)
    private static let steady = CLOCK_MONOTONIC
    #else
    /// Linux's monotonic clock stands still while a device sleeps.
    private static let steady = CLOCK_BOOTTIME
    #endif

    /// Waits for a number of seconds; zero and less return at once.
    public func sleep(for seconds: TimeInterval) async throws {
        guard seconds > 0 else { return try Task.checkCancellation() }
        let seconds = min(seconds, 86_400)
        // The other form waits in Dispatch's uptime, which stands still while a device sleeps; iOS 15 has that
        // one alone.
        // safe: more than nothing, and a day at most
        if #available(iOS 16, tvOS 16, *) { return try await Task.sleep(for: .seconds(seconds)) }
        try await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
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
