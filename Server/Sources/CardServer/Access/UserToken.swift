import CardModel
import WireJSON

/// A JSON web token as it was sent, taken apart and not verified yet.
///
/// Everything that costs little is checked here: the size, the encoding, the algorithm and the form of the claims.
struct UserToken {
    /// Says that a token can't be good, whatever signed it.
    struct MalformedError: Error {}

    /// The algorithms that a user token may be signed with.
    enum Algorithm: String {
        case rs256 = "RS256"
        case es256 = "ES256"
    }

    /// The largest token that is looked at, in bytes.
    static let maximumSize = 8_192
    private static let maximumKeyID = 255
    private static let maximumDepth = 8

    let algorithm: Algorithm
    /// The `kid`, or `nil` for none.
    let keyID: String?
    let claims: Claims
    /// All that the token says, by name.
    let payload: JSONObject
    /// The bytes that are signed: header and claims as they were sent.
    let signed: [UInt8]
    let signature: [UInt8]

    /// Takes a token apart.
    ///
    /// - Throws: ``MalformedError``, too, where it has more bytes than `size`.
    init(_ text: String, atMost size: Int = maximumSize) throws(MalformedError) {
        guard text.utf8.count <= size else { throw MalformedError() }
        let parts = Array(text.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let claims = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), !signature.isEmpty
        else { throw MalformedError() }
        let members = try Self.members(header)
        guard let algorithm = members["alg"]?.string.flatMap(Algorithm.init), Self.isPlain(members) else {
            throw MalformedError()
        }
        if let keyID = members["kid"] {
            guard let text = keyID.string, (1...Self.maximumKeyID).contains(text.utf8.count)
            else { throw MalformedError() }
            self.keyID = text
        } else {
            keyID = nil
        }
        self.algorithm = algorithm
        payload = try Self.members(claims)
        self.claims = try Claims(payload)
        self.signature = signature
        signed = Array(parts[0]) + [UInt8(ascii: ".")] + parts[1]
    }

    /// Whether a header is that of a signed token for whoever asks: not of one that is compressed or encrypted, that
    /// has to be understood in another way, or that says that it is for something else, as an access token does (RFC
    /// 8725, section 3.11).
    private static func isPlain(_ header: JSONObject) -> Bool {
        guard header["crit"] == nil, header["zip"] == nil, header["enc"] == nil else { return false }
        guard let type = header["typ"] else { return true }
        guard let text = type.string?.lowercased() else { return false }
        return text.hasSameBytes(as: "jwt") || text.hasSameBytes(as: "application/jwt")
    }

    /// Reads an object in which no name stands twice: two readers could take different ones of two claims.
    private static func members(_ bytes: [UInt8]) throws(MalformedError) -> JSONObject {
        do {
            return try JSONReader.read(bytes, maximumDepth: maximumDepth) { reader throws(JSONError) in
                guard case .object(let members) = try reader.readValue(isUnambiguous: true) else {
                    throw reader.error("An object is expected")
                }
                return members
            }
        } catch {
            throw MalformedError()
        }
    }
}

extension UserToken {
    /// The claims of a token.
    struct Claims {
        /// The user.
        let subject: String
        let expiresAt: UnixTime
        let notBefore: UnixTime?
        let issuedAt: UnixTime?
        let issuer: String?
        let audiences: [String]

        fileprivate init(_ members: JSONObject) throws(MalformedError) {
            guard let subject = members["sub"]?.string, let expiry = try Self.time("exp", members) else {
                throw MalformedError()
            }
            self.subject = subject
            expiresAt = expiry
            notBefore = try Self.time("nbf", members)
            issuedAt = try Self.time("iat", members)
            issuer = try members["iss"].map { value throws(MalformedError) in try Self.text(value) }
            switch members["aud"] {
            case nil: audiences = []
            case .array(let elements)?:
                var audiences: [String] = []
                for element in elements { audiences.append(try Self.text(element)) }
                self.audiences = audiences
            case let value?: audiences = [try Self.text(value)]
            }
        }

        private static func text(_ value: JSONValue) throws(MalformedError) -> String {
            guard let text = value.string else { throw MalformedError() }
            return text
        }

        /// Reads seconds since 1970; JSON has no infinite number, and one beyond any double isn't read at all.
        private static func time(_ name: String, _ members: JSONObject) throws(MalformedError) -> UnixTime? {
            guard let value = members[name] else { return nil }
            guard let time = value.double, time.isFinite else { throw MalformedError() }
            return time
        }

        /// Returns whether the claims are good at a moment, but for whose they are and for the expiry.
        func agree(with rules: Settings.TokenRules, at now: UnixTime) -> Bool {
            let latest = now + Settings.TokenRules.leeway
            if let notBefore, notBefore > latest { return false }
            if let issuedAt, issuedAt > latest { return false }
            if let issuer = rules.issuer, self.issuer?.hasSameBytes(as: issuer) != true { return false }
            if let audience = rules.audience, !audiences.contains(where: { $0.hasSameBytes(as: audience) }) {
                return false
            }
            guard let longest = rules.maximumLifetime else { return true }
            return expiresAt - min(issuedAt ?? now, now) <= longest
        }
    }
}
