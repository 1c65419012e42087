import CardServer
import Crypto
import Foundation
import Hummingbird
import LiveTesting
import NIOCore
import Synchronization
import Testing
import WireJSON

@testable import Dashboard

/// A small OpenID provider on a port of this machine, which can be told to misbehave.
final class TestProvider: Sendable {
    /// What it does wrong.
    enum Fault: String, CaseIterable, Sendable {
        case otherNonce, otherAudience, severalAudiences, otherParty, otherIssuer, otherTokenHash
        case noSignature, symmetricSignature, foreignSignature, unknownKey
        case expired, tooOld, toCome, noIssueTime, longSubject
        case noToken, refusedCode
        case hugeAnswer, hugeKeySet, otherIssuerInDocument, plainAddress, silent

        /// The status of the page that tells of it.
        var status: Int {
            switch self {
            case .hugeAnswer, .hugeKeySet, .otherIssuerInDocument, .plainAddress, .silent: 503
            default: 401
            }
        }
    }

    /// Whoever signs in there.
    struct Person: Sendable {
        var subject = "sub-1"
        var email = "admin@example.com"
        var isVerified: Bool? = true
        var groups: [String]?
        var authenticatedAt: Double?
    }

    struct State {
        var key = P256.Signing.PrivateKey()
        var keyID = "one"
        var fault: Fault?
        var person = Person()
        var now = 1_800_000_000.0
        var issuer = ""
        /// What browsers that have yet to bring their code have asked for.
        var codes: [String: FormData] = [:]
        var codeCount = 0
        /// What the last browser has asked for.
        var lastQuery: FormData?
        var keyFetches = 0
        var documentFetches = 0
        /// The requests that wait for an answer.
        var silent: [AsyncStream<Never>.Continuation] = []
    }

    static let secret = "the secret: of a+client"
    private let state = Mutex(State())

    var issuer: String { state.withLock { $0.issuer } }
    var keyFetches: Int { state.withLock { $0.keyFetches } }
    var documentFetches: Int { state.withLock { $0.documentFetches } }

    /// Changes what it does; requests that wait for an answer get one, unless it stays silent.
    func change(_ body: (inout State) -> Void) {
        let released = state.withLock { state in
            body(&state)
            defer { if state.fault != .silent { state.silent = [] } }
            return state.fault == .silent ? [] : state.silent
        }
        for one in released { one.finish() }
    }

    /// The settings of a server that trusts it.
    var settings: OpenIDSettings {
        var settings = OpenIDSettings(issuer: issuer, clientID: "placard", clientSecret: Self.secret)
        settings.name = "Example ID"
        // However busy the machine is.
        (settings.timeout, settings.keysTimeout) = (300, 300)
        return settings
    }

    static func run(_ body: @escaping @Sendable (TestProvider) async throws -> Void) async throws {
        let provider = TestProvider()
        let router = Router()
        router.get("/.well-known/openid-configuration") { _, _ in try await provider.document() }
        router.get("/keys") { _, _ in provider.keySet() }
        router.post("/token") { request, _ in
            let form = FormData(urlEncoded: String(buffer: try await request.body.collect(upTo: 16_384)))
            return provider.answer(form, authorization: request.headers[.authorization])
        }
        try await LiveClient.run(Application(router: router)) { client in
            provider.change { $0.issuer = "http://127.0.0.1:\(client.port)" }
            try await body(provider)
        }
    }

    /// Lets a browser sign in there, and returns the path that it is sent back to.
    func signIn(_ address: String) throws -> String {
        let query = FormData(urlEncoded: String(address.split(separator: "?", maxSplits: 1).last ?? ""))
        #expect(query["response_type"] == "code" && query["code_challenge_method"] == "S256")
        #expect(query["redirect_uri"] == "https://cards.example.com/dashboard/sign-in/provider/callback")
        let issuer = FormData.escape(self.issuer)
        let code = state.withLock { state in
            state.codeCount += 1
            state.codes["code-\(state.codeCount)"] = query
            state.lastQuery = query
            return "code-\(state.codeCount)"
        }
        return "\(OpenIDProvider.path)?code=\(code)&state=\(query["state"] ?? "")&iss=\(issuer)"
    }

    /// Lets a visitor sign in, from the button to the page after it.
    func signIn(
        _ visitor: Visitor,
        from path: String = "/dashboard/sign-in/provider?next=/dashboard/keys"
    ) async throws -> Visitor.Page {
        let start = try await visitor.get(path)
        guard let address = start.location, address.hasPrefix(issuer) else { return start }
        return try await visitor.get(try signIn(address))
    }

    // MARK: What it answers

