public import CardModel
public import CardStore
import WireJSON

extension ReferenceCardStore {
    /// Reads the webhook and how far it is, or returns `nil` where there is none.
    public func webhookState() async throws -> WebhookState? { try read(\.webhookState) }

    /// Sets the webhook up, or removes it where it is `nil`.
    public func saveWebhook(
        _ webhook: Webhook?,
        inPlaceOf expected: ExpectedWebhook,
        after position: Int64?,
        at now: UnixTime,
        by actor: Actor
    ) async throws {
        try write { state in
            let known = state.webhook
            try expected.check(known?.webhook)
            state.notices.removeAll { notice in
                webhook.map { !Webhook.sends(notice.kind, amongTypes: $0.types) } ?? true
            }
            guard let webhook else {
                guard known != nil else { return }
                state.webhook = nil
                return state.appendAudit("webhook.delete", of: "webhook", at: now, by: actor)
            }
            let start = position ?? known?.progress.position ?? state.lastPosition
            state.webhook = ReferenceWebhook(webhook: webhook, progress: WebhookProgress(position: start))
            state.appendAudit("webhook.save", of: "webhook", at: now, by: actor)
        }
    }

    /// Gives the webhook another secret.
    public func setWebhookSecret(_ secret: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try write { state in
            guard state.webhook != nil else { return false }
            state.webhook?.webhook.secret = secret
            state.appendAudit("webhook.rotate", of: "webhook", at: now, by: actor)
            return true
        }
    }

    /// Leases the webhook to a worker.
    public func claimWebhook(for worker: String, seconds: Double) async throws -> WebhookState? {
        let now = now()
        return try write { state in
            guard let webhook = state.webhook else { return nil }
            if let other = webhook.worker, other.name != worker, other.until > now { return nil }
            state.webhook?.worker = (worker, now + seconds)
            return state.webhookState
        }
    }

    /// Saves how far a worker has come.
    public func saveWebhookProgress(
        _ progress: WebhookProgress,
        noticesThrough position: Int64?,
        of webhook: Webhook,
        by worker: String
    ) async throws -> Bool {
        try write { state in
            guard let known = state.webhook, known.worker?.name == worker,
                known.webhook.url.hasSameBytes(as: webhook.url), known.webhook.createdAt == webhook.createdAt
            else { return false }
            state.webhook?.progress = progress
            if let position { state.notices.removeAll { $0.position <= position } }
            return true
        }
    }

    /// Reads the notices that the webhook has not got yet.
    public func webhookNotices(limit: Int) async throws -> [WebhookNotice] { try read { $0.notices.page(limit) } }

    /// Reads how long events and notices wait for the webhook.
    public func webhookQueue() async throws -> WebhookQueue? {
        try read { state in
            guard let progress = state.webhook?.progress else { return nil }
            let event = state.log.first { $0.stored.position > progress.position }
            let times = [event?.stored.receivedAt, state.notices.first?.at]
            return WebhookQueue(failures: progress.failures, oldestAt: times.compactMap(\.self).min())
        }
    }
}
