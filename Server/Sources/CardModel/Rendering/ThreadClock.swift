import Foundation

/// Measures the processor time of threads.
package enum ThreadClock {
    /// Returns the time for which the calling thread has run; it stands still while others have the processor.
    @Sendable
    package static func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        // safe: less than a second
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
