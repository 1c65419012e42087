import Logging
import ServiceLifecycle
import Synchronization

/// Sends spans to a collector, many in a request.
///
/// It ends after the server has answered its last request, and sends what is left then, for a few seconds at the most.
struct TraceExporter: Service {
    /// The time that it waits between two looks at the queue, in seconds.
    static let pause = 0.25

    /// The time for sending what is left, in seconds.
    var flushSeconds = 3.0
    let queue: SpanQueue
    let document: TraceDocument
    let sender: any SpanSending
    /// The time for a request, in seconds.
    let timeout: Double
    /// Seconds of a clock that never goes back.
    let uptime: @Sendable () -> Double
    /// Gives a number from 0 to 1.
    let chance: @Sendable () -> Double
    let logger: Logger
    private let attempts = Mutex<ExportAttempts>.Box(ExportAttempts())

    init(
        queue: SpanQueue,
        document: TraceDocument,
        sender: any SpanSending,
        timeout: Double,
        uptime: @escaping @Sendable () -> Double,
        chance: @escaping @Sendable () -> Double,
        logger: Logger
    ) {
        (self.queue, self.document, self.sender, self.timeout) = (queue, document, sender, timeout)
        (self.uptime, self.chance, self.logger) = (uptime, chance, logger)
    }

    func run() async throws {
        // A step ends with the server, unlike those of other workers: what it was sending is sent once more by `flush`.
        await WorkLoop().run { await cancelWhenGracefulShutdown { await step() } }
        await flush()
    }

    /// Sends spans, if enough wait or long enough, and returns how many seconds to wait before the next step.
    func step() async -> Double {
        guard attempts.value.withLock({ $0.isDue(waiting: queue.count, at: uptime()) }) else { return Self.pause }
        await send(timeout: timeout)
        return queue.count >= ExportAttempts.batch && attempts.value.withLock({ $0.failures == 0 }) ? 0 : Self.pause
    }

    /// Sends all that waits, for as long as that works.
    func flush() async {
        // safe: seconds
        let end = uptime() + flushSeconds
        while attempts.value.withLock({ !$0.pending.isEmpty }) || queue.count > 0 {
            let left = end - uptime()
            guard left > 0, await send(timeout: min(left, timeout)) else { break }
        }
        // safe: as many as there is memory for
        let lost = queue.take(.max).count + attempts.value.withLock { $0.pending.count }
        guard lost > 0 else { return }
        queue.counts.tally(.failed, lost)
        logger.warning("Traces were lost: the collector didn't take them in time", metadata: ["spans": "\(lost)"])
    }

    /// Sends the spans that were not taken, or the next ones; returns whether it makes sense to go on.
    @discardableResult
    private func send(timeout: Double) async -> Bool {
        let spans = attempts.value.withLock { attempts in
            let spans = attempts.pending.isEmpty ? queue.take(ExportAttempts.batch) : attempts.pending
            attempts.begin(spans, at: uptime())
            return spans
        }
        switch await sender.send(document.body(of: spans), timeout: timeout) {
        case .taken(let rejected):
            noteTaken(spans.count, rejected: min(rejected, spans.count))
            return true
        case .refused(let reason):
            note(reason)
            queue.counts.tally(.failed, spans.count)
            attempts.value.withLock { attempts in
                _ = attempts.fail(retryAfter: nil, chance: chance(), at: uptime())
                attempts.end(isReached: false)
            }
            return false
        case .unavailable(let reason, let retryAfter):
            // What was cancelled because the server stops is sent once more, and is no failure.
            guard !Task.isCancelled else { return false }
            note(reason)
            let lost = attempts.value.withLock { attempts in
                attempts.fail(retryAfter: retryAfter, chance: chance(), at: uptime())
            }
            queue.counts.tally(.failed, lost)
            return false
        }
    }

    private func noteTaken(_ count: Int, rejected: Int) {
        // safe: at most as many
        queue.counts.tally(.exported, count - rejected)
        queue.counts.tally(.failed, rejected)
        if rejected > 0 {
            logger.warning("The collector has not taken some spans", metadata: ["spans": "\(rejected)"])
        }
        let failures = attempts.value.withLock { attempts in
            defer { attempts.end(isReached: true) }
            return attempts.failures
        }
        if failures > 0 { logger.notice("Traces are exported again") }
    }

    /// Counts a failure, and logs the first one of a row.
    private func note(_ reason: String) {
        queue.counts.countFailure()
        guard attempts.value.withLock({ $0.failures == 0 }) else { return }
        logger.warning("Traces can't be exported; requests go on", metadata: ["reason": "\(reason)"])
    }
}
