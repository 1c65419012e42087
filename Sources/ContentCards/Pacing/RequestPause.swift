import Foundation

/// Says until when no request is made, because the server asked for it; kept over launches.
struct RequestPause: Sendable, Equatable, Codable {
    /// The length in seconds.
    var seconds: TimeInterval
    /// The time at which it began.
    var since: Date

    /// Creates a pause that begins now.
    init(seconds: TimeInterval, at now: Date) {
        self.seconds = seconds
        since = now
    }

    /// Returns the seconds that are left; 0 when it is over.
    ///
    /// Never more than its length, nor than the longest that a server can ask for with the spread: a clock that is set
    /// back makes no pause longer.
    func rest(at now: Date) -> TimeInterval {
        let rest = seconds - now.timeIntervalSince(since)
        let longest = min(seconds, RetryAfter.spread(RetryAfter.longest, random: 1))
        return rest.isFinite ? min(max(rest, 0), max(longest, 0)) : 0
    }
}
