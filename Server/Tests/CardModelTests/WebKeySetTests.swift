import Testing
import WireJSON

@testable import CardModel

@Suite("Sets of public keys")
struct WebKeySetTests {
    /// 31 bytes of 0 and a 1, in base64url.
    private static let coordinate = String(repeating: "A", count: 42) + "E"
    private static let rsa: JSONValue = ["kty": "RSA", "kid": "r1", "n": "AQID", "e": "AQAB"]
    private static let p256: JSONValue = [
        "kty": "EC", "kid": "e1", "crv": "P-256", "x": .string(coordinate), "y": .string(coordinate),
    ]

    private func with(_ changes: JSONObject, _ key: JSONValue = rsa) -> JSONValue {
        var members = key.object ?? [:]
        for (name, value) in changes { members[name] = value }
        return .object(members)
    }

    private func without(_ name: String, _ key: JSONValue = rsa) -> JSONValue {
        var members = key.object ?? [:]
        members.removeValue(forKey: name)
        return .object(members)
    }

    private func read(_ keys: [JSONValue]) throws(ModelError) -> (set: JSONWebKeySet, unused: [String]) {
        var unused: [String] = []
        let set = try JSONWebKeySet(fetched: ["keys": .array(keys)], at: "jwks", unused: &unused)
        return (set, unused)
    }

    @Test("Keys for RS256 and ES256 are read, with what they are made of")
    func reads() throws {
        let keys = try read([Self.rsa, Self.p256]).set.keys
        #expect(keys.map(\.id) == ["r1", "e1"])
        #expect(keys[0].material == .rsa(modulus: [1, 2, 3], exponent: [1, 0, 1]))
        let bytes = [UInt8](repeating: 0, count: 31) + [1]
        #expect(keys[1].material == .p256(x: bytes, y: bytes))
    }

    @Test("A key needs no id, no algorithm and no use, and may say the right ones")
    func options() throws {
        let keys = [
            without("kid"), with(["alg": "RS256", "use": "sig", "key_ops": ["sign", "verify"]]),
            with(["alg": "ES256"], Self.p256),
        ]
        let (set, unused) = try read(keys)
        #expect(set.keys.map(\.id) == ["", "r1", "e1"] && unused.isEmpty)
    }

    private static let reasons: [(JSONObject, String)] = [
        (["use": "enc"], "its use is not sig"), (["use": 1], "its use is not sig"),
        (["key_ops": ["sign"]], "its key_ops have no verify"), (["key_ops": []], "its key_ops have no verify"),
        (["kty": "oct"], "only RS256, and ES256 on P-256, are used"),
        (["alg": "RS512"], "only RS256, and ES256 on P-256, are used"),
        (["kty": .null], "only RS256, and ES256 on P-256, are used"),
        (["n": 5], "its n is no number in base64url"), (["n": ""], "its n is no number in base64url"),
        (["e": "A+B/"], "its e is no number in base64url"), (["e": "AQAB="], "its e is no number in base64url"),
        (["d": "AQAB"], "it is a private key"), (["k": "AQAB"], "it is a private key"),
        (["kid": .string(String(repeating: "k", count: 256))], "its kid has more than 255 bytes"),
    ]

    @Test("What can't be used of a set that was fetched is left out with its reason", arguments: reasons)
    func leavesOut(changes: JSONObject, reason: String) throws {
        let (set, unused) = try read([with(changes), Self.p256])
        #expect(set.keys.map(\.id) == ["e1"])
        #expect(unused.count == 1 && unused.first?.hasSuffix(": \(reason)") == true, "\(unused)")
    }

    @Test("A point has two coordinates of 32 bytes on the one curve that is used")
    func points() throws {
        let wrong: [(JSONValue, String)] = [
            (with(["crv": "P-384"], Self.p256), "only RS256, and ES256 on P-256, are used"),
            (without("crv", Self.p256), "only RS256, and ES256 on P-256, are used"),
            (with(["alg": "RS256"], Self.p256), "only RS256, and ES256 on P-256, are used"),
            (with(["x": "AQID"], Self.p256), "coordinates of 32 bytes are expected"),
            (without("y", Self.p256), "its y is no number in base64url"),
        ]
        for (key, reason) in wrong {
            let (set, unused) = try read([Self.rsa, key])
            #expect(set.keys.map(\.id) == ["r1"])
            #expect(unused == ["\"e1\": \(reason)"])
        }
    }

