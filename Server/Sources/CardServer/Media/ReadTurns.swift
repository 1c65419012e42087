import NIOCore
import Synchronization

/// Lets few read at the same time, in the order in which they came.
final class ReadTurns: Sendable {
    private struct State {
        var readers = 0
        var queue = CircularBuffer<CheckedContinuation<Bool, Never>>()
    }

    private let limit: Int
    private let queueLimit: Int
    private let state = Mutex(State())

    /// Creates turns.
    ///
    /// - Parameters:
    ///   - limit: How many read at the same time.
    ///   - queueLimit: How many may wait; any number by default.
    init(limit: Int, queueLimit: Int = .max) { (self.limit, self.queueLimit) = (limit, queueLimit) }

    /// Returns when it is the caller's turn, who calls ``end()`` then.
    ///
    /// - Throws: `RequestError.unavailable` where as many wait as may.
    func wait() async throws {
        let hasRoom = await withCheckedContinuation { continuation in
            queue(continuation)
        }
        guard hasRoom else { throw RequestError.unavailable }
    }

    /// Ends a turn, and begins the next.
    func end() {
        let next = state.withLock { state in
            let next = state.queue.popFirst()
            if next == nil { state.readers -= 1 }
            return next
        }
        next?.resume(returning: true)
    }

    private func queue(_ continuation: CheckedContinuation<Bool, Never>) {
        let begins = state.withLock { state -> Bool? in
            guard state.readers == limit else {
                state.readers += 1
                return true
            }
            guard state.queue.count < queueLimit else { return false }
            state.queue.append(continuation)
            return nil
        }
        if let begins { continuation.resume(returning: begins) }
    }
}
