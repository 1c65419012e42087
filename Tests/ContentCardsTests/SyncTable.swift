import Foundation

@testable import ContentCards

/// A sync machine with a clock to play with.
struct SyncTable {
    var machine: SyncMachine
    var current: CurrentUser
    var now = Date(timeIntervalSince1970: 1_790_000_000)
    var uptime: TimeInterval = 0

    init(hasTokenProvider: Bool = false, user: BytewiseText? = "a", isEndpointValid: Bool = true) {
        machine = SyncMachine(
            settings: .init(hasTokenProvider: hasTokenProvider, isEndpointValid: isEndpointValid),
            budget: RefreshBudget(at: Date(timeIntervalSince1970: 1_790_000_000))
        )
        current = CurrentUser(id: user)
        _ = take(.sessionStarted)
    }

    mutating func take(_ input: SyncMachine.Input) -> [SyncMachine.Action] {
        machine.handle(input, for: current, at: Moment(now: now, uptime: uptime), random: 1)
    }

    mutating func switchUser(to id: BytewiseText?) -> [SyncMachine.Action] {
        current = CurrentUser(id: id, isEnabled: current.isEnabled, generation: current.generation + 1)
        return take(.wake)
    }

    mutating func setEnabled(_ isEnabled: Bool) -> [SyncMachine.Action] {
        current = CurrentUser(id: current.id, isEnabled: isEnabled, generation: current.generation + 1)
        return take(.wake)
    }

    mutating func want(_ reason: SyncReason = .manual, _ waiter: Int? = nil) -> [SyncMachine.Action] {
        take(.want(reason, waiter: waiter, lastSync: nil))
    }

    mutating func answer(
        _ answer: SyncMachine.SyncAnswer,
        backlog: [BytewiseText: Int]? = nil
    ) -> [SyncMachine.Action] {
        take(.answered(request: machine.inFlightRequest?.request.id ?? -1, answer, backlog: backlog ?? machine.backlog))
    }

    mutating func pass(_ seconds: TimeInterval) {
        now += seconds
        uptime += seconds
    }
}

extension [SyncMachine.Action] {
    var sent: [SyncMachine.Request] {
        compactMap { if case .send(let request) = $0 { request } else { nil } }
    }

    func ending(of waiter: Int) -> [ContentCardsError?] {
        compactMap { action -> ContentCardsError?? in
            if case .finish(let waiters, let error) = action, waiters.contains(waiter) { error } else { nil }
        }
    }
}
