public import CardModel
public import CardStore
import GRDB
import WireJSON

extension SQLiteCardStore {
    /// Reads every key, the oldest first.
    public func apiKeys() async throws -> [APIKey] {
        try await read(KeyRow.all)
    }

    /// Reads the catalog's generation alone.
    public func catalogGeneration() async throws -> CatalogGeneration {
        try await read(StoreRow.generation)
    }

    /// Reads the settings alone.
    public func settings() async throws -> Settings {
        try await read(StoreRow.settings)
    }

    /// Keeps a new key.
    ///
    /// - Throws: `StoreError.exists` where there is one of that id or secret.
    public func insertKey(_ key: APIKey, by actor: Actor) async throws {
        try await writer.write { try $0.insert(key, by: actor) }
    }

    /// Edits a key that was not revoked.
    public func editKey(_ id: String, _ edit: KeyEdit, at now: UnixTime, by actor: Actor) async throws -> APIKey? {
        try await writer.write { try $0.editKey(id, edit, at: now, by: actor) }
    }

    /// Revokes a key for good.
    public func revokeKey(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.write { try $0.revokeKey(id, at: now, by: actor) }
    }

    /// Gives a key another secret.
    public func rotateKey(_ rotation: KeyRotation, by actor: Actor) async throws -> Bool {
        try await writer.write { try $0.rotateKey(rotation, by: actor) }
    }

    /// Notes when keys were last used.
    public func recordKeyUses(_ uses: [String: UnixTime]) async throws {
        guard !uses.isEmpty else { return }
        try await writer.write { session in
            for (id, time) in uses {
                try session.database.execute(
                    sql: "UPDATE keys SET last_used_at = ? WHERE id = ? AND coalesce(last_used_at, 0) < ?",
                    arguments: [time, id, time]
                )
            }
        }
    }

    /// Keeps the settings.
    public func saveSettings(
        _ settings: Settings,
        inPlaceOf expected: Settings?,
        at now: UnixTime,
        by actor: Actor
    ) async throws {
        try await writer.write { session in
            if let expected { try session.check(expected) }
            try session.save(settings, at: now, by: actor)
        }
    }

    /// Keeps the keys of user tokens that were fetched from an address, in place of the older ones.
    public func saveUserTokenKeys(_ keys: JSONWebKeySet, of url: String, at now: UnixTime) async throws -> Bool {
        try await writer.write { session in
            var settings = try StoreRow.settings(session.database)
            guard settings.keySetURL?.hasSameBytes(as: url) == true, settings.keySet != keys else { return false }
            settings.keySet = keys
            try session.save(settings, at: now, by: .server)
            return true
        }
    }
}

extension WriteSession {
    func insert(_ key: APIKey, by actor: Actor) throws {
        guard try !KeyRow.exists(key, in: database) else {
            throw StoreError(.exists, "A key with this ID or secret already exists. Create another key.")
        }
        try check(actor, covers: [key], at: key.createdAt)
        try checkRoom(.keys, in: "keys WHERE revoked_at IS NULL")
        try KeyRow.insert(key, into: database)
        try audit("key.create", of: key.id, at: key.createdAt, by: actor)
        changes.catalog = true
    }

    func editKey(_ id: String, _ edit: KeyEdit, at now: UnixTime, by actor: Actor) throws -> APIKey? {
        guard let old = try KeyRow.find(id, in: database), old.revokedAt == nil else { return nil }
        let key = old.applying(edit)
        try check(actor, covers: [old, key], at: now)
        let differences = key.changes(from: old)
        guard !differences.isEmpty else { return old }
        try KeyRow.update(key, in: database)
        try audit("key.update", of: id, details: ["changes": .array(differences)], at: now, by: actor)
        changes.catalog = true
        return key
    }

    func revokeKey(_ id: String, at now: UnixTime, by actor: Actor) throws -> Bool {
        try database.execute(
            sql: "UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
            arguments: [now, id]
        )
        guard database.changesCount > 0 else { return false }
        try KeyRow.removeRevoked(beyond: WorkspaceLimit.revokedKeys, from: database)
        try audit("key.revoke", of: id, at: now, by: actor)
        changes.catalog = true
        return true
    }

    func rotateKey(_ rotation: KeyRotation, by actor: Actor) throws -> Bool {
        guard let key = try KeyRow.find(rotation.id, in: database), key.works(at: rotation.at) else { return false }
        try check(actor, covers: [key], at: rotation.at)
        try KeyRow.rotate(rotation, in: database)
        try audit("key.rotate", of: rotation.id, at: rotation.at, by: actor)
        changes.catalog = true
        return true
    }

    private func check(_ actor: Actor, covers keys: [APIKey], at now: UnixTime) throws {
        try KeyAuthority.check(actor, covers: keys, at: now) { try KeyRow.find($0, in: database) }
    }

    func check(_ expected: Settings) throws {
        guard try StoreRow.settings(database) == expected else { throw StoreError.settingsChanged }
    }

    func save(_ settings: Settings, at now: UnixTime, by actor: Actor) throws {
        let text = settings.stored.text
        let stored = try StoreRow.settingsText(database)
        guard !stored.hasSameBytes(as: text) else { return }
        // Settings that can't be read are replaced, or nobody could repair them.
        let old = try? Settings(stored: stored)
        // A new database, or an older version, has left out what is as it is by default.
        if let old, old.stored.text.hasSameBytes(as: text) { return }
        let differences = settings.changes(from: old ?? Settings())
        try database.execute(sql: "UPDATE store SET settings = ? WHERE id = 1", arguments: [text])
        try audit("settings.update", of: "settings", details: ["changes": differences], at: now, by: actor)
        // What a user may have depends on the settings, so devices have to ask again.
        _ = try StoreRow.advanceGeneration(database)
        changes.catalog = true
        // Events later in this group count in the new time zone.
        changes.readsSettings = true
    }
}
