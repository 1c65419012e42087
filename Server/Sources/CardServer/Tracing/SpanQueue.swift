import Synchronization

/// The spans that wait to be exported.
///
/// There is a bound: where more come than are exported, the new ones are dropped and counted, and nothing waits for
/// them.
final class SpanQueue: Sendable {
    /// The maximum number of spans that wait.
    static let standardLimit = 8_192

    /// Counts what is dropped and what waits.
    let counts: TraceCounts
    private let limit: Int
    private let spans = Mutex<[TraceSpan]>([])

    /// Creates an empty queue.
    init(limit: Int = standardLimit, counts: TraceCounts) {
        (self.limit, self.counts) = (limit, counts)
    }

    /// The number of spans that wait.
    var count: Int { spans.withLock { $0.count } }

    /// Adds a span, or drops it where there is no room.
    func add(_ span: TraceSpan) {
        let isTaken = spans.withLock { spans in
            guard spans.count < limit else { return false }
            spans.append(span)
            counts.note(waiting: spans.count)
            return true
        }
        if !isTaken { counts.tally(.dropped) }
    }

    /// Removes and returns the first spans, as many as that at the most.
    func take(_ count: Int) -> [TraceSpan] {
        spans.withLock { spans in
            // safe: a number of ours
            let first = Array(spans.prefix(count))
            spans.removeFirst(first.count)
            counts.note(waiting: spans.count)
            return first
        }
    }
}