    private func document() async throws -> Response {
        let (issuer, fault) = state.withLock { state in
            state.documentFetches += 1
            return (state.issuer, state.fault)
        }
        if fault == .silent {
            let (stream, continuation) = AsyncStream<Never>.makeStream()
            state.withLock { $0.silent.append(continuation) }
            for await _ in stream {}
        }
        let token = fault == .plainAddress ? "http://provider.example.com/token" : issuer + "/token"
        return Self.json([
            "issuer": .string(fault == .otherIssuerInDocument ? issuer + "/" : issuer),
            "authorization_endpoint": .string(issuer + "/authorize?tenant=1"), "token_endpoint": .string(token),
            "jwks_uri": .string(issuer + "/keys"), "authorization_response_iss_parameter_supported": true,
        ])
    }

    private func keySet() -> Response {
        let (key, id, fault) = state.withLock { state in
            state.keyFetches += 1
            return (state.key, state.keyID, state.fault)
        }
        let point = key.publicKey.rawRepresentation
        let one: JSONValue = [
            "kty": "EC", "crv": "P-256", "kid": .string(id), "x": .string(SecretBytes.text(Array(point.prefix(32)))),
            "y": .string(SecretBytes.text(Array(point.suffix(32)))),
        ]
        return Self.json(["keys": .array(Array(repeating: one, count: fault == .hugeKeySet ? 10_000 : 1))])
    }

    private func answer(_ form: FormData, authorization: String?) -> Response {
        let (state, query) = state.withLock { state in
            (state, form["code"].flatMap { state.codes.removeValue(forKey: $0) })
        }
        // Both are encoded before they are joined: RFC 6749, section 2.3.1.
        let credentials = Data("placard:the%20secret%3A%20of%20a%2Bclient".utf8).base64EncodedString()
        let challenge = SecretBytes.text(SecretBytes.hash(Array((form["code_verifier"] ?? "").utf8)))
        guard let query, authorization == "Basic \(credentials)", query["code_challenge"] == challenge,
            form["redirect_uri"] == query["redirect_uri"], form["grant_type"] == "authorization_code",
            state.fault != .refusedCode
        else { return Response(status: .badRequest) }
        if state.fault == .hugeAnswer {
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(repeating: 0x20, count: 1 << 20)))
        }
        guard state.fault != .noToken else { return Self.json(["access_token": "access"]) }
        return Self.json([
            "access_token": "access", "token_type": "Bearer", "id_token": .string(Self.token(state, query)),
        ])
    }

    private static func token(_ state: State, _ query: FormData) -> String {
        let header: JSONValue =
            switch state.fault {
            case .noSignature: ["alg": "none", "kid": .string(state.keyID)]
            case .symmetricSignature: ["alg": "HS256", "kid": .string(state.keyID)]
            case .unknownKey: ["alg": "ES256", "kid": "another"]
            default: ["alg": "ES256", "kid": .string(state.keyID)]
            }
        let signed = [header, claims(state, query)].map { SecretBytes.text(Array($0.text.utf8)) }.joined(separator: ".")
        return signed + "." + SecretBytes.text(signature(of: Array(signed.utf8), state))
    }

    private static func signature(of signed: [UInt8], _ state: State) -> [UInt8] {
        let key = state.fault == .foreignSignature ? P256.Signing.PrivateKey() : state.key
        switch state.fault {
        case .symmetricSignature:
            // The public key as the secret, as it once worked elsewhere.
            return SecretBytes.code(of: signed, key: Array(key.publicKey.pemRepresentation.utf8))
        default: return (try? key.signature(for: Data(signed))).map { Array($0.rawRepresentation) } ?? []
        }
    }

    private static func claims(_ state: State, _ query: FormData) -> JSONValue {
        var claims: JSONObject = [
            "iss": .string(state.fault == .otherIssuer ? state.issuer + "/" : state.issuer),
            "sub": .string(state.fault == .longSubject ? String(repeating: "s", count: 256) : state.person.subject),
            "exp": .number(state.now + (state.fault == .expired ? -61 : 300)),
            "nonce": .string(state.fault == .otherNonce ? "another" : query["nonce"] ?? ""),
            "email": .string(state.person.email), "name": "Anna", "at_hash": .string(hash(state.fault)),
        ]
        switch state.fault {
        case .otherAudience: claims["aud"] = "another"
        case .severalAudiences: claims["aud"] = ["placard", "another"]
        default: claims["aud"] = "placard"
        }
        switch state.fault {
        case .noIssueTime: break
        case .tooOld: claims["iat"] = .number(state.now - 601)
        case .toCome: claims["iat"] = .number(state.now + 61)
        default: claims["iat"] = .number(state.now)
        }
        if state.fault == .otherParty { claims["azp"] = "another" }
        if let isVerified = state.person.isVerified { claims["email_verified"] = .bool(isVerified) }
        if let groups = state.person.groups { claims["groups"] = .array(groups.map(JSONValue.string)) }
        if let time = state.person.authenticatedAt { claims["auth_time"] = .number(time) }
        return .object(claims)
    }

    private static func hash(_ fault: Fault?) -> String {
        let token = fault == .otherTokenHash ? "another" : "access"
        return SecretBytes.text(Array(SecretBytes.hash(Array(token.utf8)).prefix(16)))
    }

    private static func json(_ value: JSONValue) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(string: value.text))
        )
    }
}
