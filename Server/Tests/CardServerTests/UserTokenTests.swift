import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import JWTKit
import Testing
import WireJSON

@testable import CardServer

@Suite("User tokens")
struct UserTokenTests {
    struct Claims: JWTPayload {
        var sub: SubjectClaim
        var exp: ExpirationClaim

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    /// Two keys of the workspace's owner, and one of another owner.
    struct Signers: Sendable {
        let p256 = P256.Signing.PrivateKey()
        let rsa: _RSA.Signing.PrivateKey
        let foreign = P256.Signing.PrivateKey()

        init() throws { rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048) }

        func es256(_ user: String, expires: Double, by key: P256.Signing.PrivateKey? = nil) async throws -> String {
            let keys = await JWTKeyCollection().add(ecdsa: try ES256PrivateKey(pem: (key ?? p256).pemRepresentation))
            return try await keys.sign(Self.claims(user, expires))
        }

        func rs256(_ user: String, expires: Double) async throws -> String {
            let key = try Insecure.RSA.PrivateKey(pem: rsa.pemRepresentation)
            return try await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256).sign(Self.claims(user, expires))
        }

        /// Signs with the published key as if it were a shared secret, which a careless server would accept.
        func confused(_ user: String, expires: Double) async throws -> String {
            let keys = await JWTKeyCollection().add(
                hmac: HMACKey(from: p256.publicKey.pemRepresentation),
                digestAlgorithm: .sha256
            )
            return try await keys.sign(Self.claims(user, expires))
        }

        func settings(_ mode: String) -> JSONValue {
            [
                "user_tokens": .string(mode),
                "public_keys": [
                    ["id": "ec", "pem": .string(p256.publicKey.pemRepresentation)],
                    ["id": "rsa", "pem": .string(rsa.publicKey.pemRepresentation)],
                ],
            ]
        }

        private static func claims(_ user: String, _ expires: Double) -> Claims {
            Claims(sub: SubjectClaim(value: user), exp: ExpirationClaim(value: Date(timeIntervalSince1970: expires)))
        }
    }

    private func token(_ value: String) -> HTTPFields { [.placardUserToken: value] }

    @Test("Where tokens are required, a device speaks only for the user of its token")
    func required() async throws {
        let signers = try Signers()
        try await Workspace.run { workspace in
            #expect(try await workspace.manage(.put, "/v1/settings", signers.settings("required")).status == 200)
            let later = workspace.time.now + 600

            let missing = try await workspace.sync("ann")
            #expect(missing.status == 401)
            #expect(missing.code == "token_missing")
            for good in [
                try await signers.es256("ann", expires: later), try await signers.rs256("ann", expires: later),
            ] {
                #expect(try await workspace.sync("ann", headers: token(good)).status == 200)
                #expect(try await workspace.sync("bob", headers: token(good)).code == "token_invalid")
            }
            let live = try await workspace.send(.get, "/v1/live?user_id=ann", raw: nil, key: workspace.publishable)
            #expect(live.code == "token_missing")
        }
    }

    @Test("A token that has expired is refused, also one that was good before")
    func expired() async throws {
        let signers = try Signers()
        try await Workspace.run { workspace in
            try await workspace.manage(.put, "/v1/settings", signers.settings("required"))
            let brief = try await signers.es256("ann", expires: workspace.time.now + 60)
            #expect(try await workspace.sync("ann", headers: token(brief)).status == 200)
            workspace.time.advance(by: 60)
            let answer = try await workspace.sync("ann", headers: token(brief))
            #expect(answer.status == 401)
            #expect(answer.code == "token_expired")
        }
    }

    @Test("A token that no key of the workspace signed is refused, whatever its header says")
    func forged() async throws {
        let signers = try Signers()
        try await Workspace.run { workspace in
            try await workspace.manage(.put, "/v1/settings", signers.settings("required"))
            let later = workspace.time.now + 600
            let unsigned = Data(#"{"alg":"none","typ":"JWT"}"#.utf8).base64EncodedString()
            let body = Data(#"{"sub":"ann","exp":\#(Int(later))}"#.utf8).base64EncodedString()
            let forgeries = [
                try await signers.es256("ann", expires: later, by: signers.foreign),
                try await signers.confused("ann", expires: later), "\(unsigned).\(body).", "a.b.c", "",
            ]
            for forgery in forgeries {
                let answer = try await workspace.sync("ann", headers: token(forgery))
                #expect(answer.status == 401)
                #expect(answer.code == "token_invalid")
            }
        }
    }

    @Test(
        "Where tokens are optional, none is fine and a wrong one is not; where they are disabled, none is looked at"
    )
    func modes() async throws {
        let signers = try Signers()
        try await Workspace.run { workspace in
            try await workspace.manage(.put, "/v1/settings", signers.settings("optional"))
            #expect(try await workspace.sync("ann").status == 200)
            #expect(try await workspace.sync("ann", headers: token("a.b.c")).code == "token_invalid")
            try await workspace.manage(.put, "/v1/settings", signers.settings("disabled"))
            #expect(try await workspace.sync("ann", headers: token("a.b.c")).status == 200)
        }
    }
}
