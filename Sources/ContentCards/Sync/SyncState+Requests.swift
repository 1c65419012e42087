import Foundation

extension SyncState {
    /// The reason why no request can be made at all.
    var obstacle: ContentCardsError? { obstacle(for: current) }

    func obstacle(for current: CurrentUser) -> ContentCardsError? {
        if isClosed { return .closed }
        if !settings.isEndpointValid { return .invalidEndpoint }
        if !current.isEnabled { return .disabled }
        return nil
    }

    mutating func want(
        _ reason: SyncReason,
        _ waiter: Waiter?,
        lastSync: Date?,
        at moment: Moment,
        _ actions: inout [Action]
    ) {
        if let error = obstacle ?? (user == nil ? .noUser : nil) { return finish(waiter, error, &actions) }
        if reason == .feedOpened, isFresh(lastSync, at: moment.now) { return finish(waiter, nil, &actions) }
        if reason == .live { endWaitForNetwork() }
        if joinInFlightRequest(reason, waiter) { return }
        if moment.uptime < blockedUntil, let waiter {
            return finish(waiter, .rateLimited(blockedUntil - moment.uptime), &actions)
        }
        if joinPendingRequest(reason, waiter) { return }
        if reason == .live { return follow(waiter, at: moment, &actions) }
        if reason.isBudgeted {
            if let seconds = budget.take(at: moment.now) {
                if waiter == nil { deferredUntil = moment.uptime + seconds }
                return finish(waiter, .rateLimited(seconds), &actions)
            }
            actions.append(.saveBudget)
        }
        deferredUntil = nil
        pendingRequest = PendingRequest(waiters: waiter.map { [$0] } ?? [], isUrgent: reason.isUrgent)
    }

    /// Shortens the wait after a server that could not be reached: a live signal comes from it.
    private mutating func endWaitForNetwork() {
        if let unreachedAt { retryAt = min(retryAt, unreachedAt + LivePace.interval) }
    }

    /// Follows a live signal: now, or a little later where there were many.
    private mutating func follow(_ waiter: Waiter?, at moment: Moment, _ actions: inout [Action]) {
        followLiveSignal(at: moment)
        if let waiter, pendingRequest == nil { return finish(waiter, nil, &actions) }
        if let waiter { pendingRequest?.waiters.append(waiter) }
    }

    /// Wants a sync that a live signal asked for.
    mutating func followLiveSignal(at moment: Moment) {
        // One that is due later answers this signal too.
        guard pendingRequest == nil, liveUntil == nil else { return }
        let seconds = livePace.take(at: moment.uptime)
        guard seconds == 0 else {
            liveUntil = moment.uptime + seconds
            return
        }
        deferredUntil = nil
        pendingRequest = PendingRequest()
    }

    /// Waits for the sync under way.
    ///
    /// A live signal is not answered by a request that left before it.
    private mutating func joinInFlightRequest(_ reason: SyncReason, _ waiter: Waiter?) -> Bool {
        guard inFlightRequest?.request.kind == .sync else { return false }
        if reason == .live { inFlightRequest?.isOutdated = true }
        if let waiter { inFlightRequest?.waiters.append(waiter) }
        return true
    }

    private mutating func joinPendingRequest(_ reason: SyncReason, _ waiter: Waiter?) -> Bool {
        guard pendingRequest != nil else { return false }
        if let waiter { pendingRequest?.waiters.append(waiter) }
        if reason.isUrgent { pendingRequest?.isUrgent = true }
        return true
    }

    /// A date in the future is as useless as an old one: the clock was set back.
    private func isFresh(_ lastSync: Date?, at now: Date) -> Bool {
        guard let lastSync else { return false }
        return abs(now.timeIntervalSince(lastSync)) <= settings.cacheTimeout
    }

    mutating func flush(_ waiter: Waiter, at moment: Moment, _ actions: inout [Action]) {
        if let obstacle { return finish(waiter, obstacle, &actions) }
        if backlog.isEmpty, inFlightRequest?.request.eventLimit ?? 0 == 0 { return finish(waiter, nil, &actions) }
        if moment.uptime < blockedUntil {
            return finish(waiter, .rateLimited(blockedUntil - moment.uptime), &actions)
        }
        flushWaiters.append(waiter)
    }

    mutating func forget(_ waiter: Waiter) {
        pendingRequest?.waiters.removeAll { $0 == waiter }
        inFlightRequest?.waiters.removeAll { $0 == waiter }
        flushWaiters.removeAll { $0 == waiter }
    }

    mutating func take(backlog counts: [BytewiseText: Int], at moment: Moment) {
        backlog = counts
        forgetSettledUsers()
        let pending = user.flatMap { counts[$0] } ?? 0
        if pending == 0 {
            flushAt = nil
        } else if flushAt == nil {
            flushAt = moment.uptime + (inSession ? settings.flushDelay : 0)
        }
    }

    /// Notes how many events the request under way carries.
    mutating func noteSent(_ id: Int, events count: Int) {
        if inFlightRequest?.request.id == id { inFlightRequest?.eventCount = count }
    }

    mutating func changeFlushDelay(to seconds: TimeInterval, at moment: Moment) {
        guard seconds >= 0 else { return }
        settings.flushDelay = seconds
        flushAt = nil
        take(backlog: backlog, at: moment)
    }

    func finish(_ waiter: Waiter?, _ error: ContentCardsError?, _ actions: inout [Action]) {
        if let waiter { actions.append(.finish([waiter], error)) }
    }

    func finish(_ waiters: [Waiter], _ error: ContentCardsError?, _ actions: inout [Action]) {
        if !waiters.isEmpty { actions.append(.finish(waiters, error)) }
    }
}
