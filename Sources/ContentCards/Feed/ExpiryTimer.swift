import Foundation

/// Calls back when a date has come, also when the clock is set forward before.
final class ExpiryTimer: Sendable {
    private struct State {
        var date: Date?
        var task: Task<Void, Never>?
    }

    /// A wait is never longer, because a sleep does not see the wall clock being set.
    private static let longestNap: TimeInterval = 60

    private let clock: any ContentCardsClock
    private let state = Locked(State())

    init(clock: any ContentCardsClock) {
        self.clock = clock
    }

    deinit { stop() }

    /// The date that is waited for.
    var date: Date? { state.withLock(\.date) }

    func watch(_ date: Date?, _ expired: @escaping @Sendable () -> Void) {
        state.withLock { state in
            guard state.date != date else { return }
            state.date = date
            state.task?.cancel()
            state.task = date.map { date in task(until: date, expired) }
        }
    }

    func stop() {
        state.withLock { state in
            state.task?.cancel()
            state = State()
        }
    }

    private func task(until date: Date, _ expired: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        Task { [clock] in
            while !Task.isCancelled {
                let rest = date.timeIntervalSince(clock.now)
                guard rest > 0 else { return expired() }
                guard (try? await clock.sleep(for: min(rest, Self.longestNap))) != nil else { return }
            }
        }
    }
}
