import Synchronization

/// Counts the requests that are in flight, up to a bound.
final class OutboundLoad: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    /// Creates a bound.
    init(limit: Int) { self.limit = limit }

    /// Counts one more, or returns `false` where there are as many as there may be.
    func begin() -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    /// Counts one less.
    func end() { count.withLock { $0 -= 1 } }
}
