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
        case .success(let limit): succeed(flight, limit, at: moment, &actions)
        case .failure(let failure): fail(flight, failure, at: moment, random, &actions)
        }
    }

    private mutating func succeed(
        _ flight: Flight,
        _ limit: RefreshLimit?,
        at moment: Moment,
        _ actions: inout [Action]
    ) {
        backoff.succeed()
        retryAt = -.infinity
        gates[flight.request.user]?.succeed()
        batchLimit += min(batchLimit, max(0, settings.batchCount - batchLimit))
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
        if let code = failure.oversizeCode, flight.request.eventLimit > 0 {
            return shrink(flight, code, &actions)
        }
        let error = failure.error
        actions.append(.report(.requestFailed(error)))
        if let seconds = failure.retryAfter {
            blockedUntil = moment.uptime + seconds
            _ = backoff.fail(random: random)
        } else {
            retryAt = moment.uptime + backoff.fail(random: random)
        }
        finish(flight.waiters, error, &actions)
        failFlush(error, &actions)
        if flight.request.kind == .sync, inSession { wish = wish ?? Wish() }
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

    /// Tries with fewer events.
    ///
    /// A single event that is too much is given up, or it would hold back all others.
    private mutating func shrink(_ flight: Flight, _ code: String, _ actions: inout [Action]) {
        if flight.request.eventLimit == 1 {
            actions.append(.giveUpEvent(user: flight.request.user, code: code))
        }
        batchLimit = max(1, flight.request.eventLimit / 2)
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

    /// The server's code, where it says that the request carries more than it can take.
    var oversizeCode: String? {
        guard case .status(let status, let code?, _, _) = self, status == 400 || status == 413 else { return nil }
        return ["body_too_large", "too_many_events", "json_invalid"].contains(code) ? code : nil
    }

    var retryAfter: TimeInterval? {
        guard case .status(let status, _, _, let seconds) = self, status == 429 || status >= 500 else { return nil }
        return seconds
    }

    var error: ContentCardsError {
        switch self {
        case .unreachable(let reason): ContentCardsError(.offline, "The server could not be reached: \(reason).")
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
