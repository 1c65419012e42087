/// The outcomes of the requests that this node sent to the webhook.
struct WebhookCounts: Sendable, Equatable {
    /// How many the receiver took.
    var taken = 0
    /// How many it did not take, or didn't get.
    var failed = 0
}

extension ServerMetrics {
    /// Counts a request of the webhook.
    func countWebhookRequest(isTaken: Bool) {
        webhook.withLock { counts in
            if isTaken { counts.taken += 1 } else { counts.failed += 1 }
        }
    }

    /// What was counted; zeros without a webhook, so that rates and alerts find their metric.
    var webhookLines: [String] {
        let (counts, name) = (webhook.withLock { $0 }, "placard_webhook_requests_total")
        return describe(name, "counter", "Requests to the webhook, by result.") + [
            "\(name){result=\"taken\"} \(counts.taken)", "\(name){result=\"failed\"} \(counts.failed)",
        ]
    }
}
