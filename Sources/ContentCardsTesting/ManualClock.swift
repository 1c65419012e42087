import ContentCards
import Foundation

/// Tells the time that a test sets, so that nothing ever waits.
///
/// ```swift
/// let clock = ManualClock()
/// configuration.clock = clock
/// await clock.advance(by: 61)      // whoever waits for at most 61 s goes on
/// ```
public final class ManualClock: ContentCardsClock {
    private struct Sleeper {
        var id: Int
        var until: TimeInterval
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Date
        var uptime: TimeInterval = 0
        var sleepers: [Sleeper] = []
        var lastID = 0
        var watchers: [(seconds: TimeInterval, continuation: CheckedContinuation<Void, Never>)] = []
        /// Sleeps that were cancelled before they began.
        var cancelled: Set<Int> = []

        func isSleeping(for seconds: TimeInterval) -> Bool {
            sleepers.contains { abs($0.until - uptime - seconds) < 0.001 }
        }

        mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
            let met = watchers.filter { isSleeping(for: $0.seconds) }
            watchers = watchers.filter { !isSleeping(for: $0.seconds) }
            return met.map(\.continuation)
        }
    }

    private let state: Locked<State>

    /// Creates a clock that shows `now` until it is moved.
    public init(now: Date = Date(timeIntervalSince1970: 1_790_000_000)) {
        state = Locked(State(now: now))
    }

    /// Returns the date that the test has set.
    public var now: Date { state.withLock(\.now) }

    /// Returns the seconds that the test has let pass.
    public var uptime: TimeInterval { state.withLock(\.uptime) }

    /// The number of seconds from now for which each sleeper still waits, shortest first.
    public var sleepers: [TimeInterval] {
        state.withLock { state in state.sleepers.map { $0.until - state.uptime }.sorted() }
    }

    /// Waits until the test has let that many seconds pass.
    public func sleep(for seconds: TimeInterval) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                start(id, seconds, continuation)
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Waits until a task waits for a number of seconds from now, so that `advance(by:)` finds them.
    public func waitForSleeper(of seconds: TimeInterval) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.isSleeping(for: seconds) { return true }
                state.watchers.append((seconds, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Lets time pass on both clocks, and wakes whoever waited for it, in order.
    public func advance(by seconds: TimeInterval) {
        let woken = state.withLock { state in
            state.now += seconds
            state.uptime += seconds
            let due = state.sleepers.filter { $0.until <= state.uptime }.sorted { $0.until < $1.until }
            state.sleepers.removeAll { $0.until <= state.uptime }
            return due
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Sets the wall clock forward, or back with a negative number, as a user does in the settings.
    ///
    /// No time passes.
    public func jump(by seconds: TimeInterval) {
        state.withLock { $0.now += seconds }
    }

    private func start(_ id: Int, _ seconds: TimeInterval, _ continuation: CheckedContinuation<Void, any Error>) {
        let outcome: Result<Void, any Error>? = state.withLock { state in
            if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
            guard seconds > 0 else { return .success(()) }
            state.sleepers.append(Sleeper(id: id, until: state.uptime + seconds, continuation: continuation))
            return nil
        }
        if let outcome { continuation.resume(with: outcome) }
        for watcher in state.withLock({ $0.takeWatchers() }) { watcher.resume() }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
