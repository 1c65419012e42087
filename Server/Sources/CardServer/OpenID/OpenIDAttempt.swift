import Crypto
package import WireJSON

/// One attempt to sign in with the provider: what ties the provider's answer to the browser that began.
package struct OpenIDAttempt: Sendable, Hashable {
    /// The state that the provider gives back with the code.
    @Bytewise package var state: String
    /// The nonce that the token has to name.
    @Bytewise package var nonce: String
    /// The verifier that only the one who began can show: RFC 7636.
    @Bytewise package var verifier: String
    /// The time at which it began, where the member has to sign in again at the provider whether or not they are signed
    /// in there.
    package var reauthenticatesAt: Double?

    /// Creates an attempt.
    package init(state: String, nonce: String, verifier: String, reauthenticatesAt: Double? = nil) {
        self.state = state
        self.nonce = nonce
        self.verifier = verifier
        self.reauthenticatesAt = reauthenticatesAt
    }

    /// The challenge that tells the provider of the verifier.
    var challenge: String { URLText.base64URL(SHA256.hash(data: Array(verifier.utf8))) }
}
