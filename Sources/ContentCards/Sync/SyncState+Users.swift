import Foundation

extension SyncState {
    mutating func close(_ actions: inout [Action]) {
        isClosed = true
        abandon(.closed, &actions)
        failFlush(.closed, &actions)
    }

    mutating func startSession() {
        inSession = true
        retryAt = -.infinity
        backoff.succeed()
        for user in gates.keys { gates[user]?.resume() }
    }

    mutating func endSession(at moment: Moment) {
        inSession = false
        deferredUntil = nil
        liveUntil = nil
        if flushAt != nil { flushAt = moment.uptime }
        if wish?.waiters.isEmpty == true { wish = nil }
    }

    /// Ends all waits for the feed.
    ///
    /// The answer to a request under way is not looked at any more; the events that it carried are sent again, and
    /// count once.
    mutating func abandon(_ error: ContentCardsError, _ actions: inout [Action]) {
        if let flight {
            actions.append(.cancel(request: flight.request.id))
            finish(flight.waiters, error, &actions)
        }
        finish(wish?.waiters ?? [], error, &actions)
        flight = nil
        wish = nil
    }

    mutating func takeToken(
        _ user: BytewiseText,
        _ answer: TokenAnswer,
        at moment: Moment,
        _ random: Double,
        _ actions: inout [Action]
    ) {
        var gate = gates[user] ?? TokenGate(hasProvider: settings.hasTokenProvider)
        switch answer {
        case .given(let token): gate.adopt(token)
        case .provided(let token): gate.provide(token)
        case .failed:
            guard gate.failProvider(random: random, at: moment.uptime) else { return }
            actions.append(.report(.tokenFailed(consecutiveFailures: gate.failures)))
        case .refused(let token):
            guard gate.refuse(token, random: random, at: moment.uptime) else { return }
        }
        gates[user] = gate
        // Only a request asks for tokens: without one, the stream would wait for ever.
        if case .refused = answer, user == self.user { wish = wish ?? Wish() }
    }
}
