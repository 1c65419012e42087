import CardModel
import Crypto
package import WireJSON

/// The claims of a provider about whoever signed in, once its token was found good.
package struct OpenIDClaims: Sendable, Equatable {
    /// The most bytes of a subject: OpenID Connect Core 1.0, section 2.
    static let longestSubject = 255
    /// The most groups that are looked at.
    static let mostGroups = 1_000
    /// The greatest age of a token, in seconds.
    private static let oldest = 600.0

    /// The permanent ID of the user; unique at the issuer.
    @Bytewise package var subject: String
    /// The e-mail address, where it is verified.
    package var email: String?
    /// The name, or empty.
    package var name: String
    /// The role of their groups, if any has one.
    package var role: Role?
    /// The time at which they last gave the provider a password or whatever it asks for, if it says so.
    package var authenticatedAt: Double?

    /// The values that a token is compared with.
    struct Rules {
        let settings: OpenIDSettings
        let attempt: OpenIDAttempt
        /// The access token that came with it, if any.
        let accessToken: String?
    }

    /// Reads a token whose signature is good: OpenID Connect Core 1.0, section 3.1.3.7.
    ///
    /// - Throws: `OpenIDError` that names the claim that isn't as it has to be.
    init(_ token: UserToken, _ rules: Rules, at now: UnixTime) throws(OpenIDError) {
        try Self.checkOrigin(token.claims, token.payload, rules)
        try Self.checkTimes(token.claims, at: now)
        guard token.payload["nonce"]?.string?.hasSameBytes(as: rules.attempt.nonce) == true else {
            throw .rejected("nonce is another sign-in's")
        }
        try Self.checkAccessToken(token.payload, rules.accessToken)
        let subject = token.claims.subject
        guard IdentityText.isValid(subject, maximumBytes: Self.longestSubject) else {
            throw .rejected("sub is empty, too long or not readable")
        }
        authenticatedAt = try Self.authenticationTime(token.payload, rules.attempt, at: now)
        self.subject = subject
        let isVerified = rules.settings.trustsEmail || token.payload["email_verified"]?.bool == true
        email = isVerified ? token.payload["email"]?.string.flatMap(Self.address) : nil
        let name = token.payload["name"]?.string ?? ""
        self.name = IdentityText.isValid(name, maximumBytes: 200) ? name : ""
        role = rules.settings.role(of: Self.groups(token.payload, rules.settings.groupsClaim))
    }

    private static func checkOrigin(
        _ claims: UserToken.Claims,
        _ payload: JSONObject,
        _ rules: Rules
    ) throws(OpenIDError) {
        guard claims.issuer?.hasSameBytes(as: rules.settings.issuer) == true else {
            throw .rejected("iss is another issuer")
        }
        let client = rules.settings.clientID
        guard claims.audiences.contains(where: { $0.hasSameBytes(as: client) }) else {
            throw .rejected("aud is another client")
        }
        let party = payload["azp"]
        guard party != nil || claims.audiences.count == 1 else {
            throw .rejected("aud has several clients and azp is missing")
        }
        guard party.map({ $0.string?.hasSameBytes(as: client) == true }) ?? true else {
            throw .rejected("azp is another client")
        }
    }

    private static func checkTimes(_ claims: UserToken.Claims, at now: UnixTime) throws(OpenIDError) {
        let leeway = Settings.TokenRules.leeway
        guard claims.expiresAt > now - leeway else { throw .rejected("exp is over") }
        guard let issuedAt = claims.issuedAt else { throw .rejected("iat is missing") }
        guard issuedAt <= now + leeway, issuedAt >= now - Self.oldest else {
            throw .rejected("iat is too long ago, or to come")
        }
        guard (claims.notBefore ?? now) <= now + leeway else { throw .rejected("nbf is to come") }
    }

    /// Compares the token with the access token that it came with, where it names one.
    private static func checkAccessToken(_ payload: JSONObject, _ accessToken: String?) throws(OpenIDError) {
        guard let hash = payload["at_hash"] else { return }
        // RS256 and ES256, the only ones that are taken, both hash with SHA-256.
        let expected = accessToken.map { URLText.base64URL(SHA256.hash(data: Array($0.utf8)).prefix(16)) }
        guard let expected, hash.string?.hasSameBytes(as: expected) == true else {
            throw .rejected("at_hash is another access token's")
        }
    }

    /// The address of a member, if the provider's is the same but for capitals of ASCII.
    ///
    /// To a mail server, a letter of full width or the KELVIN SIGN is another one: its mailbox may be another person's.
    private static func address(_ text: String) -> String? {
        let lower = text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return EmailAddress(text).flatMap { $0.text.utf8.elementsEqual(lower) ? $0.text : nil }
    }

    private static func authenticationTime(
        _ payload: JSONObject,
        _ attempt: OpenIDAttempt,
        at now: UnixTime
    ) throws(OpenIDError) -> Double? {
        let leeway = Settings.TokenRules.leeway
        let time = payload["auth_time"]?.double.flatMap { $0.isFinite && $0 <= now + leeway ? min($0, now) : nil }
        guard payload["auth_time"] == nil || time != nil else { throw .rejected("auth_time isn't a time") }
        guard let start = attempt.reauthenticatesAt else { return time }
        guard let time, time >= start - leeway else {
            throw .rejected("auth_time doesn't say that they signed in again")
        }
        return time
    }

    /// The groups of a claim that is a list of texts or one text.
    private static func groups(_ payload: JSONObject, _ claim: String) -> [String] {
        var found = payload[claim]
        if found == nil, claim.hasPrefix("/") {
            let path = claim.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            found = path.reduce(JSONValue?.some(.object(payload))) { $0?[String(Substring($1))] }
        }
        if let text = found?.string { return [text] }
        return found?.array?.prefix(mostGroups).compactMap(\.string) ?? []
    }
}
