import CardModel

/// A key by one of its secrets.
struct KeyCredential: Sendable {
    let key: APIKey
    /// The SHA-256 of the secret.
    let hash: [UInt8]
    /// The time at which the secret expires; infinity for never.
    let expiresAt: UnixTime

    /// Returns the secrets of a key that wasn't revoked, the present one first.
    static func all(of key: APIKey) -> [KeyCredential] {
        guard key.revokedAt == nil else { return [] }
        let end = key.expiresAt ?? .infinity
        let present = KeyCredential(key: key, hash: key.hash, expiresAt: end)
        guard let previous = key.previousSecret else { return [present] }
        return [present, KeyCredential(key: key, hash: previous.hash, expiresAt: min(previous.expiresAt, end))]
    }
}
