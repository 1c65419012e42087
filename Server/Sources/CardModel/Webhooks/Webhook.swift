public import WireJSON

/// A destination to which events are sent as they come in.
public struct Webhook: Sendable, Hashable {
    /// The address, http or https.
    @Bytewise public var url: String
    /// The secret that requests are signed with; known to the receiver too.
    @Bytewise public var secret: String
    /// The names of the event types that are sent; empty for all.
    public var types: Set<String>
    /// The time at which it was created, or set up again.
    public var createdAt: UnixTime

    /// Creates a webhook.
    public init(url: String, secret: String, types: Set<String> = [], createdAt: UnixTime) {
        self.url = url
        self.secret = secret
        self.types = types
        self.createdAt = createdAt
    }

    /// The filter of the events that are sent.
    public var filter: EventFilter {
        var filter = EventFilter()
        filter.types = types
        return filter
    }
}

/// The position of a webhook, and the state of its deliveries.
public struct WebhookProgress: Sendable, Hashable {
    /// The position up to which all events were taken, or passed over.
    public var position: Int64
    /// The number of attempts in a row that have failed.
    public var failures = 0
    /// Before this moment nothing is tried.
    public var nextAttemptAt: UnixTime = 0
    /// The time at which events were last taken, or `nil` for never.
    public var lastSuccessAt: UnixTime?
    /// The time at which an attempt last failed, or `nil` for never.
    public var lastFailureAt: UnixTime?
    /// The last failure, such as `HTTP 503`.
    public var lastFailure: String?

    /// Creates the progress of a webhook that begins after a position.
    public init(position: Int64) { self.position = position }
}

extension WebhookProgress {
    /// The shortest pause after a failure, in seconds.
    static let shortestPause = 1.0
    /// The longest pause after a failure, in seconds.
    static let longestPause = 3_600.0

    /// Returns the seconds until the next attempt, or 0 where it is due.
    ///
    /// A time further ahead than the longest pause was noted before the clock was set back.
    public func rest(at now: UnixTime) -> Double {
        let rest = nextAttemptAt - now
        return rest > Self.longestPause ? 0 : max(0, rest)
    }

    /// Events up to a position were taken, or there was nothing to send among them.
    public mutating func advance(to position: Int64, sent: Bool, at now: UnixTime) {
        self.position = position
        failures = 0
        nextAttemptAt = now
        if sent { lastSuccessAt = now }
    }

    /// An attempt failed: the next one waits twice as long as this one did, and some more or less, so that many who
    /// failed together do not come back together.
    ///
    /// - Parameters:
    ///   - reason: What happened, without any of the data.
    ///   - retryAfter: How many seconds the receiver asked to wait, or `nil`.
    ///   - chance: A number from 0 to 1.
    ///   - now: The time.
    public mutating func fail(_ reason: String, retryAfter: Double?, chance: Double, at now: UnixTime) {
        failures += 1
        let doubled = Self.shortestPause * Double(sign: .plus, exponent: min(failures - 1, 16), significand: 1)
        let pause = min(doubled, Self.longestPause) * (0.75 + chance / 2)
        nextAttemptAt = now + min(max(pause, retryAfter ?? 0), Self.longestPause)
        lastFailureAt = now
        lastFailure = reason
    }
}
