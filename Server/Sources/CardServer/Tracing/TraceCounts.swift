import Synchronization

/// The result of a span.
enum SpanResult: String, CaseIterable, Sendable {
    /// The collector has taken it.
    case exported
    /// The collector didn't take it, or could not be reached for long.
    case failed
    /// Too many waited.
    case dropped
}

/// Counts spans, and what goes wrong with them.
final class TraceCounts: Sendable {
    private struct State {
        var spans: [SpanResult: Int] = [:]
        var failures = 0
        var waiting = 0
    }

    private let state = Mutex(State())

    /// Counts spans.
    func tally(_ result: SpanResult, _ count: Int = 1) {
        // safe: counted one by one
        state.withLock { $0.spans[result, default: 0] += count }
    }

    /// Counts a request to the collector that failed.
    func countFailure() {
        state.withLock { $0.failures += 1 }
    }

    /// Notes how many spans wait.
    func note(waiting: Int) { state.withLock { $0.waiting = waiting } }

    /// Returns the number of spans with a result.
    func spans(_ result: SpanResult) -> Int { state.withLock { $0.spans[result, default: 0] } }

    /// The number of requests to the collector that failed.
    var failures: Int { state.withLock { $0.failures } }

    /// The number of spans that wait.
    var waiting: Int { state.withLock { $0.waiting } }
}
