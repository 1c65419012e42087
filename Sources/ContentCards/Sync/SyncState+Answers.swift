import Foundation

extension SyncState {
    /// Takes the answer to a request; an answer to any but the one under way is not looked at.
    mutating func take(
        _ answer: Answer,
        of id: Int,
        at moment: Moment,
        _ random: Double,
        _ actions: inout [Action]
    ) {
        guard let flight, flight.request.id == id else { return }
        self.flight = nil
        switch answer {
        case .success(let limit): succeed(flight, limit, at: moment, random, &actions)
        case .failure(let failure): fail(flight, failure, at: moment, random, &actions)
        }
    }

    private mutating func succeed(
        _ flight: Flight,
        _ limit: RefreshLimit?,
        at moment: Moment,
        _ random: Double,
        _ actions: inout [Action]
    ) {
        backoff.succeed()
        retryAt = -.infinity
        gates[flight.request.user]?.succeed()
        believeSuspicions(at: moment, random, &actions)
        if flight.eventCount > 0 { grow(flight.request.user, &actions) }
        if let limit, limit != budget.limit {
            budget.adopt(limit, at: moment.now)
            actions.append(.saveBudget)
        }
        finish(flight.waiters, nil, &actions)
        if flight.isOutdated { followLiveSignal(at: moment) }
    }

    private mutating func fail(
        _ flight: Flight,
        _ failure: RequestFailure,
        at moment: Moment,
        _ random: Double,
        _ actions: inout [Action]
    ) {
        if failure.isTokenRefusal { return refuseToken(flight, at: moment, random, &actions) }
        if let code = failure.oversizeCode, flight.eventCount > 0 {
            suspect(flight, .refusal(code: code), &actions)
            if flight.request.kind == .sync { putBack(flight) }
            return
        }
        if failure.mayComeOfEvents, flight.eventCount > 0 { suspect(flight, .failure, &actions) }
        let error = failure.error
        actions.append(.report(.requestFailed(error)))
        if failure.isOverload {
            hold(failure, at: moment, random, &actions)
        } else {
            retryAt = moment.uptime + backoff.fail(random: random)
        }
        finish(flight.waiters, error, &actions)
        failFlush(error, &actions)
        if flight.request.kind == .sync, inSession { wish = wish ?? Wish() }
    }

    /// Makes no request at all, whoever asks, for as long as the server said.
    ///
    /// A server that names no time, or one that is over, is left alone for a growing time: it said that it has too much
    /// to do.
    mutating func hold(_ failure: RequestFailure, at moment: Moment, _ random: Double, _ actions: inout [Action]) {
        let delay = backoff.fail(random: random)
        let asked = failure.retryAfter.map { RetryAfter.spread($0, random: random) } ?? 0
        let seconds = max(asked, delay)
        blockedUntil = max(blockedUntil, moment.uptime + seconds)
        actions.append(.savePause(RequestPause(seconds: seconds, at: moment.now)))
    }

    /// Asks for a new token and tries again, unless there is another one by now; the waiters wait on if that can happen
    /// at once.
    private mutating func refuseToken(
        _ flight: Flight,
        at moment: Moment,
        _ random: Double,
        _ actions: inout [Action]
    ) {
        let user = flight.request.user
        var gate = gates[user] ?? TokenGate(hasProvider: settings.hasTokenProvider)
        if gate.refuse(flight.request.token, random: random, at: moment.uptime) {
            gates[user] = gate
            actions.append(.report(.tokenFailed(consecutiveFailures: gate.failures)))
            if gate.check(at: moment.uptime) == .paused { actions.append(.report(.tokenPaused)) }
        }
        if flight.request.kind == .sync { putBack(flight) }
    }

    private mutating func putBack(_ flight: Flight) {
        var wish = self.wish ?? Wish()
        wish.waiters = flight.waiters + wish.waiters
        wish.isUrgent = wish.isUrgent || !flight.waiters.isEmpty
        self.wish = wish
    }
}
