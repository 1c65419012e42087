public import CardModel
public import CardStore

extension ShardedCardStore {
    /// Reads the webhook and how far it is, or returns `nil` where there is none.
    public func webhookState() async throws -> WebhookState? { try await home.webhookState() }

    /// Sets the webhook up, or removes it where it is `nil`.
    ///
    /// A new one begins at the end of the log of all databases.
    public func saveWebhook(
        _ webhook: Webhook?,
        inPlaceOf expected: ExpectedWebhook,
        after position: Int64?,
        at now: UnixTime,
        by actor: Actor
    ) async throws {
        var start = position
        if webhook != nil, start == nil, try await home.webhookState() == nil {
            start = try await lastEventPosition()
        }
        try await home.saveWebhook(webhook, inPlaceOf: expected, after: start, at: now, by: actor)
    }

    /// Gives the webhook another secret.
    public func setWebhookSecret(_ secret: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await home.setWebhookSecret(secret, at: now, by: actor)
    }

    /// Leases the webhook to a worker, by the time of the home's server.
    public func claimWebhook(for worker: String, seconds: Double) async throws -> WebhookState? {
        try await home.claimWebhook(for: worker, seconds: seconds)
    }

    /// Saves how far a worker has come, unless another one has the webhook by now or it was set up again.
    public func saveWebhookProgress(
        _ progress: WebhookProgress,
        noticesThrough position: Int64?,
        of webhook: Webhook,
        by worker: String
    ) async throws -> Bool {
        try await home.saveWebhookProgress(progress, noticesThrough: position, of: webhook, by: worker)
    }

    /// Reads the notices that the webhook has not got yet.
    public func webhookNotices(limit: Int) async throws -> [WebhookNotice] {
        try await home.webhookNotices(limit: limit)
    }
}
