public import CardModel
public import CardStore

extension PostgresCardStore: SecretsStore {
    /// Encrypts every secret with another key.
    ///
    /// A key file gets a new key in its first line; of keys that are kept elsewhere, the first is used. Older keys stay
    /// in the file, because backups need them, unless they are to be forgotten. Every node needs the new key before.
    ///
    /// - Parameters:
    ///   - forgetsOldKeys: Whether older keys are removed from the file; older backups then lose their secrets.
    ///   - now: The time.
    ///   - actor: Who does it.
    /// - Returns: What was changed.
    /// - Throws: `StoreError.locked` where a secret can't be decrypted; then nothing is changed.
    public func rotateSecretsKey(
        forgettingOldKeys forgetsOldKeys: Bool,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> SecretsChange {
        let secrets = secrets
        let key = try secrets.bringForward()
        let count = try await writer.write { session in
            try session.connection.register(key)
            let count = try SealedColumn.resealAll(in: session.connection, with: secrets)
            session.audit("secrets.rotate", of: key.description, at: now, by: actor)
            return count
        }
        if forgetsOldKeys { try secrets.forgetAll(but: key) }
        return SecretsChange(key: key.description, count: count)
    }

    /// Gives up every secret whose key is lost: removes second factors, and replaces the webhook's secret.
    ///
    /// - Parameters:
    ///   - webhookSecret: What the webhook is signed with from now on.
    ///   - now: The time.
    ///   - actor: Who does it.
    /// - Returns: What was changed.
    /// - Throws: What keeps the store or the key file from being written.
    public func resetSecrets(
        webhookSecret: String,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> SecretsChange {
        let key = try secrets.bringForward()
        return try await writer.write { session in
            try session.resetSecrets(key, webhookSecret: webhookSecret, at: now, by: actor)
        }
    }
}

extension WriteSession {
    fileprivate func resetSecrets(
        _ key: SecretsKey,
        webhookSecret: String,
        at now: UnixTime,
        by actor: Actor
    ) throws -> SecretsChange {
        try connection.register(key)
        let members = try connection.changing(
            """
            UPDATE members SET sealed_code_secret = NULL, recovery_codes = '', recovery_hashes = ''
            WHERE sealed_code_secret IS NOT NULL RETURNING email
            """
        ).map { try $0.text("email") }.sorted()
        for email in members {
            try connection.execute("DELETE FROM sessions WHERE email = $1", [email])
            audit("member.factor-off", of: email, at: now, by: actor)
        }
        try connection.execute("DELETE FROM sealed_values")
        try connection.execute("DELETE FROM mails")
        let hasWebhook = try WebhookRow.lockPosition(in: connection) != nil
        if hasWebhook {
            try WebhookRow.setSecret(webhookSecret, in: connection, secrets)
            audit("webhook.rotate", of: "webhook", at: now, by: actor)
        }
        audit("secrets.reset", of: key.description, at: now, by: actor)
        var change = SecretsChange(key: key.description, count: hasWebhook ? 1 : 0)
        change.webhookSecret = hasWebhook ? webhookSecret : nil
        change.members = members
        return change
    }
}
