import Foundation

extension SyncMachine {
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
        if flight.isOutdated { wish = wish ?? Wish() }
    }

    private mutating func fail(
        _ flight: Flight,
        _ failure: RequestFailure,
        at moment: Moment,
        _ random: Double,
        _ actions: inout [Action]
    ) {
        if failure.isTokenRefusal { return refuseToken(flight, failure, at: moment, random, &actions) }
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

    /// Asks for a new token and tries again; the waiters wait on if that can happen at once.
    private mutating func refuseToken(
        _ flight: Flight,
        _ failure: RequestFailure,
        at moment: Moment,
        _ random: Double,
        _ actions: inout [Action]
    ) {
        let user = flight.request.user
        var gate = gates[user] ?? TokenGate(hasProvider: settings.hasTokenProvider)
        gate.refuse(providerFailed: false, random: random, at: moment.uptime)
        gates[user] = gate
        actions.append(.report(.tokenFailed(consecutiveFailures: gate.failures)))
        if gate.check(at: moment.uptime) == .paused { actions.append(.report(.tokenPaused)) }
        if flight.request.kind == .sync { putBack(flight) }
    }

    private mutating func putBack(_ flight: Flight) {
        var wish = self.wish ?? Wish()
        wish.waiters = flight.waiters + wish.waiters
        wish.isUrgent = wish.isUrgent || !flight.waiters.isEmpty
        self.wish = wish
    }
}

extension RequestFailure {
    var isTokenRefusal: Bool {
        guard case .status(401, let code, _, _) = self else { return false }
        return code?.hasPrefix("token_") == true
    }

    /// Whether the server may have failed on what the request carried: it is gone, or says that it failed.
    ///
    /// One that says when to come back, or can't be reached, has other troubles.
    var mayComeOfEvents: Bool {
        switch self {
        case .connectionLost: true
        case .status(let status, _, _, let retryAfter): status >= 500 && retryAfter == nil
        case .unreachable, .timedOut, .invalidReply: false
        }
    }

    /// The server's code, where it says that the request carries more than it can take.
    var oversizeCode: String? {
        guard case .status(let status, let code?, _, _) = self, status == 400 || status == 413 else { return nil }
        return ["body_too_large", "too_many_events", "json_invalid"].contains(code) ? code : nil
    }

    /// Whether the server said that it has too much to do, or when to come back.
    var isOverload: Bool {
        guard case .status(let status, _, _, let seconds) = self else { return false }
        return status == 429 || status == 503 || status >= 500 && seconds != nil
    }

    var retryAfter: TimeInterval? {
        guard case .status(let status, _, _, let seconds) = self, status == 429 || status >= 500 else { return nil }
        return seconds
    }

    var error: ContentCardsError {
        switch self {
        case .unreachable(let reason), .connectionLost(let reason):
            ContentCardsError(.offline, "The server could not be reached: \(reason).")
        case .timedOut: .timeout
        case .invalidReply:
            ContentCardsError(.invalidReply, "The answer is not what the device API describes; check the endpoint.")
        case .status(let status, let code, let message, let seconds):
            ContentCardsError(
                Self.code(status),
                "The server answered \(status)\(message.map { ": \($0)" } ?? ".")",
                retryAfter: seconds,
                serverCode: code
            )
        }
    }

    private static func code(_ status: Int) -> ContentCardsError.Code {
        switch status {
        case 401: .unauthorized
        case 403: .forbidden
        case 429: .rateLimited
        case 500...: .serverUnavailable
        default: .rejected
        }
    }
}

extension ContentCardsError {
    static func tokenRefused(retryAfter: TimeInterval?) -> ContentCardsError {
        ContentCardsError(
            .unauthorized,
            "The user token was not accepted; give a new one with identify(_:token:) or a token provider.",
            retryAfter: retryAfter
        )
    }
}
