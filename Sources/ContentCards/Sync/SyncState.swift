import Foundation

/// The state of the sync machine, and how each input changes it.
///
/// Only ``SyncMachine`` holds one.
struct SyncState: Sendable {
    typealias Waiter = Int

    struct SyncSettings: Sendable {
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

    /// A request that is wanted.
    struct PendingRequest: Sendable, Equatable {
        var waiters: [Waiter] = []
        var isUrgent = false
    }

    struct Request: Sendable, Equatable {
        enum RequestKind: Sendable, Equatable {
            case sync
            case events
        }

        var id: Int
        var kind: RequestKind
        var user: BytewiseText
        /// The number of the change of user after which it was made.
        var generation = 0
        var token: String?
        /// The most events that it carries.
        var eventLimit: Int
    }

    /// The reason why the oldest event of a user, sent alone, can be what a request failed on.
    ///
    /// It is only believed when the next request, which has no event of that user, succeeds: a server that fails on
    /// everything, or can't be reached, fails on no event.
    enum Suspicion: Sendable, Equatable {
        /// The server failed, or was gone.
        case failure
        /// The server said, with a code, that it can't take it.
        case refusal(code: String)
    }

    struct InFlightRequest: Sendable, Equatable {
        var request: Request
        var waiters: [Waiter]
        /// The number of events that it carries.
        var eventCount = 0
        /// Something changed since the request left, so another has to follow.
        var isOutdated = false
        /// Whether the app was away for a part of it: the system may have ended the connection then.
        var wasAway = false
    }

    var settings: SyncSettings
    /// The user for which the last input was handled: waits, and the request under way, are theirs.
    private(set) var current = CurrentUser()
    var isClosed = false
    var inSession = false
    /// Whether the app has left the foreground, where the system suspends it and ends its connections.
    var isAway = false
    var budget: RefreshBudget

    var pendingRequest: PendingRequest?
    var inFlightRequest: InFlightRequest?
    var flushWaiters: [Waiter] = []
    /// Pending events of each user.
    var backlog: [BytewiseText: Int] = [:]
    var authorizations: [BytewiseText: TokenAuthorization] = [:]
    var backoff = Backoff()
    /// No request of its own accord before this uptime, after failures.
    var retryAt: TimeInterval = -.infinity
    /// The uptime at which the last request could not reach the server, where that was its end.
    var unreachedAt: TimeInterval?
    /// No request at all before this uptime: the server said so.
    var blockedUntil: TimeInterval = -.infinity
    var livePace = LivePace()
    /// The time at which a live signal that came after many others is followed.
    var liveUntil: TimeInterval?
    /// The time at which an automatic refresh that found the budget empty is due.
    var deferredUntil: TimeInterval?
    /// The time at which the current user's events are due.
    var flushAt: TimeInterval?
    /// The most events of a request, for users on whose events the server failed.
    var limits: [BytewiseText: Int] = [:]
    var suspicions: [BytewiseText: Suspicion] = [:]
    /// The uptime until which the events of users on which the server failed rest.
    var restingUntil: [BytewiseText: TimeInterval] = [:]
    private var lastRequest = 0

    init(settings: SyncSettings, budget: RefreshBudget) {
        self.settings = settings
        self.budget = budget
    }

    var user: BytewiseText? { current.id }

    mutating func nextRequestID() -> Int {
        lastRequest += 1
        return lastRequest
    }

    /// Ends what was done for another user, or before content cards were disabled, where that was the case.
    mutating func adopt(_ new: CurrentUser, _ actions: inout [Action]) {
        guard new != current else { return }
        let isSameUser = new.id == current.id
        current = new
        abandon(isSameUser ? .disabled : .userChanged, &actions)
        deferredUntil = nil
        liveUntil = nil
        flushAt = nil
        if !new.isEnabled { failFlush(.disabled, &actions) }
    }

    mutating func apply(_ input: Input, at moment: Moment, random: Double, _ actions: inout [Action]) {
        switch input {
        case .want(let reason, let waiter, let lastSync):
            want(reason, waiter, lastSync: lastSync, at: moment, &actions)
        case .flush(let waiter): flush(waiter, at: moment, &actions)
        case .forget(let waiter): forget(waiter)
        case .token(let user, let answer): takeToken(user, answer, at: moment, random, &actions)
        case .backlog(let counts): take(backlog: counts, at: moment)
        case .sent(let id, let count): noteSent(id, events: count)
        case .answered(let id, let answer, let counts):
            backlog = counts
            take(answer, of: id, at: moment, random, &actions)
        case .failed(let failure):
            if failure.isOverload { hold(failure, at: moment, random, &actions) }
        case .wiped: forgetTokens()
        case .recovered(let pace): recover(pace)
        case .sessionStarted: startSession()
        case .sessionEnded: endSession(at: moment)
        case .away: noteAway()
        case .flushDelay(let seconds): changeFlushDelay(to: seconds, at: moment)
        case .closed: close(&actions)
        case .wake: break
        }
    }
}
