import Foundation
import NIOCore

/// Begins and ends the spans of one server.
///
/// Whether a request is traced is decided before anything is allocated for it. Where it isn't, nothing that it causes
/// is.
final class Tracer: Sendable {
    /// A clock that tells when spans begin and how long they take.
    struct Clock: Sendable {
        /// The time in nanoseconds since 1970.
        var now: @Sendable () -> UInt64 = {
            // safe: a clock that is set to this century or not at all
            UInt64(max(0, Date().timeIntervalSince1970) * 1e9)
        }
        /// Nanoseconds of a clock that never goes back.
        var uptime: @Sendable () -> UInt64 = { NIODeadline.now().uptimeNanoseconds }
    }

    /// The origin of the span that a request names.
    enum Origin: Sendable, Equatable {
        /// Nothing, or nothing that can be read.
        case none
        /// A span of a program whose word counts.
        case trusted(TraceParent, TraceState?)
        /// A span of a program that anybody could be; it is linked to, and no more.
        case foreign(TraceParent)
    }

    let queue: SpanQueue
    /// Whether hosts that the server asks are told of the span, in `traceparent`.
    let propagates: Bool
    /// Whether `traceparent` counts on every request that comes from a trusted proxy.
    let trustsProxies: Bool
    private let sampler: TraceSampler
    private let clock: Clock
    private let ids = TraceIDSource()

    /// Creates a tracer.
    init(
        sampler: TraceSampler,
        queue: SpanQueue,
        propagates: Bool = false,
        trustsProxies: Bool = false,
        clock: Clock = Clock()
    ) {
        (self.sampler, self.queue, self.clock) = (sampler, queue, clock)
        (self.propagates, self.trustsProxies) = (propagates, trustsProxies)
    }

    /// Begins a span that belongs to no other one of this server, unless it isn't to be traced.
    ///
    /// - Parameters:
    ///   - kind: What it is to others.
    ///   - name: Its name, which can be set later.
    ///   - mayFollow: Whether a span of another program may decide; otherwise its headers aren't read before that.
    ///   - origin: Returns where it comes from.
    /// - Returns: The span, or `nil` where it isn't traced.
    func begin(
        _ kind: TraceSpan.SpanKind,
        name: StaticString = "",
        mayFollow: Bool = false,
        from origin: () -> Origin = { .none }
    ) -> ActiveSpan? {
        guard var span = root(kind, mayFollow, origin) else { return nil }
        span.name = "\(name)"
        return ActiveSpan(span, begin: clock.uptime())
    }

    /// Adds a span that belongs to no other one of this server and is over, unless it isn't to be traced.
    ///
    /// - Parameters:
    ///   - kind: What it is to others.
    ///   - duration: How long it took, until now.
    ///   - mayFollow: Whether a span of another program may decide.
    ///   - origin: Returns where it comes from.
    ///   - complete: Sets its name and attributes, where it is traced.
    func note(
        _ kind: TraceSpan.SpanKind,
        took duration: Duration,
        mayFollow: Bool = false,
        from origin: () -> Origin = { .none },
        complete: (inout TraceSpan) -> Void
    ) {
        guard var span = root(kind, mayFollow, origin, took: duration) else { return }
        complete(&span)
        queue.add(span)
    }

    /// Begins a part of a span.
    func begin(_ kind: TraceSpan.SpanKind, name: String, partOf parent: ActiveSpan) -> ActiveSpan {
        let now = clock.now()
        var span = TraceSpan(trace: parent.trace, id: ids.spanID(), name: name, kind: kind, start: now, end: now)
        span.parent = TraceSpan.Parent(id: parent.id, isRemote: false)
        span.traceState = parent.traceState
        return ActiveSpan(span, begin: clock.uptime())
    }

    /// Ends a span.
    func end(_ span: ActiveSpan) {
        let now = clock.uptime()
        queue.add(span.ended(after: now > span.begin ? now &- span.begin : 0))
    }

    /// Decides whether to trace, and makes the span where it is to be.
    private func root(
        _ kind: TraceSpan.SpanKind,
        _ mayFollow: Bool,
        _ origin: () -> Origin,
        took duration: Duration = .zero
    ) -> TraceSpan? {
        let known = mayFollow ? origin() : nil
        let trace: TraceID
        if case .trusted(let parent, _)? = known {
            guard sampler.followsParent ? parent.isSampled : sampler.samples(parent.trace) else { return nil }
            trace = parent.trace
        } else {
            trace = ids.trace()
            guard sampler.samples(trace) else { return nil }
        }
        let end = clock.now()
        let start = Self.moment(end, minus: duration)
        var span = TraceSpan(trace: trace, id: ids.spanID(), name: "", kind: kind, start: start, end: end)
        switch known ?? origin() {
        case .none: break
        case .trusted(let parent, let traceState):
            span.parent = TraceSpan.Parent(id: parent.span, isRemote: true)
            span.traceState = traceState
        case .foreign(let parent): span.link = parent
        }
        return span
    }

    private static func moment(_ end: UInt64, minus duration: Duration) -> UInt64 {
        let (seconds, attoseconds) = duration.components
        guard let whole = UInt64(exactly: seconds), let part = UInt64(exactly: attoseconds / 1_000_000_000) else {
            return end
        }
        let (nanoseconds, overflows) = whole.multipliedReportingOverflow(by: 1_000_000_000)
        let (all, isTooLong) = nanoseconds.addingReportingOverflow(part)
        return overflows || isTooLong || all > end ? end : end &- all
    }
}

extension Tracer? {
    /// Does work that belongs to no request as a span of its own.
    func job<Value: Sendable>(
        _ name: StaticString,
        isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws -> Value
    ) async rethrows -> Value {
        guard let self, let span = self.begin(.internal, name: name) else { return try await work() }
        return try await self.run(span, isolation: isolation, work)
    }

    /// Does a part of the current span's work as a span, or just does it where that isn't traced.
    func part<Value: Sendable>(
        _ name: StaticString,
        isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws -> Value
    ) async rethrows -> Value {
        guard let self, let parent = ActiveSpan.current else { return try await work() }
        let span = self.begin(.internal, name: "\(name)", partOf: parent)
        return try await self.run(span, isolation: isolation, work)
    }
}

extension Tracer {
    /// Does work for a span, and ends it.
    func run<Value: Sendable>(
        _ span: ActiveSpan,
        isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws -> Value
    ) async rethrows -> Value {
        defer { end(span) }
        do {
            return try await ActiveSpan.$current.withValue(span, operation: work, isolation: isolation)
        } catch {
            span.fail("\(type(of: error))")
            throw error
        }
    }
}
