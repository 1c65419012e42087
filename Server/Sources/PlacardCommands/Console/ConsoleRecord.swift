import Synchronization

/// The texts that a command has written to its two streams, in memory.
final class ConsoleRecord: Sendable {
    private let results = Mutex("")
    private let others = Mutex("")

    /// The result: what goes to standard output.
    var result: String { results.withLock { $0 } }
    /// Everything else: what goes to standard error.
    var notes: String { others.withLock { $0 } }

    /// Adds to the result.
    func write(_ text: String) { results.withLock { $0 += text } }

    /// Adds to everything else.
    func note(_ text: String) { others.withLock { $0 += text } }
}
