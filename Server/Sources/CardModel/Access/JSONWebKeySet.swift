import WireJSON

/// Public keys as identity providers publish them: RFC 7517, section 5.
public struct JSONWebKeySet: Sendable, Hashable {
    /// How many keys a set may have.
    public static let maximumCount = 20
    /// How many bytes of JSON a set may have.
    public static let maximumSize = 65_536

    /// The keys that can check user tokens; others of the set are left out.
    public let keys: [JSONWebKey]

    /// Reads a set, and passes over its keys of other kinds or for other uses, as the RFC asks.
    ///
    /// - Throws: `ModelError` where it isn't a set, is beyond a limit, has a private or secret key, a damaged one, or none
    ///   that can check a user token.
    public init(json: JSONValue, at path: String) throws(ModelError) {
        guard let elements = json["keys"]?.array else {
            throw ModelError(.fieldInvalid, at: path, "A set of keys is expected: {\"keys\": [...]}.")
        }
        guard elements.count <= Self.maximumCount, json.text.utf8.count <= Self.maximumSize else {
            throw ModelError(
                .fieldInvalid,
                at: path,
                "A set has at most \(Self.maximumCount) keys and \(Self.maximumSize) bytes."
            )
        }
        var keys: [JSONWebKey] = []
        for (index, element) in elements.enumerated() {
            if let key = try JSONWebKey(json: element, at: "\(path).keys[\(index)]") { keys.append(key) }
        }
        guard !keys.isEmpty else {
            throw ModelError(.fieldInvalid, at: path, "A key for RS256 or ES256 is expected.")
        }
        self.keys = keys
    }

    /// The set as it is read back.
    public var json: JSONValue { ["keys": .array(keys.map(\.json))] }
}

/// A public key of a set that can check user tokens.
public struct JSONWebKey: Sendable, Hashable {
    /// The numbers of a key, as bytes, the largest first.
    public enum Material: Sendable, Hashable {
        /// Modulus and exponent, for RS256.
        case rsa(modulus: [UInt8], exponent: [UInt8])
        /// The coordinates of a point on P-256, 32 bytes each, for ES256.
        case p256(x: [UInt8], y: [UInt8])
    }

    /// Members that only private and secret keys have.
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    /// The `kid` of the tokens that it checks; where it is empty, and for tokens without one, any key may.
    @Bytewise public var id: String
    /// The numbers of the key.
    public let material: Material
    /// The members that the numbers were read from.
    private let members: JSONValue

    /// Reads a key, or returns `nil` where it is of another kind or for another use.
    ///
    /// - Throws: `ModelError` where it is private or damaged.
    init?(json: JSONValue, at path: String) throws(ModelError) {
        guard let object = json.object else { throw ModelError(.fieldInvalid, at: path, "An object is expected.") }
        if let name = Self.privateMembers.first(where: { object[$0] != nil }) {
            throw ModelError(
                .fieldInvalid,
                at: "\(path).\(name)",
                "This is a private key: only its public part belongs here."
            )
        }
        if let use = object["use"], use.string != "sig" { return nil }
        if let operations = object["key_ops"]?.array, !operations.contains("verify") { return nil }
        let numbers: [String]
        switch (object["kty"]?.string, object["alg"]?.string, object["crv"]?.string) {
        case ("RSA", nil, _), ("RSA", "RS256", _): numbers = ["n", "e"]
        case ("EC", nil, "P-256"), ("EC", "ES256", "P-256"): numbers = ["x", "y"]
        default: return nil
        }
        var values: [[UInt8]] = []
        for name in numbers {
            guard let text = object[name]?.string, let value = Base64URL.decode(text.utf8), !value.isEmpty else {
                throw ModelError(.fieldInvalid, at: "\(path).\(name)", "A number in base64url is expected.")
            }
            values.append(value)
        }
        if numbers == ["x", "y"] {
            guard values.allSatisfy({ $0.count == 32 }) else {
                throw ModelError(.fieldInvalid, at: path, "Coordinates of 32 bytes are expected.")
            }
            material = .p256(x: values[0], y: values[1])
        } else {
            material = .rsa(modulus: values[0], exponent: values[1])
        }
        let id = object["kid"]?.string ?? ""
        guard id.utf8.count <= 255 else {
            throw ModelError(.fieldInvalid, at: "\(path).kid", "At most 255 bytes are expected.")
        }
        self.id = id
        var kept: JSONObject = ["kty": object["kty"] ?? "", "kid": .string(id)]
        for name in ["crv", "alg", "use"] + numbers { kept[name] = object[name] }
        members = .object(kept)
    }

    /// The key as it is read back.
    var json: JSONValue { members }
}
