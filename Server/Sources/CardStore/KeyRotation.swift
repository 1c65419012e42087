public import CardModel

/// Another secret for a key.
public struct KeyRotation: Sendable, Hashable {
    /// The key's id.
    public var id: String
    /// The SHA-256 of the new secret.
    public var hash: [UInt8]
    /// The last characters of the new secret, to recognise it by.
    public var hint: String
    /// The time until which the secret that it takes the place of works.
    public var previousUntil: UnixTime
    /// The time of the rotation.
    public var at: UnixTime

    /// Creates a rotation.
    public init(id: String, hash: [UInt8], hint: String, previousUntil: UnixTime, at: UnixTime) {
        self.id = id
        self.hash = hash
        self.hint = hint
        self.previousUntil = previousUntil
        self.at = at
    }
}

extension APIKey {
    /// Returns the key as it is after a rotation.
    public func applying(_ rotation: KeyRotation) -> APIKey {
        var key = self
        key.previousSecret = PreviousSecret(hash: hash, expiresAt: rotation.previousUntil)
        key.hash = rotation.hash
        key.hint = rotation.hint
        return key
    }
}
