import CardModel

/// The state of the hosts that templates ask, each by its name and port.
struct ContentHosts {
    /// The number of seconds for which a host that failed is left alone.
    static let pause = 10.0
    /// The number of requests that fail in a row before their host is left alone, for whichever request: one user's can
    /// fail alone.
    static let patience = 3
    /// The maximum number of requests to one host that are under way at once, so that a slow one leaves room for
    /// others.
    static let concurrency = 128
    private static let countLimit = 1_000

    private struct State {
        var underWay = 0
        /// The number of requests that failed since the last one that didn't.
        var failures = 0
        var pausedUntil = -Double.infinity
    }

    private var states: [String: State] = [:]

    /// Notes that a host is asked, or returns `false` where it is left alone or has enough to do.
    mutating func begin(_ host: String, at now: UnixTime) -> Bool {
        if states[host] == nil, states.count >= Self.countLimit { forget(at: now) }
        let state = states[host] ?? State()
        guard state.underWay < Self.concurrency, state.pausedUntil <= now else { return false }
        states[host, default: state].underWay += 1
        return true
    }

    /// Notes that a host that was asked has answered, or failed to.
    mutating func end(_ host: String, isFailure: Bool, at now: UnixTime) {
        guard var state = states[host] else { return }
        state.underWay = max(state.underWay - 1, 0)
        state.failures = isFailure ? min(state.failures + 1, Self.patience) : 0
        if state.failures == Self.patience { state.pausedUntil = now + Self.pause }
        states[host] = state
    }

    private mutating func forget(at now: UnixTime) {
        states = states.filter { $0.value.underWay > 0 || $0.value.pausedUntil > now }
    }
}
