import Foundation

/// Decides whether a user's requests may go, and with which token.
struct TokenAuthorization: Sendable, Equatable {
    enum AuthorizationAnswer: Sendable, Equatable {
        /// Send, with this token if there is one.
        case go(String?)
        /// Ask the provider, and wait.
        case ask
        /// The provider has been asked.
        case wait
        /// Refused; ask again at this uptime.
        case later(TimeInterval)
        /// Refused until the next session or a new token.
        case paused
    }

    private enum State: Sendable, Equatable {
        case unknown
        case asking
        case ready(String?)
        case refused(until: TimeInterval)
        case paused
    }

    static let patience = 50

    private let hasProvider: Bool
    private var state: State = .unknown
    private var backoff = Backoff()

    init(hasProvider: Bool) {
        self.hasProvider = hasProvider
    }

    var failures: Int { backoff.failures }

    /// Says what to do now.
    ///
    /// `ask` is said once: after that it is `wait` until the answer comes.
    mutating func check(at uptime: TimeInterval) -> AuthorizationAnswer {
        switch state {
        case .ready(let token): return .go(token)
        case .asking: return .wait
        case .paused: return .paused
        case .refused(let until) where uptime < until: return .later(until)
        case .unknown, .refused:
            guard hasProvider else { return .go(nil) }
            state = .asking
            return .ask
        }
    }

    /// The provider answered; what it says is not looked at where the app gave a token by itself in between.
    mutating func provide(_ token: String?) {
        if state == .asking { state = .ready(token) }
    }

    /// The app gave a token by itself: whatever was wrong before is over.
    mutating func adopt(_ token: String) {
        state = .ready(token)
        backoff.succeed()
    }

    /// The server refused a request that had a token, or had none.
    ///
    /// Returns whether that is news: a token that has been replaced since, or is being replaced, says nothing about the
    /// next one.
    mutating func refuse(_ token: String?, random: Double, at uptime: TimeInterval) -> Bool {
        switch state {
        case .ready(let present): guard present.hasSameBytes(as: token) else { return false }
        case .unknown: guard !hasProvider, token == nil else { return false }
        case .asking, .refused, .paused: return false
        }
        fail(providerFailed: false, random: random, at: uptime)
        return true
    }

    /// The provider had no token, or did not answer.
    ///
    /// Returns whether one was waited for.
    mutating func failProvider(random: Double, at uptime: TimeInterval) -> Bool {
        guard state == .asking else { return false }
        fail(providerFailed: true, random: random, at: uptime)
        return true
    }

    /// The first refusal asks at once, later ones wait, and after fifty in a row nothing goes until `resume`.
    private mutating func fail(providerFailed: Bool, random: Double, at uptime: TimeInterval) {
        let delay = backoff.fail(random: random)
        if !hasProvider || failures >= Self.patience {
            state = .paused
        } else if failures == 1, !providerFailed {
            state = .unknown
        } else {
            state = .refused(until: uptime + delay)
        }
    }

    mutating func succeed() {
        backoff.succeed()
    }

    /// A new session begins.
    mutating func resume() {
        guard state == .paused else { return }
        state = .unknown
        backoff.succeed()
    }
}
