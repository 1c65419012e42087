import Synchronization

/// Bounds how much of some work is done at once.
final class WorkLimit: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    /// Creates a bound.
    init(_ limit: Int) { self.limit = limit }

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

    /// Does some work, where there is room for it.
    ///
    /// - Throws: ``TryLater/busy``, or what the work throws.
    func run<Value>(_ work: () async throws -> Value) async throws -> Value {
        guard begin() else { throw TryLater.busy }
        defer { end() }
        return try await work()
    }
}
