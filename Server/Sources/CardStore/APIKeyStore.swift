public import CardModel

/// Keeps API keys.
///
/// A key that adds, edits or rotates others has to work at that moment and may do no less than they may, before and
/// after; otherwise a store throws `StoreError` with `conflict`.
public protocol APIKeyStore: Sendable {
    /// Reads every key, the oldest first.
    func apiKeys() async throws -> [APIKey]

    /// Adds a key.
    func insertKey(_ key: APIKey, by actor: Actor) async throws

    /// Edits a key that was not revoked, and notes in the audit log what was different before.
    ///
    /// - Returns: The key as it is now, or `nil` where there is no such key.
    func editKey(_ id: String, _ edit: KeyEdit, at now: UnixTime, by actor: Actor) async throws -> APIKey?

    /// Revokes a key for good.
    ///
    /// - Returns: Whether there was such a key that still worked.
    func revokeKey(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool

    /// Gives a key that works another secret; the current one works until a moment, and the one before it no more.
    ///
    /// - Returns: Whether there was such a key that still worked.
    func rotateKey(_ rotation: KeyRotation, by actor: Actor) async throws -> Bool

    /// Saves when keys were last used, by their ids; an earlier time than is known changes nothing.
    ///
    /// That is no change of the catalog, and is not announced.
    func recordKeyUses(_ uses: [String: UnixTime]) async throws
}
