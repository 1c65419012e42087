import Foundation

extension SyncState {
    /// Chooses the next request, or the time to look again.
    mutating func plan(at moment: Moment, _ actions: inout [Action]) {
        finishFlushIfEmpty(&actions)
        guard obstacle == nil, flight == nil else { return }
        resumeDeferred(at: moment, &actions)
        if moment.uptime < blockedUntil { return wakeIfBusy(at: blockedUntil, &actions) }
        let isUrgent = wish?.isUrgent == true || !flushWaiters.isEmpty
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
        guard let wish, let user else { return false }
        switch gate(user, at: moment, &actions) {
        case .go(let token):
            self.wish = nil
            send(.sync, user: user, token: token, waiters: wish.waiters, at: moment, &actions)
            return true
        case .later(let uptime):
            wakes.append(uptime)
            refuse(wish, retryAfter: uptime - moment.uptime, &actions)
        case .paused: refuse(wish, retryAfter: nil, &actions)
        case .ask, .wait: break
        }
        return false
    }

    private mutating func refuse(_ wish: Wish, retryAfter: TimeInterval?, _ actions: inout [Action]) {
        self.wish = Wish()
        finish(wish.waiters, .tokenRefused(retryAfter: retryAfter), &actions)
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
            switch gate(user, at: moment, &actions) {
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

    /// When the events of a user are due.
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

    private mutating func gate(_ user: BytewiseText, at moment: Moment, _ actions: inout [Action]) -> TokenGate.Answer {
        let answer = gates[user, default: TokenGate(hasProvider: settings.hasTokenProvider)].check(at: moment.uptime)
        if answer == .ask { actions.append(.askToken(user: user)) }
        return answer
    }

    private mutating func send(
        _ kind: Request.Kind,
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
        flight = Flight(request: request, waiters: waiters, eventCount: min(limit, backlog[user] ?? 0))
        actions.append(.send(request))
    }

    private mutating func resumeDeferred(at moment: Moment, _ actions: inout [Action]) {
        if let due = liveUntil, due <= moment.uptime {
            liveUntil = nil
            wish = wish ?? Wish()
        }
        guard let due = deferredUntil, due <= moment.uptime, wish == nil else { return }
        deferredUntil = nil
        want(.sessionStart, nil, lastSync: nil, at: moment, &actions)
    }

    private func wakeIfBusy(at uptime: TimeInterval, _ actions: inout [Action]) {
        let isDeferred = deferredUntil != nil || liveUntil != nil
        if wish != nil || !backlog.isEmpty || isDeferred { actions.append(.wake(at: uptime)) }
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
