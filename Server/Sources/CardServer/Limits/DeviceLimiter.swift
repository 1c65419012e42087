import CardModel
import Synchronization

/// Counts what devices ask for against the workspace's ``DeviceLimits``, on this node.
struct DeviceLimiter: Sendable {
    /// The kinds of requests that are limited.
    enum DeviceRequestKind: Int, Hashable, Sendable, CaseIterable {
        case address
        case key
        case user
        case newUsers
        case events
        case eventBytes
        case liveOpens
        case failures

        /// The name in metrics.
        var label: String {
            switch self {
            case .address: "requests_per_address"
            case .key: "requests_per_key"
            case .user: "requests_per_user"
            case .newUsers: "new_users_per_address"
            case .events: "events_per_user"
            case .eventBytes: "event_bytes_per_address"
            case .liveOpens: "live_opens_per_address"
            case .failures: "failures_per_address"
            }
        }

        func rate(_ limits: DeviceLimits) -> DeviceLimits.Rate {
            switch self {
            case .address: limits.requestsPerAddress
            case .key: limits.requestsPerKey
            case .user: limits.requestsPerUser
            case .newUsers: limits.newUsersPerAddress
            case .events: limits.eventsPerUser
            case .eventBytes: limits.eventBytesPerAddress
            case .liveOpens: limits.liveOpensPerAddress
            case .failures: limits.failuresPerAddress
            }
        }
    }

    /// A request that has to wait.
    struct Wait: Error, Sendable, Equatable {
        /// The kind of request of which there were too many.
        let kind: DeviceRequestKind
        /// The seconds after which there is room again.
        let seconds: Double
    }

    private let buckets: TokenBuckets
    private let refusals = DeviceRequestKind.allCases.map { _ in Counter() }
    private let uptime: @Sendable () -> Double

    private final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    /// Creates a limiter.
    ///
    /// - Parameters:
    ///   - capacity: The number of buckets that are kept at the most.
    ///   - uptime: Seconds of a clock that never goes back.
    init(capacity: Int = 1 << 18, uptime: @escaping @Sendable () -> Double) {
        buckets = TokenBuckets(capacity: capacity)
        self.uptime = uptime
    }

    /// Takes from the bucket of a client's address; a client without an address is not limited.
    func take(_ kind: DeviceRequestKind, of client: ClientKey?, _ limits: DeviceLimits, cost: Int = 1) throws(Wait) {
        guard let client else { return }
        try take(kind, BucketKey(kind, client), limits, cost: cost, at: uptime())
    }

    /// Takes from the bucket of a key or user.
    func take(_ kind: DeviceRequestKind, of name: String, _ limits: DeviceLimits, cost: Int = 1) throws(Wait) {
        try take(kind, BucketKey(kind, name), limits, cost: cost, at: uptime())
    }

    /// Takes from the bucket of a client's address where there is room; where there is none, that isn't a refusal yet.
    ///
    /// - Returns: Whether there was room.
    func reserve(_ kind: DeviceRequestKind, of client: ClientKey?, _ limits: DeviceLimits) -> Bool {
        guard let client else { return true }
        return buckets.take(BucketKey(kind, client), kind.rate(limits), at: uptime()) == nil
    }

    /// Gives back what was taken from the bucket of a client's address.
    func giveBack(_ kind: DeviceRequestKind, of client: ClientKey?, _ limits: DeviceLimits) {
        guard let client else { return }
        buckets.giveBack(BucketKey(kind, client), kind.rate(limits))
    }

    /// Takes one request of a client, a key and a user.
    func admit(_ request: AdmittedRequest, _ limits: DeviceLimits) throws(Wait) {
        let now = uptime()
        if let client = request.client { try take(.address, client, limits, at: now) }
        try take(.key, request.key, limits, at: now)
        try take(.user, request.user, limits, at: now)
    }

    /// Takes back that a request was let in, since another part of the server will ask again.
    func withdraw(_ request: AdmittedRequest, _ limits: DeviceLimits) {
        if let client = request.client { buckets.giveBack(client, limits.requestsPerAddress) }
        buckets.giveBack(request.key, limits.requestsPerKey)
        buckets.giveBack(request.user, limits.requestsPerUser)
    }

    /// The number of requests that had to wait, by what there was too much of.
    var refused: [(kind: DeviceRequestKind, count: Int)] {
        DeviceRequestKind.allCases.map { ($0, refusals[$0.rawValue].value.load(ordering: .relaxed)) }
    }

    private func take(
        _ kind: DeviceRequestKind,
        _ key: BucketKey,
        _ limits: DeviceLimits,
        cost: Int = 1,
        at now: Double
    ) throws(Wait) {
        guard let seconds = buckets.take(key, kind.rate(limits), cost: cost, at: now) else { return }
        refusals[kind.rawValue].value.add(1, ordering: .relaxed)
        throw Wait(kind: kind, seconds: seconds)
    }
}

/// The buckets that a request takes from.
struct AdmittedRequest: Sendable {
    let client: BucketKey?
    let key: BucketKey
    let user: BucketKey
}

extension RequestError {
    /// Refuses a request that has to wait.
    init(_ wait: DeviceLimiter.Wait) {
        self.init(
            .tooManyRequests,
            "rate_limited",
            "There are too many requests (\(wait.kind.label)). Wait as long as Retry-After says.",
            retryAfter: wait.retryAfter
        )
    }
}

extension DeviceLimiter.Wait {
    /// Whole seconds for the header `Retry-After`: 1 to a day.
    var retryAfter: Int { max(1, Int(saturating: min(seconds, 86_400).rounded(.up))) }
}
