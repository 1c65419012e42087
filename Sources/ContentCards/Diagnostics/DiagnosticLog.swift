import Foundation

/// Hands diagnostics to the log and to whoever listens.
final class DiagnosticLog: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Diagnostic>.Continuation] = [:]
        var lastListener = 0
        var isFinished = false
    }

    private let write: @Sendable (Diagnostic) -> Void
    private let state = Locked(State())

    init(write: @escaping @Sendable (Diagnostic) -> Void) {
        self.write = write
    }

    func report(_ diagnostic: Diagnostic) {
        write(diagnostic)
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(diagnostic) }
    }

    /// Returns a stream of what is reported from now on; of unread diagnostics the newest hundred are kept.
    ///
    /// It ends at once where the log is finished.
    func stream() -> AsyncStream<Diagnostic> {
        let (stream, continuation) = AsyncStream.makeStream(of: Diagnostic.self, bufferingPolicy: .bufferingNewest(100))
        let id = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.lastListener += 1
            state.listeners[state.lastListener] = continuation
            return state.lastListener
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[id] = nil }
        }
        return stream
    }

    func finish() {
        let all = state.withLock { state in
            defer { (state.listeners, state.isFinished) = ([:], true) }
            return Array(state.listeners.values)
        }
        for listener in all { listener.finish() }
    }
}
