import Foundation

/// Decides which request goes to the server and when, and how each wait for one ends.
///
/// A pure value: inputs and a moment go in, actions come out. It has at most one request under way, so events stay in
/// order, and every waiter ends exactly once.
struct SyncMachine: Sendable {
    typealias Waiter = Int

    struct Settings: Sendable {
        var hasTokenProvider = false
        var isEndpointValid = true
        /// Seconds after which an opened feed is refreshed.
        var cacheTimeout: TimeInterval = 60
        /// Seconds that events wait for company.
        var flushDelay: TimeInterval = 2
        var batchCount = 250
        /// Seconds that an event rests after the server failed on it.
        var trialDelay: TimeInterval = 30
    }

    /// The most events that any request carries.
    static let largestBatch = 10_000

    /// A request that somebody or something wants.
    struct Wish: Sendable, Equatable {
        var waiters: [Waiter] = []
        var isUrgent = false
    }

    struct Request: Sendable, Equatable {
        enum Kind: Sendable, Equatable {
            case sync
            case events
        }

        var id: Int
        var kind: Kind
        var user: ByteString
        var token: String?
        /// The most events that it carries.
        var eventLimit: Int
    }

    /// Why the oldest event of a user, sent alone, may be what a request failed on.
    ///
    /// It is only believed when the next request, which has no event of that user, succeeds: a server that fails on
    /// everything, or can't be reached, fails on no event.
    enum Suspicion: Sendable, Equatable {
        /// The server failed, or was gone.
        case failure
        /// The server said, with a code, that it can't take it.
        case refusal(code: String)
    }

    struct Flight: Sendable, Equatable {
        var request: Request
        var waiters: [Waiter]
        /// How many events it carries.
        var eventCount = 0
        /// Something changed since the request left, so another has to follow.
        var isOutdated = false
    }

    var settings: Settings
    var user: ByteString?
    var isEnabled: Bool
    var isClosed = false
    var inSession = false
    var budget: RefreshBudget

    var wish: Wish?
    var flight: Flight?
    var flushWaiters: [Waiter] = []
    /// Pending events of each user.
    var backlog: [ByteString: Int] = [:]
    var gates: [ByteString: TokenGate] = [:]
    var backoff = Backoff()
    /// No request of its own accord before this uptime, after failures.
    var retryAt: TimeInterval = -.infinity
    /// No request at all before this uptime: the server said so.
    var blockedUntil: TimeInterval = -.infinity
    /// When an automatic refresh that found the budget empty is due.
    var deferredUntil: TimeInterval?
    /// When the current user's events are due.
    var flushAt: TimeInterval?
    /// The most events of a request, for users on whose events the server failed.
    var limits: [ByteString: Int] = [:]
    var suspicions: [ByteString: Suspicion] = [:]
    /// Until which uptime the events of users rest on which the server failed.
    var restingUntil: [ByteString: TimeInterval] = [:]
    private var lastRequest = 0

    init(settings: Settings, user: ByteString?, isEnabled: Bool, budget: RefreshBudget) {
        self.settings = settings
        self.user = user
        self.isEnabled = isEnabled
        self.budget = budget
    }

    /// Notes how many events the request under way carries.
    mutating func noteSent(events count: Int) {
        flight?.eventCount = count
    }

    mutating func nextRequestID() -> Int {
        lastRequest += 1
        return lastRequest
    }

    /// Takes an input and returns what to do, in order.
    mutating func handle(_ input: Input, at moment: Moment, random: Double = 0.5) -> [Action] {
        var actions: [Action] = []
        switch input {
        case .want(let reason, let waiter, let lastSync):
            want(reason, waiter, lastSync: lastSync, at: moment, &actions)
        case .flush(let waiter): flush(waiter, at: moment, &actions)
        case .forget(let waiter): forget(waiter)
        case .switched(let user): switchUser(to: user, &actions)
        case .token(let user, let answer): takeToken(user, answer, at: moment, random, &actions)
        case .backlog(let counts): take(backlog: counts, at: moment)
        case .answered(let id, let answer): take(answer, of: id, at: moment, random, &actions)
        case .failed(let failure):
            if failure.isOverload { hold(failure, at: moment, random, &actions) }
        case .sessionStarted: startSession()
        case .sessionEnded: endSession(at: moment)
        case .enabled(let isEnabled): setEnabled(isEnabled, &actions)
        case .closed: close(&actions)
        case .wake: break
        }
        plan(at: moment, &actions)
        return actions
    }
}
