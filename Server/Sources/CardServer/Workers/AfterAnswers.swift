import ServiceLifecycle
import Synchronization

/// Work that goes on after its request was answered: no more than some at a time, and none that is lost with a server
/// that stops.
package final class AfterAnswers: Service {
    private struct State {
        var tasks: [UInt64: Task<Void, Never>] = [:]
        var nextID: UInt64 = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Creates what holds as much work as a limit says.
    package init(limit: Int) { self.limit = limit }

    /// Begins work, which says itself in the log what goes wrong.
    ///
    /// - Parameter work: The work.
    /// - Returns: Whether it was begun: it isn't where as much goes on as may.
    package func begin(_ work: @escaping @Sendable () async -> Void) -> Bool {
        state.withLock { state in
            guard state.tasks.count < limit else { return false }
            let id = state.nextID
            state.nextID &+= 1
            state.tasks[id] = Task {
                await work()
                self.end(id)
            }
            return true
        }
    }

    private func end(_ id: UInt64) { state.withLock { $0.tasks[id] = nil } }

    /// Waits until the server stops, and then for the work that has begun: the store is closed only after it.
    package func run() async throws {
        // Where it is canceled, nobody waits any longer, and the work is finished all the same.
        try? await gracefulShutdown()
        await finish()
    }

    /// Returns once nothing goes on.
    func finish() async {
        while let task = state.withLock({ $0.tasks.values.first }) { await task.value }
    }
}
