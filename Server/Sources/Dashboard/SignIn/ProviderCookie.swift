import CardModel
import CardServer
import Hummingbird

/// The cookie that a browser keeps while its member is at the OpenID provider: only this browser can end what it began.
struct ProviderCookie {
    /// The time for signing in at the provider, in seconds.
    static let lifetime: Int64 = 600
    private static let longest = 3_000
    /// The longest address that is gone to afterwards, in bytes.
    private static let longestAddress = 1_000

    let attempt: OpenIDAttempt
    let expiry: SignedExpiry
    /// The address where to go on.
    let next: String

    /// Begins an attempt.
    ///
    /// - Parameters:
    ///   - next: Where to go on.
    ///   - confirms: Whether a member who is signed in confirms that it's them.
    ///   - now: The moment.
    init(next: String, confirms: Bool, at now: UnixTime) {
        attempt = OpenIDAttempt(
            state: SecretBytes.text(SecretBytes.random(32)),
            nonce: SecretBytes.text(SecretBytes.random(32)),
            verifier: SecretBytes.text(SecretBytes.random(32)),
            reauthenticatesAt: confirms ? now : nil
        )
        expiry = SignedExpiry(Self.lifetime, after: now)
        self.next = next.utf8.count <= Self.longestAddress ? next : "/dashboard"
    }

    /// Reads the cookie of a request, or returns `nil` where there is none or it's over.
    init?(_ text: String?, at now: UnixTime) {
        guard let text, text.utf8.count <= Self.longest else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard parts.count == 6, let expiry = SignedExpiry(decimal: Substring(parts[0])),
            expiry.state(at: now, lifetime: Self.lifetime) == .valid, let next = SecretBytes.bytes(parts[5]),
            parts[1...3].allSatisfy({ SecretBytes.bytes($0)?.count == 32 })
        else { return nil }
        self.expiry = expiry
        let began = parts[4] == "c" ? expiry.time - Double(Self.lifetime) : nil
        attempt = OpenIDAttempt(state: parts[1], nonce: parts[2], verifier: parts[3], reauthenticatesAt: began)
        self.next = SignInPages.safe(String(decoding: next, as: UTF8.self))
    }

    /// The value of the cookie.
    var text: String {
        let kind = attempt.reauthenticatesAt == nil ? "s" : "c"
        let place = SecretBytes.text(Array(next.utf8))
        return "\(expiry.seconds).\(attempt.state).\(attempt.nonce).\(attempt.verifier).\(kind).\(place)"
    }

    /// The mark that is kept of it in the store, so that it's used once.
    var mark: [UInt8] { SecretBytes.hash(Array("provider \(attempt.state)".utf8)) }
}
