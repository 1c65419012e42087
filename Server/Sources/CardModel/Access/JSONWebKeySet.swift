import WireJSON

/// Public keys as identity providers publish them: RFC 7517, section 5.
public struct JSONWebKeySet: Sendable, Hashable {
    /// The maximum number of keys in a set.
    public static let maximumCount = 20
    /// The maximum size of a set, in bytes of JSON.
    public static let maximumSize = 65_536

    /// The keys that can check user tokens; others of the set are left out.
    public let keys: [JSONWebKey]

    /// Reads a set of an administrator or a provider, and passes over its keys that can't be used, as the RFC asks.
    ///
    /// - Throws: `ModelError` where it isn't a set, is beyond a limit, has a private or secret key, or none that can
    ///   check a user token.
    public init(json: JSONValue, at path: String) throws(ModelError) {
        for (index, element) in (json["keys"]?.array ?? []).enumerated() {
            guard let name = JSONWebKey.privateMember(of: element) else { continue }
            throw ModelError(
                .fieldInvalid,
                at: "\(path).keys[\(index)].\(name)",
                "This is a private key: only its public part belongs here."
            )
        }
        var unused: [String] = []
        try self.init(fetched: json, at: path, unused: &unused)
    }

    /// Reads a set that a provider publishes, and passes over its keys that can't be used.
    ///
    /// - Parameters:
    ///   - json: The set.
    ///   - path: Its place, for errors.
    ///   - unused: Gets a line for each key that was passed over, with its name and why.
    /// - Throws: `ModelError` where it isn't a set, is beyond a limit, or has no key that can check a user token.
    public init(fetched json: JSONValue, at path: String, unused: inout [String]) throws(ModelError) {
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
            do throws(JSONWebKey.UnusableError) {
                keys.append(try JSONWebKey(json: element))
            } catch {
                let name = element["kid"]?.string.map(JSONWebKey.shown) ?? "keys[\(index)]"
                unused.append("\(name): \(error.reason)")
            }
        }
        try self.init(keys, at: path, unused: unused)
    }

    /// Returns the set without keys that can't be used for another reason.
    ///
    /// - Parameters:
    ///   - path: The place of the set, for errors.
    ///   - unused: Gets a line for each key that is left out.
    ///   - problem: Why a key can't be used, or `nil` where it can.
    /// - Returns: The set.
    /// - Throws: `ModelError` where no key is left.
    public func leavingOut(
        at path: String,
        unused: inout [String],
        _ problem: (JSONWebKey) -> String?
    ) throws(ModelError) -> JSONWebKeySet {
        var left: [JSONWebKey] = []
        for key in keys {
            if let problem = problem(key) {
                unused.append("\(JSONWebKey.shown(key.id)): \(problem)")
            } else {
                left.append(key)
            }
        }
        return try JSONWebKeySet(left, at: path, unused: unused)
    }

    private init(_ keys: [JSONWebKey], at path: String, unused: [String]) throws(ModelError) {
        guard !keys.isEmpty else {
            let reasons = unused.prefix(5).map { " \($0)." }.joined()
            throw ModelError(.fieldInvalid, at: path, "A key for RS256 or ES256 is expected.\(reasons)")
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

    /// Says why a key can't be used.
    struct UnusableError: Error {
        let reason: String
    }

    /// Members that only private and secret keys have.
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    /// The `kid` of the tokens that it checks; where it is empty, and for tokens without one, any key may.
    @Bytewise public var id: String
    /// The numbers of the key.
    public let material: Material
    /// The members that the numbers were read from.
    private let members: JSONValue

    /// Reads a key.
    ///
    /// - Throws: ``UnusableError`` where it is private, damaged, of another kind or for another use.
    init(json: JSONValue) throws(UnusableError) {
        guard let object = json.object else { throw UnusableError(reason: "an object is expected") }
        guard Self.privateMember(of: json) == nil else { throw UnusableError(reason: "it is a private key") }
        if let use = object["use"], use.string != "sig" { throw UnusableError(reason: "its use is not sig") }
        if let operations = object["key_ops"]?.array, !operations.contains("verify") {
            throw UnusableError(reason: "its key_ops have no verify")
        }
        let names: [String]
        switch (object["kty"]?.string, object["alg"]?.string, object["crv"]?.string) {
        case ("RSA", nil, _), ("RSA", "RS256", _): names = ["n", "e"]
        case ("EC", nil, "P-256"), ("EC", "ES256", "P-256"): names = ["x", "y"]
        default: throw UnusableError(reason: "only RS256, and ES256 on P-256, are used")
        }
        material = try Self.material(object, names)
        let id = object["kid"]?.string ?? ""
        guard id.utf8.count <= 255 else { throw UnusableError(reason: "its kid has more than 255 bytes") }
        self.id = id
        var kept: JSONObject = ["kty": object["kty"] ?? "", "kid": .string(id)]
        for name in ["crv", "alg", "use"] + names { kept[name] = object[name] }
        members = .object(kept)
    }

    private static func material(_ object: JSONObject, _ names: [String]) throws(UnusableError) -> Material {
        var values: [[UInt8]] = []
        for name in names {
            guard let text = object[name]?.string, let value = Base64URL.decode(text.utf8), !value.isEmpty else {
                throw UnusableError(reason: "its \(name) is no number in base64url")
            }
            values.append(value)
        }
        guard names == ["x", "y"] else { return .rsa(modulus: values[0], exponent: values[1]) }
        guard values.allSatisfy({ $0.count == 32 }) else {
            throw UnusableError(reason: "coordinates of 32 bytes are expected")
        }
        return .p256(x: values[0], y: values[1])
    }

    /// The first member of a key that only private and secret keys have, or `nil`.
    static func privateMember(of json: JSONValue) -> String? {
        privateMembers.first { json.object?[$0] != nil }
    }

    /// A name as messages show it: the beginning of a long one, in quotation marks, with what can't be seen escaped.
    static func shown(_ id: String) -> String {
        JSONValue.string(String(String.UnicodeScalarView(id.unicodeScalars.prefix(40)))).text
    }

    /// The key as it is read back.
    var json: JSONValue { members }
}
