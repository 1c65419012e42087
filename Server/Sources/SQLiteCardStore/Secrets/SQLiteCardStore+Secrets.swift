public import CardModel
public import CardStore
import GRDB

extension SQLiteCardStore: SecretsStore {
    /// The key for secrets that was created when the store was opened, or `nil` where there was one.
    public var createdSecretsKey: CreatedSecretsKey? { secrets.createdKey }

    /// Writes a new key in front of the others in the key file, and encrypts nothing with it yet.
    ///
    /// - Returns: The key's id; one that was prepared before and isn't in use yet is kept.
    /// - Throws: `StoreError.notFound` where keys aren't kept in a file.
    public func prepareSecretsKey() async throws -> String {
        let registered = try await read { try $0.registeredKey() }
        return try secrets.prepareKey(after: registered).description
    }

    /// Encrypts every secret with another key.
    ///
    /// A key file gets a new key in its first line; of keys that are kept elsewhere, the first is used. Older keys stay
    /// in the file, because backups need them, unless they are to be forgotten. Servers that are running follow.
    ///
    /// - Parameters:
    ///   - choice: Whether the key is a new one, or the one that was prepared.
    ///   - forgetsOldKeys: Whether older keys are removed from the file; older backups then lose their secrets.
    ///   - now: The time.
    ///   - actor: Who does it.
    /// - Returns: What was changed.
    /// - Throws: `StoreError.locked` where a secret can't be decrypted; then nothing is changed.
    public func rotateSecretsKey(
        to choice: SecretsKeyChoice,
        forgettingOldKeys forgetsOldKeys: Bool,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> SecretsChange {
        let secrets = secrets
        let registered = try await read { try $0.registeredKey() }
        let key = try secrets.choose(choice, after: registered)
        let count = try await writer.write { session in
            try secrets.requireKept(key)
            try session.database.register(key)
            let count = try SealedColumn.resealAll(in: session.database, with: secrets)
            try session.audit("secrets.rotate", of: key.description, at: now, by: actor)
            return count
        }
        // In a transaction that writes: no other process has its key registered in the meantime.
        if forgetsOldKeys {
            try await writer.write { try secrets.forgetKeys(olderThan: $0.database.registeredKey() ?? []) }
        }
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
        try database.register(key)
        let members = try String.fetchAll(
            database,
            sql: "SELECT email FROM members WHERE sealed_code_secret IS NOT NULL OR code_secret IS NOT NULL"
        )
        for email in members {
            try database.execute(
                sql: """
                    UPDATE members SET sealed_code_secret = NULL, code_secret = NULL, recovery_codes = x'',
                        recovery_hashes = x'' WHERE email = ?1;
                    """,
                arguments: [email]
            )
            try database.execute(sql: "DELETE FROM sessions WHERE email = ?", arguments: [email])
            try audit("member.factor-off", of: email, at: now, by: actor)
        }
        try database.execute(sql: "DELETE FROM sealed_values; DELETE FROM mails")
        let hasWebhook = try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM webhooks)") ?? false
        if hasWebhook {
            try WebhookRow.setSecret(webhookSecret, in: database, secrets)
            try audit("webhook.rotate", of: "webhook", at: now, by: actor)
        }
        try audit("secrets.reset", of: key.description, at: now, by: actor)
        var change = SecretsChange(key: key.description, count: hasWebhook ? 1 : 0)
        change.webhookSecret = hasWebhook ? webhookSecret : nil
        change.members = members
        return change
    }
}
