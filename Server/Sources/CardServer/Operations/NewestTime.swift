import CardModel
import Synchronization

/// The newest time that is known to have been, from the events that are kept: a clock that is before it is wrong.
///
/// Events that were counted at a wrong time stay so, and those of devices whose clock is right would be refused for
/// ever. So devices are asked to come back while the clock is wrong, and keep their events.
final class NewestTime: Sendable {
    /// The time by which a clock can be set back, in seconds.
    static let tolerance = 600.0

    private let newest: Mutex<UnixTime>
    private let acceptsClock: Bool

    /// Begins with the newest time that is known, or `nil` for none.
    ///
    /// - Parameters:
    ///   - newest: The newest time.
    ///   - acceptsClock: Whether the clock is right whatever it says, also where it is set back later.
    init(_ newest: UnixTime?, acceptsClock: Bool = false) {
        self.newest = Mutex(newest ?? -.infinity)
        self.acceptsClock = acceptsClock
    }

    /// Checks the clock before events are counted.
    ///
    /// - Throws: `RequestError` with 503 where the clock is wrong.
    func check(_ now: UnixTime) throws(RequestError) {
        guard !acceptsClock else { return }
        let isBehind = newest.withLock { newest in
            newest = max(newest, now)
            return now < newest - Self.tolerance
        }
        if isBehind { throw .clockWrong }
    }
}

extension RequestError {
    fileprivate static let clockWrong = RequestError(
        .serviceUnavailable,
        "unavailable",
        "The server's clock is wrong. Keep the events, and try again.",
        retryAfter: 60
    )
}
