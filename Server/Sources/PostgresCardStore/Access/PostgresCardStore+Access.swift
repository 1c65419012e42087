public import CardModel
public import CardStore
import WireJSON

extension PostgresCardStore {
    /// Reads every key, the oldest first.
    public func apiKeys() async throws -> [APIKey] {
        try await read(KeyRow.all)
    }

    /// Inserts a key.
    ///
    /// - Throws: `StoreError.exists` where there is one of that id or secret.
    public func insertKey(_ key: APIKey, by actor: Actor) async throws {
        try await writer.writeAlone { try $0.insert(key, by: actor) }
    }

    /// Edits a key that was not revoked.
    public func editKey(_ id: String, _ edit: KeyEdit, at now: UnixTime, by actor: Actor) async throws -> APIKey? {
        try await writer.writeAlone { try $0.editKey(id, edit, at: now, by: actor) }
    }

    /// Revokes a key for good.
    public func revokeKey(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.writeAlone { try $0.revokeKey(id, at: now, by: actor) }
    }

    /// Gives a key another secret.
    public func rotateKey(_ rotation: KeyRotation, by actor: Actor) async throws -> Bool {
        try await writer.writeAlone { try $0.rotateKey(rotation, by: actor) }
    }

    /// Notes when keys were last used.
    public func recordKeyUses(_ uses: [String: UnixTime]) async throws {
        guard !uses.isEmpty else { return }
        // In one order for all nodes, so that none waits for another in a circle.
        let uses = uses.sorted { $0.key < $1.key }
        try await writer.writeAlone { session in
            for (id, time) in uses {
                try session.connection.execute(
                    "UPDATE keys SET last_used_at = $1 WHERE id = $2 AND coalesce(last_used_at, 0) < $1",
                    [time, id]
                )
            }
        }
    }

    /// Saves the settings.
    public func saveSettings(
        _ settings: Settings,
        inPlaceOf expected: Settings?,
        at now: UnixTime,
        by actor: Actor
    ) async throws {
        try await writer.writeAlone { session in
            if let expected { try session.check(expected) }
            try session.save(settings, at: now, by: actor)
        }
    }

    /// Saves the keys of user tokens that were fetched from an address, in place of the older ones.
    public func saveUserTokenKeys(_ keys: JSONWebKeySet, of url: String, at now: UnixTime) async throws -> Bool {
        try await writer.writeAlone { try $0.save(keys, of: url, at: now) }
    }
}

extension WriteSession {
    fileprivate func insert(_ key: APIKey, by actor: Actor) throws {
        try check(actor, covers: [key], at: key.createdAt)
        try checkRoom(.keys, in: "keys WHERE revoked_at IS NULL")
        guard try KeyRow.insert(key, into: connection) else {
            throw StoreError(.exists, "A key with this ID or secret already exists. Create another key.")
        }
        audit("key.create", of: key.id, at: key.createdAt, by: actor)
        changes.catalog = true
    }

    fileprivate func editKey(_ id: String, _ edit: KeyEdit, at now: UnixTime, by actor: Actor) throws -> APIKey? {
        guard let old = try KeyRow.lock(id, in: connection), old.revokedAt == nil else { return nil }
        let key = old.applying(edit)
        try check(actor, covers: [old, key], at: now)
        let differences = key.changes(from: old)
        guard !differences.isEmpty else { return old }
        try KeyRow.update(key, in: connection)
        audit("key.update", of: id, details: ["changes": .array(differences)], at: now, by: actor)
        changes.catalog = true
        return key
    }

    private func check(_ actor: Actor, covers keys: [APIKey], at now: UnixTime) throws {
        try KeyAuthority.check(actor, covers: keys, at: now) { try KeyRow.lock($0, in: connection) }
    }

    fileprivate func revokeKey(_ id: String, at now: UnixTime, by actor: Actor) throws -> Bool {
        let changed = try connection.execute(
            "UPDATE keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL",
            [now, id]
        )
        guard changed > 0 else { return false }
        try KeyRow.removeRevoked(beyond: WorkspaceLimit.revokedKeys, from: connection)
        audit("key.revoke", of: id, at: now, by: actor)
        changes.catalog = true
        return true
    }

    fileprivate func rotateKey(_ rotation: KeyRotation, by actor: Actor) throws -> Bool {
        guard let key = try KeyRow.lock(rotation.id, in: connection), key.works(at: rotation.at) else { return false }
        try check(actor, covers: [key], at: rotation.at)
        try KeyRow.rotate(rotation, in: connection)
        audit("key.rotate", of: rotation.id, at: rotation.at, by: actor)
        changes.catalog = true
        return true
    }
}
