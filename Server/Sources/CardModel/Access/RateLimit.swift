/// A limit on the requests that a key makes in a time.
public struct RateLimit: Sendable, Hashable {
    /// Endpoints that share a limit.
    public enum Group: String, Sendable, CaseIterable {
        /// `/users/track`.
        case track = "users_track"
        /// `/users/export/ids`.
        case export = "users_export"
        /// `/users/delete`, `/users/alias/new` and `/users/identify`.
        case identity = "users_identity"
        /// `/campaigns/data_series`.
        case dataSeries = "campaigns_data_series"
        /// `/campaigns/trigger/send` to named recipients.
        case send = "trigger_send"
        /// `/campaigns/trigger/send` to an audience.
        case broadcast = "trigger_broadcast"
        /// The management API: the paths below `/v1` that are for backends, together.
        case management
        /// All others, together.
        case other

        /// The limit where the settings name none: what the documented API allows, and for ``management``, which it
        /// doesn't have, 30,000 a minute.
        public var standard: RateLimit {
            switch self {
            case .track: RateLimit(requests: 3_000, seconds: 3)
            case .export, .broadcast: RateLimit(requests: 250, seconds: 60)
            case .identity: RateLimit(requests: 20_000, seconds: 60)
            case .dataSeries: RateLimit(requests: 50_000, seconds: 60)
            case .management: RateLimit(requests: 30_000, seconds: 60)
            case .send, .other: RateLimit(requests: 250_000, seconds: 3_600)
            }
        }
    }

    /// The number of requests, 1 or more.
    public var requests: Int
    /// The length of the window, in seconds; 1 or more.
    public var seconds: Double

    /// Creates a limit.
    public init(requests: Int, seconds: Double) {
        self.requests = requests
        self.seconds = seconds
    }
}

/// The requests of one key and group in the present window of time.
///
/// A window begins with its first request and ends after the limit's seconds; the next request begins another one.
public struct RateWindow: Sendable, Hashable {
    /// The state of the limit that a request is told.
    public struct Decision: Sendable, Hashable {
        /// Whether it may go on.
        public var isAllowed: Bool
        /// The number of requests in the window.
        public var limit: Int
        /// The number of requests that are left in it.
        public var remaining: Int
        /// The end of the window, in whole Unix seconds, rounded up.
        public var resetsAt: Int64
    }

    private var start: UnixTime
    private var used = 0

    /// Creates a window that begins at that moment.
    public init(startingAt now: UnixTime) { start = now }

    /// Takes a request and says whether it may go on.
    public mutating func take(_ limit: RateLimit, at now: UnixTime) -> Decision {
        if isOver(limit, at: now) { self = RateWindow(startingAt: now) }
        let isAllowed = used < limit.requests
        if isAllowed { used += 1 }
        return Decision(
            isAllowed: isAllowed,
            limit: limit.requests,
            // safe: neither is less than what was used
            remaining: max(limit.requests, used) - used,
            resetsAt: Int64(exactly: (start + limit.seconds).rounded(.up)) ?? .max
        )
    }

    /// Whether the window has ended, by a limit's seconds.
    ///
    /// A clock that was set back must not close it for longer than it is.
    public func isOver(_ limit: RateLimit, at now: UnixTime) -> Bool { now >= start + limit.seconds || now < start }
}
