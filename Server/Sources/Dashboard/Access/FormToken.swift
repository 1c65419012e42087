import CardModel
import CardServer

/// Proves that a form came from a page of this session, and tells one form from another.
///
/// It is 16 random bytes and an expiry, with an HMAC under the session's key: a page of another site cannot make one,
/// and a session's is worth nothing in another. That a form is sent only once, the store sees to.
struct FormToken: Sendable, Equatable {
    /// The time for which a form can lie open, in seconds.
    static let lifetime: Int64 = 86_400

    /// The bytes that are unique to the form.
    let nonce: [UInt8]
    let expiry: SignedExpiry

    /// Creates the token of a new form.
    init(at now: UnixTime) {
        nonce = SecretBytes.random(16)
        expiry = SignedExpiry(Self.lifetime, after: now)
    }

    /// Reads what a form brings, or returns `nil` if it was not signed with the key.
    init?(_ text: String, key: [UInt8]) {
        guard text.utf8.count < 128, let bytes = SecretBytes.bytes(text), bytes.count == 16 + 8 + 32,
            ConstantTime.areEqual(SecretBytes.code(of: Array(bytes[..<24]), key: key), Array(bytes[24...])),
            let expiry = SignedExpiry(bytes: bytes[16..<24])
        else { return nil }
        nonce = Array(bytes[..<16])
        self.expiry = expiry
    }

    /// Whether the form can still be sent.
    func state(at now: UnixTime) -> SignedExpiry.State { expiry.state(at: now, lifetime: Self.lifetime) }

    /// The text that a form carries.
    func text(key: [UInt8]) -> String {
        let signed = nonce + expiry.bytes
        return SecretBytes.text(signed + SecretBytes.code(of: signed, key: key))
    }
}
