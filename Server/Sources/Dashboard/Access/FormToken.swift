import CardModel

/// Proves that a form came from a page of this session, and tells one form from another.
///
/// It is 16 random bytes and an expiry, with an HMAC under the session's key: a page of another site cannot make one,
/// and a session's is worth nothing in another. That a form is sent only once, the store sees to.
struct FormToken: Sendable, Equatable {
    /// How long a form may lie open, in seconds.
    static let lifetime = 86_400.0

    /// What is unique to the form.
    let nonce: [UInt8]
    let expiresAt: UnixTime

    /// Makes the token of a new form.
    init(at now: UnixTime) {
        nonce = SecretBytes.random(16)
        expiresAt = (now + Self.lifetime).rounded()
    }

    /// Reads what a form brings, or returns `nil` where it was not signed with the key.
    init?(_ text: String, key: [UInt8]) {
        guard let bytes = SecretBytes.bytes(text), bytes.count == 16 + 8 + 32,
            SecretBytes.areEqual(SecretBytes.code(of: Array(bytes[..<24]), key: key), Array(bytes[24...]))
        else { return nil }
        nonce = Array(bytes[..<16])
        expiresAt = UnixTime(bytes[16..<24].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    /// The text that a form carries.
    func text(key: [UInt8]) -> String {
        let seconds = UInt64(max(0, expiresAt))
        let signed = nonce + (0..<8).map { UInt8(truncatingIfNeeded: seconds >> (56 - 8 * $0)) }
        return SecretBytes.text(signed + SecretBytes.code(of: signed, key: key))
    }
}
