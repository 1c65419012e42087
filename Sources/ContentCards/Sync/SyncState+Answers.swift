import Foundation

extension SyncState {
    /// Takes the answer to a request; an answer to any but the one under way is not looked at.
    mutating func take(
        _ answer: SyncAnswer,
        of id: Int,
        at moment: Moment,
        _ random: Double,
        _ actions: inout [Action]
    ) {
        guard let inFlightRequest, inFlightRequest.request.id == id else { return }
        self.inFlightRequest = nil
        switch answer {
        case .success(let limit): succeed(inFlightRequest, limit, at: moment, random, &actions)
        case .failure(let failure): fail(inFlightRequest, failure, at: moment, random, &actions)
        }
    }

    private mutating func succeed(
        _ inFlightRequest: InFlightRequest,
        _ limit: RefreshLimit?,
        at moment: Moment,
        _ random: Double,
        _ actions: inout [Action]
    ) {
        backoff.succeed()
        retryAt = -.infinity
        unreachedAt = nil
        authorizations[inFlightRequest.request.user]?.succeed()
        believeSuspicions(at: moment, random, &actions)
        if inFlightRequest.eventCount > 0 { grow(inFlightRequest.request.user, &actions) }
        if let limit, limit != budget.limit {
            budget.adopt(limit, at: moment.now)
            actions.append(.saveBudget)
        }
        finish(inFlightRequest.waiters, nil, &actions)
        if inFlightRequest.isOutdated { followLiveSignal(at: moment) }
    }

    private mutating func fail(
        _ inFlightRequest: InFlightRequest,
        _ failure: RequestFailure,
        at moment: Moment,
        _ random: Double,
        _ actions: inout [Action]
    ) {
        if failure.isTokenRefusal { return refuseToken(inFlightRequest, at: moment, random, &actions) }
        if let code = failure.oversizeCode, inFlightRequest.eventCount > 0 {
            suspect(inFlightRequest, .refusal(code: code), &actions)
            if inFlightRequest.request.kind == .sync { putBack(inFlightRequest) }
            return
        }
        let isOfSystem = inFlightRequest.wasAway && failure.isConnectionLost
        if failure.mayComeOfEvents, !isOfSystem, inFlightRequest.eventCount > 0 {
            suspect(inFlightRequest, .failure, &actions)
        }
        let error = failure.error
        actions.append(.report(.requestFailed(error)))
        if failure.isOverload {
            hold(failure, at: moment, random, &actions)
        } else {
            retryAt = moment.uptime + backoff.fail(random: random)
        }
        if case .unreachable = failure { unreachedAt = moment.uptime } else { unreachedAt = nil }
        finish(inFlightRequest.waiters, error, &actions)
        failFlush(error, &actions)
        if inFlightRequest.request.kind == .sync, inSession { pendingRequest = pendingRequest ?? PendingRequest() }
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
        _ inFlightRequest: InFlightRequest,
        at moment: Moment,
        _ random: Double,
        _ actions: inout [Action]
    ) {
        let user = inFlightRequest.request.user
        var authorization = authorizations[user] ?? TokenAuthorization(hasProvider: settings.hasTokenProvider)
        if authorization.refuse(inFlightRequest.request.token, random: random, at: moment.uptime) {
            authorizations[user] = authorization
            actions.append(.report(.tokenFailed(consecutiveFailures: authorization.failures)))
            if authorization.check(at: moment.uptime) == .paused { actions.append(.report(.tokenPaused)) }
        }
        if inFlightRequest.request.kind == .sync { putBack(inFlightRequest) }
    }

    private mutating func putBack(_ inFlightRequest: InFlightRequest) {
        var pendingRequest = self.pendingRequest ?? PendingRequest()
        pendingRequest.waiters = inFlightRequest.waiters + pendingRequest.waiters
        pendingRequest.isUrgent = pendingRequest.isUrgent || !inFlightRequest.waiters.isEmpty
        self.pendingRequest = pendingRequest
    }
}
