import Dispatch
import Foundation

/// Holds the thread on which the system lets an app work in the background, until the work is done, the time is over,
/// or the system wants the work to end.
final class Farewell: Sendable {
    private struct State {
        var work: Task<Void, Never>?
        var isExpired = false
    }

    private let state = Locked(State())
    private let end = DispatchSemaphore(value: 0)

    /// Does the work, and returns when it has ended, has expired or has taken so many seconds.
    ///
    /// After ``expire()`` it does nothing.
    func run(for seconds: TimeInterval, _ work: @escaping @Sendable () async -> Void) {
        let isBegun = state.withLock { state in
            guard !state.isExpired else { return false }
            state.work = Task { [end] in
                await work()
                end.signal()
            }
            return true
        }
        if isBegun { _ = end.wait(timeout: .now() + seconds) }
    }

    /// Cancels the work, and lets go of the thread at once.
    func expire() {
        let work = state.withLock { state in
            state.isExpired = true
            return state.work
        }
        work?.cancel()
        end.signal()
    }
}
