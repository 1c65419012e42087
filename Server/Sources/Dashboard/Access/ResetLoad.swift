import Synchronization

/// How many requests for a link are being worked on.
final class ResetLoad: Sendable {
    private static let limit = 32
    private let count = Mutex(0)

    /// Counts one more, or returns `false` where there are as many as there may be.
    func begin() -> Bool {
        count.withLock { count in
            guard count < Self.limit else { return false }
            count += 1
            return true
        }
    }

    /// Counts one less.
    func end() { count.withLock { $0 -= 1 } }
}
