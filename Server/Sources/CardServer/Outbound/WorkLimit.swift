import Synchronization

/// Counts how much of some work is done at once, up to a bound.
package final class WorkLimit: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    /// Creates a bound.
    package init(_ limit: Int) { self.limit = limit }

    /// Counts one more, or returns `false` where there are as many as there may be.
    package func begin() -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    /// Counts one less.
    package func end() { count.withLock { $0 -= 1 } }
}
