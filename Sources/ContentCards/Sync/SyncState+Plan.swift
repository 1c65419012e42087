import Foundation

extension SyncState {
    /// Chooses the next request, or the time to look again.
    mutating func plan(at moment: Moment, _ actions: inout [Action]) {
        finishFlushIfEmpty(&actions)
        guard obstacle == nil, inFlightRequest == nil else { return }
        resumeDeferred(at: moment, &actions)
        if moment.uptime < blockedUntil { return wakeIfBusy(at: blockedUntil, &actions) }
        let isUrgent = pendingRequest?.isUrgent == true || !flushWaiters.isEmpty
        if moment.uptime < retryAt, !isUrgent { return wakeIfBusy(at: retryAt, &actions) }
        var wakes = [deferredUntil, liveUntil].compactMap { $0 }
        if planSync(at: moment, &wakes, &actions) || planEvents(at: moment, &wakes, &actions) { return }
        if let wake = wakes.min() { actions.append(.wake(at: wake)) }
    }

    private mutating func planSync(
        at moment: Moment,
        _ wakes: inout [TimeInterval],
        _ actions: inout [Action]
    ) -> Bool {
        guard let pendingRequest, let user else { return false }
        switch authorize(user, at: moment, &actions) {
        case .go(let token):
            self.pendingRequest = nil
            send(.sync, user: user, token: token, waiters: pendingRequest.waiters, at: moment, &actions)
            return true
        case .later(let uptime):
            wakes.append(uptime)
            refuse(pendingRequest, retryAfter: uptime - moment.uptime, &actions)
        case .paused: refuse(pendingRequest, retryAfter: nil, &actions)
        case .ask, .wait: break
        }
        return false
    }

    private mutating func refuse(_ pendingRequest: PendingRequest, retryAfter: TimeInterval?, _ actions: inout [Action])
    {
        self.pendingRequest = PendingRequest()
        finish(pendingRequest.waiters, .tokenRefused(retryAfter: retryAfter), &actions)
    }

    private mutating func planEvents(
        at moment: Moment,
        _ wakes: inout [TimeInterval],
        _ actions: inout [Action]
    ) -> Bool {
        var isStuck = !flushWaiters.isEmpty
        for user in senders {
            let due = due(user, at: moment)
            guard due <= moment.uptime else {
                wakes.append(due)
                continue
            }
            switch authorize(user, at: moment, &actions) {
            case .go(let token):
                send(.events, user: user, token: token, waiters: [], at: moment, &actions)
                return true
            case .later(let uptime): wakes.append(uptime)
            case .ask, .wait: isStuck = false
            case .paused: break
            }
        }
        if isStuck { failFlush(.tokenRefused(retryAfter: nil), &actions) }
        return false
    }

    /// Returns the time at which the events of a user are due.
    private func due(_ user: BytewiseText, at moment: Moment) -> TimeInterval {
        guard flushWaiters.isEmpty else { return moment.uptime }
        let due = user == self.user ? flushAt ?? moment.uptime : moment.uptime
        // A suspicion is to be tried at once, by a request without events.
        return suspicions[user] == nil ? max(due, restingUntil[user] ?? due) : due
    }

    /// Users with pending events: the current one first.
    private var senders: [BytewiseText] {
        let users = backlog.keys.sorted()
        return users.filter { $0 == user } + users.filter { $0 != user }
    }

    private mutating func authorize(
        _ user: BytewiseText,
        at moment: Moment,
        _ actions: inout [Action]
    ) -> TokenAuthorization.AuthorizationAnswer {
        let answer = authorizations[user, default: TokenAuthorization(hasProvider: settings.hasTokenProvider)].check(
            at: moment.uptime
        )
        if answer == .ask { actions.append(.askToken(user: user)) }
        return answer
    }

    private mutating func send(
        _ kind: Request.RequestKind,
        user: BytewiseText,
        token: String?,
        waiters: [Waiter],
        at moment: Moment,
        _ actions: inout [Action]
    ) {
        let limit = eventLimit(of: user, at: moment)
        var request = Request(id: nextRequestID(), kind: kind, user: user, token: token, eventLimit: limit)
        request.generation = current.generation
        if kind == .sync { liveUntil = nil }
        inFlightRequest = InFlightRequest(
            request: request,
            waiters: waiters,
            eventCount: min(limit, backlog[user] ?? 0),
            wasAway: isAway
        )
        actions.append(.send(request))
    }

    private mutating func resumeDeferred(at moment: Moment, _ actions: inout [Action]) {
        if let due = liveUntil, due <= moment.uptime {
            liveUntil = nil
            pendingRequest = pendingRequest ?? PendingRequest()
        }
        guard let due = deferredUntil, due <= moment.uptime, pendingRequest == nil else { return }
        deferredUntil = nil
        want(.sessionStart, nil, lastSync: nil, at: moment, &actions)
    }

    private func wakeIfBusy(at uptime: TimeInterval, _ actions: inout [Action]) {
        let isDeferred = deferredUntil != nil || liveUntil != nil
        if pendingRequest != nil || !backlog.isEmpty || isDeferred { actions.append(.wake(at: uptime)) }
    }

    private mutating func finishFlushIfEmpty(_ actions: inout [Action]) {
        guard backlog.isEmpty, !flushWaiters.isEmpty else { return }
        finish(flushWaiters, nil, &actions)
        flushWaiters = []
    }

    mutating func failFlush(_ error: ContentCardsError, _ actions: inout [Action]) {
        finish(flushWaiters, error, &actions)
        flushWaiters = []
    }
}
