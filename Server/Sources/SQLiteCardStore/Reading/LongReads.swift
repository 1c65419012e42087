import CardStore
import Synchronization

/// Lets few reads that take long run at once, so that the others find a connection.
///
/// What a store on SQLite doesn't read for devices has four connections in all.
final class LongReads: Sendable {
    /// The number that run at once.
    static let concurrency = 2
    /// Reads that wait beyond that number would be answered after whoever asked has gone.
    static let waitingLimit = 16

    private struct State {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// The number of reads that wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Reads as soon as few enough others do.
    ///
    /// - Throws: `StoreError.unavailable` where too many wait already.
    func run<Value: Sendable>(
        _ body: @Sendable () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        guard await begin() else { throw StoreError.busy }
        defer { end() }
        return try await body()
    }

    private func begin() async -> Bool {
        enum Next { case start, wait, refuse }
        let next: Next = state.withLock { state in
            guard state.running >= Self.concurrency else {
                state.running += 1
                return .start
            }
            return state.waiting.count < Self.waitingLimit ? .wait : .refuse
        }
        guard next == .wait else { return next == .start }
        await withCheckedContinuation { continuation in
            let starts = state.withLock { state in
                // One may have ended since.
                guard state.running >= Self.concurrency else {
                    state.running += 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if starts { continuation.resume() }
        }
        return true
    }

    private func end() {
        let next = state.withLock { state in
            let next = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            if next == nil { state.running -= 1 }
            return next
        }
        next?.resume()
    }
}
