import Foundation

/// The pace at which live signals are followed: five at once, and then one every two seconds.
///
/// The server itself sends them, so they take nothing from the device's budget. But a server or proxy that goes wrong
/// can send them without end, and each would be a request. What comes too fast is one sync, later.
struct LivePace: Sendable, Equatable {
    static let burst = 5.0
    /// In seconds.
    static let interval: TimeInterval = 2

    /// The uptime at which five may be followed at once again.
    private var fullAt: TimeInterval = -.infinity

    /// Takes a signal, and returns after how many seconds to follow it, 0 for now.
    ///
    /// A signal that waits is taken too: whoever remembers it lets others join it.
    mutating func take(at uptime: TimeInterval) -> TimeInterval {
        fullAt = max(fullAt, uptime) + Self.interval
        return max(0, fullAt - uptime - Self.burst * Self.interval)
    }
}
