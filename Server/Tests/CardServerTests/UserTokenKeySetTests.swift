import CardModel
import CardStore
import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import Logging
import Synchronization
import Testing
import WireJSON

@testable import CardServer

@Suite("Sets of token keys")
struct UserTokenKeySetTests {
    private static func encode(_ data: some DataProtocol) -> String {
        Data(data).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func token(
        _ header: String,
        _ claims: String = #"{"sub":"ann","exp":1800000600}"#,
        sign: (Data) throws -> Data
    ) throws -> String {
        let signed = encode(Data(header.utf8)) + "." + encode(Data(claims.utf8))
        return signed + "." + encode(try sign(Data(signed.utf8)))
    }

    private static func p256(_ key: P256.Signing.PrivateKey, id: String, _ more: JSONObject = [:]) -> JSONValue {
        let point = key.publicKey.rawRepresentation
        let members: JSONObject = [
            "kty": "EC", "crv": "P-256", "kid": .string(id), "x": .string(encode(point.prefix(32))),
            "y": .string(encode(point.suffix(32))),
        ]
        return .object(members.merging(more) { $1 })
    }

    private static func rsa(_ key: _RSA.Signing.PrivateKey, id: String) throws -> JSONValue {
        let numbers = try key.publicKey.getKeyPrimitives()
        return [
            "kty": "RSA", "kid": .string(id), "use": "sig", "alg": "RS256", "n": .string(encode(numbers.modulus)),
            "e": .string(encode(numbers.publicExponent)),
        ]
    }

    private static func settings(_ keys: [JSONValue]) -> JSONValue {
        ["user_tokens": "required", "jwks": ["keys": .array(keys)]]
    }

    @Test("Tokens are checked by the keys of a set, and no longer once a key has left it")
    func rotation() async throws {
        let old = P256.Signing.PrivateKey()
        let new = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let byOld = try Self.token(#"{"alg":"ES256","kid":"old"}"#) { try old.signature(for: $0).rawRepresentation }
        let byNew = try Self.token(#"{"alg":"RS256","kid":"new"}"#) {
            try new.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5).rawRepresentation
        }
        try await Workspace.run { workspace in
            func code(_ token: String) async throws -> String? {
                try await workspace.sync("ann", headers: [.placardUserToken: token]).code
            }
            try await workspace.manage(.put, "/v1/settings", Self.settings([Self.p256(old, id: "old")]))
            #expect(try await code(byOld) == nil)
            #expect(try await code(byNew) == "token_invalid")

            let both = Self.settings([Self.p256(old, id: "old"), try Self.rsa(new, id: "new")])
            try await workspace.manage(.put, "/v1/settings", both)
            #expect(try await code(byOld) == nil)
            #expect(try await code(byNew) == nil)
            let read = try await workspace.manage(.get, "/v1/settings")
            #expect(read.json["jwks"]?["keys"]?.array?.count == 2)

            try await workspace.manage(.put, "/v1/settings", Self.settings([try Self.rsa(new, id: "new")]))
            #expect(try await code(byOld) == "token_invalid")
            #expect(try await code(byNew) == nil)
        }
    }

    @Test("Keys are fetched from an address, and stay while it cannot be reached")
    func address() async throws {
        let key = P256.Signing.PrivateKey()
        let token = try Self.token(#"{"alg":"ES256","kid":"a"}"#) { try key.signature(for: $0).rawRepresentation }
        let set = JSONValue.object(["keys": [Self.p256(key, id: "a")]]).text
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(set.utf8.count)\r\n\r\n\(set)"
        try await Workspace.run(asksPrivateHosts: true) { workspace in
            let closed = try await RawHost.closedPort()
            let nowhere = "http://127.0.0.1:\(closed)/jwks"
            func save(_ url: String) async throws -> Answer {
                try await workspace.manage(
                    .put,
                    "/v1/settings",
                    ["user_tokens": "required", "jwks_url": .string(url)]
                )
            }
            #expect(try await save(nowhere).path == "jwks_url")
            try await RawHost.run(sending: answer) { _, port in
                let saved = try await save("http://127.0.0.1:\(port)/jwks")
                #expect(saved.status == 200)
                #expect(saved.json["jwks"]?["keys"]?.array?.count == 1)
            }
            #expect(try await workspace.sync("ann", headers: [.placardUserToken: token]).status == 200)
            let read = try await workspace.manage(.get, "/v1/settings").json
            let again = try await workspace.manage(.put, "/v1/settings", read)
            #expect(again.json["jwks"]?["keys"]?.array?.count == 1)

            // Without the address its keys are nobody's, and tokens can't be required any more.
            let alone = try await workspace.manage(.patch, "/v1/settings", ["jwks_url": .null])
            #expect((alone.status, alone.path) == (400, "public_keys"))
            var without = read.object ?? [:]
            (without["jwks_url"], without["user_tokens"]) = (.null, "optional")
            let gone = try await workspace.manage(.put, "/v1/settings", .object(without))
            #expect(gone.status == 200 && gone.json["jwks"] == .null)
            // Whoever sets the same keys by hand means them.
            let byHand = try await workspace.manage(.patch, "/v1/settings", ["jwks": read["jwks"] ?? .null])
            #expect(byHand.json["jwks"]?["keys"]?.array?.count == 1)
        }
    }

    @Test("An address of a private network is refused like one where nothing is")
    func privateAddress() async throws {
        try await Workspace.run { workspace in
            let urls = [
                "https://127.0.0.1/jwks", "https://[::1]/", "http://example.com/", "ftp://example.com/", "x", "",
            ]
            for url in urls {
                let answer = try await workspace.manage(.put, "/v1/settings", ["jwks_url": .string(url)])
                #expect(answer.status == 400, "\(url)")
                #expect(answer.path == "jwks_url", "\(url)")
            }
        }
    }

    @Test("A token with an unknown key makes the server fetch the keys again, once a minute at the most")
    func unknownKey() async throws {
        let (old, new) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
        let token = try Self.token(#"{"alg":"ES256","kid":"new"}"#) { try new.signature(for: $0).rawRepresentation }
        let published = Mutex(Self.p256(old, id: "old"))
        let fetches = Atomic(0)
        try await Workspace.run { workspace in
            var settings = Settings()
            settings.userTokens = .required
            settings.keySetURL = "https://provider.example/jwks"
            settings.keySet = try JSONWebKeySet(json: ["keys": [Self.p256(old, id: "old")]], at: "jwks")
            let catalog = try await CatalogCache(store: workspace.store)
            let refresher = KeySetRefresher(
                store: workspace.store,
                catalog: catalog,
                fetch: { _ in
                    fetches.wrappingAdd(1, ordering: .relaxed)
                    return try JSONWebKeySet(json: ["keys": [published.withLock { $0 }]], at: "jwks")
                },
                clock: { workspace.time.now },
                logger: Logger(label: "test")
            )
            try await workspace.store.saveSettings(settings, at: workspace.time.now, by: .command)
            try await catalog.reload()
            func accepts() -> Bool {
                let tokens = catalog.current.tokens
                return (try? tokens.verify(token, for: UserID(rawValue: "ann"), at: workspace.time.now)) != nil
            }
            workspace.time.advance(by: KeySetRefresher.shortestInterval)
            await refresher.step()
            #expect(fetches.load(ordering: .relaxed) == 0)

            published.withLock { $0 = Self.p256(new, id: "new") }
            #expect(!accepts())
            await refresher.step()
            #expect(fetches.load(ordering: .relaxed) == 1)
            #expect(accepts())

            catalog.keySetWatch.raise()
            await refresher.step()
            #expect(fetches.load(ordering: .relaxed) == 1)
            workspace.time.advance(by: KeySetRefresher.interval)
            await refresher.step()
            #expect(fetches.load(ordering: .relaxed) == 2)
            #expect(try await workspace.store.latestAuditEntries(limit: 1).first?.actor == "server")
        }
    }

    @Test("Keys that could not be fetched for a day check no tokens until they are, but those in PEM do")
    func age() async throws {
        let (key, own) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
        let claims = #"{"sub":"ann","exp":1900000000}"#
        let token = try Self.token(#"{"alg":"ES256","kid":"a"}"#, claims) {
            try key.signature(for: $0).rawRepresentation
        }
        let other = try Self.token(#"{"alg":"ES256","kid":"own"}"#, claims) {
            try own.signature(for: $0).rawRepresentation
        }
        let isAway = Mutex(true)
        try await Workspace.run { workspace in
            let set = try JSONWebKeySet(json: ["keys": [Self.p256(key, id: "a")]], at: "jwks")
            var settings = Settings()
            settings.userTokens = .required
            settings.tokenRules.maximumLifetime = 3_153_600_000
            settings.keySetURL = "https://provider.example/jwks"
            settings.keySet = set
            settings.publicKeys = [Settings.PublicKey(id: "own", pem: own.publicKey.pemRepresentation)]
            try await workspace.store.saveSettings(settings, at: workspace.time.now, by: .command)
            let catalog = try await CatalogCache(store: workspace.store)
            let refresher = KeySetRefresher(
                store: workspace.store,
                catalog: catalog,
                fetch: { _ in
                    guard !isAway.withLock({ $0 }) else { throw RequestError.unavailable }
                    return set
                },
                clock: { workspace.time.now },
                logger: Logger(label: "test")
            )
            func code(_ token: String) -> String? {
                do throws(RequestError) {
                    let (tokens, now) = (catalog.current.tokens, workspace.time.now)
                    try tokens.verify(token, for: UserID(rawValue: "ann"), at: now)
                    return tokens.accepts(token, for: UserID(rawValue: "ann"), at: now) ? nil : "not remembered"
                } catch {
                    return error.code
                }
            }
            // Given keys of the last time, and a provider that is away
            await refresher.step()
            #expect(code(token) == nil && code(other) == nil)
            workspace.time.advance(by: KeySetWatch.maximumAge)
            await refresher.step()
            #expect(code(token) == nil)
            #expect(catalog.keySetWatch.failures == 1)
            // When a day has gone by
            workspace.time.advance(by: KeySetRefresher.interval)
            await refresher.step()
            #expect(code(token) == "token_keys_outdated" && code(other) == nil)
            #expect(code(token + "x") != nil)
            // And when it is back
            isAway.withLock { $0 = false }
            workspace.time.advance(by: KeySetRefresher.interval)
            await refresher.step()
            #expect(code(token) == nil && code(other) == nil)
            #expect(catalog.keySetWatch.age(of: "https://provider.example/jwks", at: workspace.time.now) == 0)
        }
    }

    @Test("Metrics say how old the keys of an address are, and how often they could not be fetched")
    func metrics() {
        let metrics = ServerMetrics()
        func text(_ age: Double?, _ failures: Int) -> String {
            metrics.tokenKeyLines(age, failures).joined(separator: "\n")
        }
        #expect(text(90, 3).contains("\nplacard_token_keys_age_seconds 90.0"))
        #expect(text(90, 3).contains("\nplacard_token_keys_fetch_failures_total 3"))
        #expect(!text(nil, 0).contains("age_seconds"))
    }

    @Test("Keys of other kinds and for other uses are passed over")
    func otherKeys() async throws {
        let key = P256.Signing.PrivateKey()
        let others: [JSONValue] = [
            ["kty": "OKP", "crv": "Ed25519", "x": "AAAA"], ["kty": "EC", "crv": "P-384", "x": "AA", "y": "AA"],
            Self.p256(key, id: "a", ["use": "enc"]), Self.p256(key, id: "b", ["key_ops": ["encrypt"]]),
            Self.p256(key, id: "c", ["alg": "ES512"]),
        ]
        try await Workspace.run { workspace in
            let refused = try await workspace.manage(.put, "/v1/settings", Self.settings(others))
            #expect(refused.status == 400)
            #expect(refused.path == "jwks")
            let saved = try await workspace.manage(
                .put,
                "/v1/settings",
                Self.settings(others + [Self.p256(key, id: "good")])
            )
            #expect(saved.status == 200)
            #expect(saved.json["jwks"]?["keys"]?.array?.count == 1)
        }
    }

    @Test("Keys that can't be used are passed over: the others of the set check tokens")
    func unusableKeys() async throws {
        let key = P256.Signing.PrivateKey()
        let token = try Self.token(#"{"alg":"ES256","kid":"good"}"#) { try key.signature(for: $0).rawRepresentation }
        let unusable: [JSONValue] = [
            ["kty": "RSA", "kid": "small", "e": "AQAB", "n": .string(String(repeating: "q", count: 171))],
            ["kty": "RSA", "kid": "damaged", "e": "AQAB", "n": "A+=="], ["kty": "RSA", "kid": "absent"],
            Self.p256(key, id: "point", ["y": .string(String(repeating: "A", count: 43))]),
            Self.p256(key, id: "short", ["x": "AAAA"]), Self.p256(key, id: String(repeating: "k", count: 256)),
            "text", .null, ["kty": "new"],
        ]
        try await Workspace.run { workspace in
            let keys = unusable + [Self.p256(key, id: "good")]
            let saved = try await workspace.manage(.put, "/v1/settings", Self.settings(keys))
            #expect(saved.status == 200)
            #expect(saved.json["jwks"]?["keys"]?.array?.map { $0["kid"]?.string } == ["good"])
            #expect(try await workspace.sync("ann", headers: [.placardUserToken: token]).status == 200)

            let refused = try await workspace.manage(.put, "/v1/settings", Self.settings([unusable[1], unusable[4]]))
            #expect(refused.status == 400 && refused.path == "jwks")
            #expect(refused.text.contains("damaged") && refused.text.contains("base64url"))
            #expect(refused.text.contains("short") && refused.text.contains("32 bytes"))
        }
        // A provider that publishes a private key loses that one; people who paste theirs are told.
        var unused: [String] = []
        let leaked = Self.p256(key, id: "leaked\nline", ["d": "AAAA"])
        let all = JSONValue.object(["keys": .array(unusable + [leaked, Self.p256(key, id: "good")])])
        let fetched = try JSONWebKeySet(fetched: all, at: "jwks", unused: &unused)
        #expect(try UserTokenVerifier.usable(fetched, unused: &unused).keys.map(\.id) == ["good"])
        #expect(unused.count == 10 && unused.allSatisfy { $0.utf8.count < 150 && !$0.contains("\n") })
        #expect(unused.contains { $0.hasPrefix("\"small\": ") } && unused.contains { $0.contains("private") })
        #expect(throws: ModelError.self) { try JSONWebKeySet(json: all, at: "jwks") }
    }

    @Test("Private and too many keys are refused, and sets of nothing but damaged and small ones")
    func refused() async throws {
        let key = P256.Signing.PrivateKey()
        let small: JSONValue = ["kty": "RSA", "e": "AQAB", "n": .string(String(repeating: "q", count: 171))]
        let large: JSONValue = ["kty": "RSA", "e": "AQAB", "n": .string(String(repeating: "q", count: 2_800))]
        try await Workspace.run { workspace in
            for wrong: JSONValue in [
                ["keys": [Self.p256(key, id: "a", ["d": "AAAA"])]], ["keys": [["kty": "oct", "k": "AAAA"]]],
                ["keys": [Self.p256(key, id: "a", ["x": "A+=="])]], ["keys": [Self.p256(key, id: "a", ["x": "AAAA"])]],
                ["keys": [Self.p256(key, id: "a", ["y": .string(String(repeating: "A", count: 43))])]],
                ["keys": [small]], ["keys": [large]], ["keys": []], [:], "x", ["keys": ["x"]],
                ["keys": .array((0..<21).map { Self.p256(key, id: "k\($0)") })],
                ["keys": [Self.p256(key, id: String(repeating: "k", count: 256))]],
            ] {
                let answer = try await workspace.manage(
                    .put,
                    "/v1/settings",
                    ["user_tokens": "required", "jwks": wrong]
                )
                #expect(answer.status == 400, "\(wrong.text.prefix(100))")
                #expect(answer.path?.hasPrefix("jwks") == true, "\(wrong.text.prefix(100))")
            }
        }
    }
}
