import CardModel
import CardStore

/// The outcomes of the requests that this node sent to the webhook.
struct WebhookCounts: Sendable, Equatable {
    /// The number of events that the receiver took.
    var taken = 0
    /// The number of events that it did not take, or didn't get.
    var failed = 0
}

extension ServerMetrics {
    /// Counts a request of the webhook.
    func countWebhookRequest(isTaken: Bool) {
        webhook.withLock { counts in
            if isTaken { counts.taken += 1 } else { counts.failed += 1 }
        }
    }

    /// Seconds for which what is known of the queue is good enough.
    private static let queueSeconds = 5.0

    /// Notes what waits for the webhook, or that there is none.
    func note(_ queue: WebhookQueue?, at now: UnixTime) {
        webhookQueue.withLock { $0 = (queue ?? WebhookQueue(), now) }
    }

    /// Whether what waits for the webhook has to be looked up again.
    func isWebhookQueueOld(at now: UnixTime) -> Bool {
        webhookQueue.withLock { abs(now - $0.at) >= Self.queueSeconds }
    }

    /// Returns the counts, and the time for which events wait; zeros without a webhook, so that rates and alerts find
    /// their metrics.
    ///
    /// The queue is what the worker has seen: the database isn't asked, so that a database that hangs keeps nobody from
    /// reading metrics. An event that waits gets older all the same.
    func webhookLines(at now: UnixTime) -> [String] {
        let (counts, queue, name) = (webhook.withLock { $0 }, webhookQueue.withLock { $0.queue }, "placard_webhook")
        var lines = describe("\(name)_requests_total", "counter", "Requests to the webhook, by result.")
        lines.append("\(name)_requests_total{result=\"taken\"} \(counts.taken)")
        lines.append("\(name)_requests_total{result=\"failed\"} \(counts.failed)")
        lines += describe("\(name)_consecutive_failures", "gauge", "Requests to the webhook that failed in a row.")
        lines.append("\(name)_consecutive_failures \(queue.failures)")
        lines += describe("\(name)_oldest_event_seconds", "gauge", "How long the oldest event waits for the webhook.")
        lines.append("\(name)_oldest_event_seconds \(queue.oldestAt.map { max(0, now - $0) } ?? 0)")
        return lines
    }
}
