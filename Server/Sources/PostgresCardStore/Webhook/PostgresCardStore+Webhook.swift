public import CardModel
public import CardStore

extension PostgresCardStore {
    /// Reads the webhook and how far it is, or returns `nil` where there is none.
    public func webhookState() async throws -> WebhookState? {
        let secrets = secrets
        return try await read { try WebhookRow.find(in: $0, secrets) }
    }

    /// Sets the webhook up, or removes it where it is `nil`.
    public func saveWebhook(
        _ webhook: Webhook?,
        inPlaceOf expected: ExpectedWebhook,
        after position: Int64?,
        at now: UnixTime,
        by actor: Actor
    ) async throws {
        try await writer.writeAlone { session in
            if expected != .any { try session.check(expected) }
            try session.save(webhook, after: position, at: now, by: actor)
        }
    }

    /// Gives the webhook another secret.
    public func setWebhookSecret(_ secret: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.writeAlone { try $0.setWebhookSecret(secret, at: now, by: actor) }
    }

    /// Leases the webhook to a worker, by the time of the database server.
    public func claimWebhook(for worker: String, seconds: Double) async throws -> WebhookState? {
        try await writer.writeAlone { session in
            let isClaimed = try WebhookRow.claim(for: worker, seconds: seconds, in: session.connection)
            return isClaimed ? try WebhookRow.find(in: session.connection, session.secrets) : nil
        }
    }

    /// Saves how far a worker has come, unless another one has the webhook by now or it was set up again.
    public func saveWebhookProgress(
        _ progress: WebhookProgress,
        noticesThrough position: Int64?,
        of webhook: Webhook,
        by worker: String
    ) async throws -> Bool {
        try await writer.writeAlone { session in
            guard try WebhookRow.update(progress, of: webhook, by: worker, in: session.connection) else { return false }
            if let position { try WebhookNoticeRow.remove(through: position, from: session.connection) }
            return true
        }
    }

    /// Reads the notices that the webhook has not got yet.
    public func webhookNotices(limit: Int) async throws -> [WebhookNotice] {
        try await read { try WebhookNoticeRow.fetch(limit: PageLimit.clamp(limit), in: $0) }
    }

    /// Reads how long events and notices wait for the webhook.
    public func webhookQueue() async throws -> WebhookQueue? { try await read { try WebhookRow.queue(in: $0) } }
}

extension WriteSession {
    fileprivate func setWebhookSecret(_ secret: String, at now: UnixTime, by actor: Actor) throws -> Bool {
        guard try WebhookRow.lockPosition(in: connection) != nil else { return false }
        try WebhookRow.setSecret(secret, in: connection, secrets)
        audit("webhook.rotate", of: "webhook", at: now, by: actor)
        return true
    }

    /// Keeps others from changing the webhook until the commit, where it is what was expected.
    fileprivate func check(_ expected: ExpectedWebhook) throws {
        if try WebhookRow.lockPosition(in: connection) == nil {
            // Without a row of its own, only this one keeps two nodes from making it at once.
            try connection.execute("SELECT 1 FROM store WHERE id = 1 FOR UPDATE")
        }
        try expected.check(WebhookRow.find(in: connection, secrets)?.webhook)
    }

    fileprivate func save(_ webhook: Webhook?, after position: Int64?, at now: UnixTime, by actor: Actor) throws {
        let known = try WebhookRow.lockPosition(in: connection)
        try WebhookNoticeRow.remove(unwantedBy: webhook, from: connection)
        guard let webhook else {
            guard known != nil else { return }
            try connection.execute("DELETE FROM webhooks WHERE id = 1")
            return audit("webhook.delete", of: "webhook", at: now, by: actor)
        }
        let start = try position ?? known ?? EventLog.end(connection)
        let state = WebhookState(webhook: webhook, progress: WebhookProgress(position: start))
        try WebhookRow.save(state, in: connection, secrets)
        audit("webhook.save", of: "webhook", at: now, by: actor)
    }
}
