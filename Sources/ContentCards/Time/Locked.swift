import Foundation

/// A value that only one thread at a time can touch.
///
/// `Synchronization.Mutex` needs newer systems than the SDK supports, so this is the one place where a lock is held.
package final class Locked<Value>: @unchecked Sendable {
    // `lock` guards `value`: nothing reads or writes `value` without holding it.
    private let lock = NSLock()
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
    }

    /// Runs `body` alone with the value.
    ///
    /// `body` must not lock the same value again.
    package func withLock<Output, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
