import Foundation

// An event on which the server fails must not hold back all others, nor be sent for ever. Batches are halved until it
// stands alone; then each failure counts, unless the server fails without it, too.
extension SyncState {
    /// Returns how many events a request of a user may carry now.
    func eventLimit(of user: BytewiseText, at moment: Moment) -> Int {
        guard backlog[user] ?? 0 > 0, suspicions[user] == nil, !isResting(user, at: moment) else { return 0 }
        return limits[user] ?? settings.batchCount
    }

    /// Whether the events of a user wait after a failure; not where a caller waits for them.
    func isResting(_ user: BytewiseText, at moment: Moment) -> Bool {
        flushWaiters.isEmpty && restingUntil[user] ?? -.infinity > moment.uptime
    }

    /// Tries with half of the events, or suspects the one that was alone.
    mutating func suspect(_ inFlightRequest: InFlightRequest, _ suspicion: Suspicion, _ actions: inout [Action]) {
        let user = inFlightRequest.request.user
        let half = max(1, min(inFlightRequest.eventCount, inFlightRequest.request.eventLimit) / 2)
        if limits[user] != half {
            limits[user] = half
            actions.append(.saveLimit(user: user, half))
        }
        guard inFlightRequest.eventCount == 1 else { return }
        suspicions[user] = suspicion
        if suspicion == .failure { actions.append(.noteSuspicion(user: user)) }
    }

    /// Counts what the server failed on, now that it has taken a request without it.
    mutating func believeSuspicions(at moment: Moment, _ random: Double, _ actions: inout [Action]) {
        for (user, suspicion) in suspicions.sorted(by: { $0.key < $1.key }) {
            switch suspicion {
            case .failure:
                restingUntil[user] = moment.uptime + settings.trialDelay * (0.5 + 0.5 * random)
                actions.append(.countFailure(user: user))
            case .refusal(let code): actions.append(.giveUpEvent(user: user, code: code))
            }
        }
        suspicions = [:]
    }

    /// Allows twice as many events, up to the usual number.
    mutating func grow(_ user: BytewiseText, _ actions: inout [Action]) {
        guard let limit = limits[user] else { return }
        // safe: no more than the usual number
        let next = min(limit, settings.batchCount / 2) * 2
        limits[user] = next < settings.batchCount - 1 ? next : nil
        restingUntil[user] = nil
        actions.append(.saveLimit(user: user, limits[user]))
    }

    /// Forgets users who have no events any more.
    mutating func forgetSettledUsers() {
        limits = limits.filter { backlog[$0.key] != nil }
        suspicions = suspicions.filter { backlog[$0.key] != nil }
        restingUntil = restingUntil.filter { backlog[$0.key] != nil }
    }
}
