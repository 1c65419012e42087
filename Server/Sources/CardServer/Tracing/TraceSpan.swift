import Synchronization

/// One piece of work that is over, as it is exported.
struct TraceSpan: Sendable {
    /// The role of the work for others; the raw values are those of OTLP.
    enum SpanKind: Int, Sendable {
        /// Nothing: it is a part of this program's work.
        case `internal` = 1
        /// The answer to a request.
        case server = 2
        /// A request to another program.
        case client = 3
    }

    /// The value of an attribute.
    enum SpanValue: Sendable, Equatable {
        case text(String)
        case number(Int)
    }

    /// The span that it belongs to.
    struct Parent: Sendable, Equatable {
        let id: SpanID
        /// Whether it is one of another program.
        let isRemote: Bool
    }

    let trace: TraceID
    let id: SpanID
    var parent: Parent?
    var traceState: TraceState?
    /// The span that it was caused by without belonging to it.
    var link: TraceParent?
    var name: String
    let kind: SpanKind
    /// The time at which it began, in nanoseconds since 1970.
    let start: UInt64
    /// The time at which it ended.
    var end: UInt64
    var attributes: [(name: String, value: SpanValue)] = []
    /// Whether it failed.
    var isFailure = false
}

/// A span that isn't over.
final class ActiveSpan: Sendable {
    /// The span that the task works for, where that is traced.
    @TaskLocal static var current: ActiveSpan?

    let trace: TraceID
    let id: SpanID
    let traceState: TraceState?
    /// The time at which it began, in nanoseconds of a clock that never goes back.
    let begin: UInt64
    private let span: Mutex<TraceSpan>

    init(_ span: TraceSpan, begin: UInt64) {
        (trace, id, traceState) = (span.trace, span.id, span.traceState)
        self.begin = begin
        self.span = Mutex(span)
    }

    /// The header that tells other programs of it.
    var header: TraceParent { TraceParent(trace: trace, span: id, isSampled: true) }

    /// Changes what is known of it.
    func change(_ body: (inout TraceSpan) -> Void) { span.withLock { body(&$0) } }

    /// Adds an attribute.
    func add(_ name: String, _ value: TraceSpan.SpanValue) { change { $0.attributes.append((name, value)) } }

    /// Notes that the work failed, and by what kind of failure, never with a text of others.
    func fail(_ type: String) {
        change { span in
            span.isFailure = true
            span.attributes.append(("error.type", .text(type)))
        }
    }

    /// The span as it is once it has taken that many nanoseconds.
    func ended(after duration: UInt64) -> TraceSpan {
        span.withLock { span in
            span.end = span.start &+ duration
            return span
        }
    }
}