    @Test("Keys without an id are named by their place, and long ids are cut")
    func names() throws {
        let long = String(repeating: "\u{E9}", count: 100)
        let keys = [
            Self.rsa, "text", with(["use": "enc", "kid": .string(long)]), without("kid", with(["use": "enc"])),
        ]
        let unused = try read(keys).unused
        let shown = String(repeating: "\u{E9}", count: 40)
        let expected = [
            "keys[1]: an object is expected", "\"\(shown)\": its use is not sig", "keys[3]: its use is not sig",
        ]
        #expect(unused == expected)
    }

    @Test("A set without a usable key is refused, with the first five reasons")
    func empty() {
        func message(_ keys: [JSONValue]) -> String? {
            do throws(ModelError) {
                _ = try read(keys)
                return nil
            } catch {
                #expect(error.code == .fieldInvalid && error.path == "jwks")
                return error.message
            }
        }
        #expect(message([]) == "A key for RS256 or ES256 is expected.")
        let reasons = (0..<5).map { " keys[\($0)]: an object is expected." }.joined()
        #expect(message(Array(repeating: 1, count: 7)) == "A key for RS256 or ES256 is expected.\(reasons)")
    }

    @Test("A set has as many keys as it may have, and not one more, and is an object with a list")
    func limits() throws {
        let most = JSONWebKeySet.maximumCount
        #expect(try read(Array(repeating: Self.rsa, count: most)).set.keys.count == most)
        #expect(throws: ModelError.self) { try read(Array(repeating: Self.rsa, count: most + 1)) }
        let large = with(["n": .string(String(repeating: "A", count: JSONWebKeySet.maximumSize))])
        #expect(throws: ModelError.self) { try read([large]) }
        for json in [.null, [], ["keys": .null], ["keys": ["kid": "a"]], "keys"] as [JSONValue] {
            #expect(throws: ModelError.self) { try JSONWebKeySet(json: json, at: "jwks") }
        }
    }

    @Test(
        "A private key in settings is refused where it stands",
        arguments: ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]
    )
    func privateKeys(member: String) throws {
        let json: JSONValue = ["keys": [Self.p256, with([member: .null])]]
        let error = #expect(throws: ModelError.self) { try JSONWebKeySet(json: json, at: "jwks") }
        #expect(error?.path == "jwks.keys[1].\(member)")
        #expect(error?.message == "This is a private key: only its public part belongs here.")
    }

    @Test("What is kept is what keys are used by, and reads back as the same set")
    func keeps() throws {
        let own = with(["alg": "RS256", "use": "sig", "x5c": ["AAAA"], "key_ops": ["verify"]])
        let set = try JSONWebKeySet(json: ["keys": [own, Self.p256], "issued": 1], at: "jwks")
        #expect(try JSONWebKeySet(json: set.json, at: "jwks") == set)
        let kept = try #require(set.json["keys"]?.array?.first?.object)
        #expect(Set(kept.keys) == ["kty", "kid", "alg", "use", "n", "e"])
        #expect(set.json["issued"] == nil)
    }

    @Test("Keys that others find unusable are left out by id, and a set without any is refused")
    func others() throws {
        let set = try read([Self.rsa, Self.p256]).set
        var unused = ["before"]
        let left = try set.leavingOut(at: "jwks", unused: &unused) { $0.id == "r1" ? "it is too short" : nil }
        #expect(left.keys.map(\.id) == ["e1"] && unused == ["before", "\"r1\": it is too short"])
        var all: [String] = []
        do {
            _ = try set.leavingOut(at: "jwks", unused: &all) { _ in "no" }
            Issue.record("A set without a key was taken.")
        } catch {
            #expect(error.path == "jwks" && all.count == 2)
        }
    }
}
