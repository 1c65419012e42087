import Foundation

/// Hands diagnostics to the log and to whoever listens.
final class DiagnosticLog: Sendable {
    private let write: @Sendable (Diagnostic) -> Void
    private let listeners = Locked<[Int: AsyncStream<Diagnostic>.Continuation]>([:])
    private let ids = Locked(0)

    init(write: @escaping @Sendable (Diagnostic) -> Void) {
        self.write = write
    }

    func report(_ diagnostic: Diagnostic) {
        write(diagnostic)
        for listener in listeners.withLock({ Array($0.values) }) { listener.yield(diagnostic) }
    }

    /// Returns a stream of what is reported from now on; of unread diagnostics the newest hundred are kept.
    func stream() -> AsyncStream<Diagnostic> {
        let (stream, continuation) = AsyncStream.makeStream(of: Diagnostic.self, bufferingPolicy: .bufferingNewest(100))
        let id = ids.withLock { id in
            id += 1
            return id
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { $0[id] = nil }
        }
        listeners.withLock { $0[id] = continuation }
        return stream
    }

    func finish() {
        let all = listeners.withLock { listeners in
            defer { listeners = [:] }
            return Array(listeners.values)
        }
        for listener in all { listener.finish() }
    }
}
