public import CardModel
public import CardStore

extension PostgresCardStore: SecretsStore {
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
    /// in the file, because backups need them, unless they are to be forgotten. Every node needs the new key before.
    ///
    /// - Parameters:
    ///   - choice: Whether the key is a new one, or the one that was prepared.
    ///   - forgetsOldKeys: Whether older keys are removed from the file; older backups then lose their secrets.
    ///   - now: The time.
    ///   - actor: Who does it.
    /// - Returns: What was changed.
    /// - Throws: `StoreError.locked` where a secret can't be decrypted, `StoreError.conflict` where servers on several
    ///   hosts use the database, which can't have a key that is made only now; then nothing is changed.
    public func rotateSecretsKey(
        to choice: SecretsKeyChoice,
        forgettingOldKeys forgetsOldKeys: Bool,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> SecretsChange {
        let secrets = secrets
        let registered = try await read { connection in
            if choice == .new, secrets.isInFile { try connection.refuseOtherNodes() }
            return try connection.registeredKey()
        }
        let key = try secrets.choose(choice, after: registered)
        let count = try await writer.writeAlone { session in
            // Whoever takes old keys out of the file waits until this one is registered.
            _ = try session.connection.lockedKey()
            try secrets.requireKept(key)
            try session.connection.register(key)
            let count = try SealedColumn.resealAll(in: session.connection, with: secrets)
            session.audit("secrets.rotate", of: key.description, at: now, by: actor)
            return count
        }
        if forgetsOldKeys {
            try await writer.writeAlone { try secrets.forgetKeys(olderThan: $0.connection.lockedKey() ?? []) }
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
        return try await writer.writeAlone { session in
            try session.resetSecrets(key, webhookSecret: webhookSecret, at: now, by: actor)
        }
    }
}

extension PostgresConnection {
    /// Throws where servers on several hosts have the database open.
    fileprivate func refuseOtherNodes() throws {
        let hosts = try row(
            """
            SELECT count(DISTINCT coalesce(host(client_addr), '')) AS count FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = '\(ConnectionSettings.serverName)'
            """
        )?.integer("count")
        guard let hosts, hosts > 1 else { return }
        throw StoreError(
            .conflict,
            "Servers on \(hosts) hosts use the database, and would be without a key that is made now. Run `placard "
                + "secrets prepare`, copy the key file to every node, then run `placard secrets rotate --prepared`."
        )
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
