package import CardModel
import CardStore
package import WireJSON

/// Creates, edits and revokes API keys, for the management API and the dashboard.
package struct KeyService: Sendable {
    /// A key with its secret, which is kept nowhere.
    package typealias Issued = (key: APIKey, secret: String)

    let services: Services

    /// Returns all keys, those that were revoked too, the oldest first.
    package func list() async throws -> [APIKey] { try await services.store.apiKeys() }

    /// Returns a key, or `nil` where there is none of that id.
    package func key(_ id: String) async throws -> APIKey? {
        try await services.store.apiKeys().first { $0.id.hasSameBytes(as: id) }
    }

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - json: What it may do, as ``NewKey`` reads it.
    ///   - caller: Who creates it.
    /// - Returns: The key and its secret.
    /// - Throws: `ModelError` that names the wrong field, or `RequestError` where the key could do more than its maker.
    package func create(_ json: JSONValue, by caller: Caller) async throws -> Issued {
        let now = services.clock()
        let secret = KeySecret(try NewKey(json: json, at: now), createdAt: now)
        try caller.requireCovering(secret.key)
        try await services.store.insertKey(secret.key, by: caller.actor)
        apply(secret.key)
        return (secret.key, secret.text)
    }

    /// Gives a key another secret; the present one works for `overlap` seconds more.
    ///
    /// - Throws: `RequestError` where no key of that id works.
    package func rotate(_ id: String, overlap: Double, by caller: Caller) async throws -> Issued {
        let now = services.clock()
        guard let key = try await key(id), key.works(at: now) else { throw Self.notFound }
        // Its secret is in the answer, so whoever rotates a key can use it.
        try caller.requireCovering(key)
        let (text, rotation) = KeySecret.rotate(key, overlap: overlap, at: now)
        guard try await services.store.rotateKey(rotation, by: caller.actor) else { throw Self.notFound }
        let rotated = key.applying(rotation)
        apply(rotated)
        return (rotated, text)
    }

    /// Changes what a key may do, for how long and from where; the secret stays.
    ///
    /// - Parameters:
    ///   - id: The key's id.
    ///   - json: What is to be different, as ``KeyEdit`` reads it.
    ///   - caller: Who edits it.
    /// - Returns: The key as saved.
    /// - Throws: `ModelError` that names the wrong field, or `RequestError` where there is no such key.
    package func edit(_ id: String, _ json: JSONValue, by caller: Caller) async throws -> APIKey {
        let now = services.clock()
        guard let key = try await key(id), key.revokedAt == nil else { throw Self.notFound }
        let edit = try KeyEdit(json: json, of: key, at: now)
        // Neither may it give others what it doesn't have, nor take from those who may more.
        try caller.requireCovering(key)
        try caller.requireCovering(key.applying(edit))
        guard let edited = try await services.store.editKey(id, edit, at: now, by: caller.actor) else {
            throw Self.notFound
        }
        apply(edited)
        return edited
    }

    /// Revokes a key.
    ///
    /// - Throws: `RequestError` where there is no such key, it was revoked before, or may do more than the caller.
    package func revoke(_ id: String, by caller: Caller) async throws {
        let now = services.clock()
        // Read first: once it is revoked, nothing that fails may keep it working.
        guard var key = try await key(id) else { throw Self.notFound }
        try caller.requireCovering(key)
        guard try await services.store.revokeKey(id, at: now, by: caller.actor) else { throw Self.notFound }
        key.revokedAt = now
        apply(key)
    }

    private static let notFound = RequestError.notFound("key that works")

    /// Makes a change that the store has kept hold at once, for open streams too, whether the store can be read or not.
    private func apply(_ key: APIKey) {
        services.catalog.set(key)
        services.hub.review(by: services.catalog.current, at: services.clock())
    }
}

extension Caller {
    /// Throws `RequestError` with 403 where a key would be able to do more than its maker.
    fileprivate func requireCovering(_ other: APIKey) throws(RequestError) {
        guard let key, !key.covers(other) else { return }
        throw RequestError(
            .forbidden,
            "permission_denied",
            "This key can't create, edit, rotate or revoke a key that may do more, "
                + "lasts longer or has fewer address limits."
        )
    }
}
