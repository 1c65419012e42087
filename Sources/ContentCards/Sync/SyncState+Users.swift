import Foundation

extension SyncState {
    mutating func close(_ actions: inout [Action]) {
        isClosed = true
        abandon(.closed, &actions)
        failFlush(.closed, &actions)
    }

    /// Goes on with what an earlier launch has kept; what this one knows itself is newer.
    mutating func recover(_ pace: RecordedPace) {
        if let kept = pace.budget { budget = kept }
        blockedUntil = max(blockedUntil, pace.blockedUntil)
        limits.merge(pace.limits) { mine, _ in mine }
        for user in pace.suspects where suspicions[user] == nil { suspicions[user] = .failure }
    }

    /// Forgets the tokens of all users but the current one, who may have come since.
    mutating func forgetTokens() {
        authorizations = authorizations.filter { $0.key == user }
    }

    mutating func startSession() {
        inSession = true
        isAway = false
        retryAt = -.infinity
        backoff.succeed()
        for user in authorizations.keys { authorizations[user]?.resume() }
    }

    /// Notes that the system may end connections from now on, that of the request under way included.
    mutating func noteAway() {
        isAway = true
        inFlightRequest?.wasAway = true
    }

    mutating func endSession(at moment: Moment) {
        noteAway()
        inSession = false
        deferredUntil = nil
        liveUntil = nil
        if flushAt != nil { flushAt = moment.uptime }
        if pendingRequest?.waiters.isEmpty == true { pendingRequest = nil }
    }

    /// Ends all waits for the feed.
    ///
    /// The answer to a request under way is not looked at any more; the events that it carried are sent again, and
    /// count once.
    mutating func abandon(_ error: ContentCardsError, _ actions: inout [Action]) {
        if let inFlightRequest {
            actions.append(.cancel(request: inFlightRequest.request.id))
            finish(inFlightRequest.waiters, error, &actions)
        }
        finish(pendingRequest?.waiters ?? [], error, &actions)
        inFlightRequest = nil
        pendingRequest = nil
    }

    mutating func takeToken(
        _ user: BytewiseText,
        _ answer: TokenAnswer,
        at moment: Moment,
        _ random: Double,
        _ actions: inout [Action]
    ) {
        var authorization = authorizations[user] ?? TokenAuthorization(hasProvider: settings.hasTokenProvider)
        switch answer {
        case .given(let token): authorization.adopt(token)
        case .provided(let token): authorization.provide(token)
        case .failed:
            guard authorization.failProvider(random: random, at: moment.uptime) else { return }
            actions.append(.report(.tokenFailed(consecutiveFailures: authorization.failures)))
        case .refused(let token):
            guard authorization.refuse(token, random: random, at: moment.uptime) else { return }
        }
        authorizations[user] = authorization
        // Only a request asks for tokens: without one, the stream would wait for ever.
        if case .refused = answer, user == self.user { pendingRequest = pendingRequest ?? PendingRequest() }
    }
}
