import Crypto
import Foundation
import HTTPTypes
import Testing
import WireJSON

@testable import CardServer

/// Tokens that are signed by the right key and still not good, made by hand.
@Suite("What a user token has to say")
struct UserTokenClaimTests {
    private let key = P256.Signing.PrivateKey()

    private static func encode(_ data: some DataProtocol) -> String {
        Data(data).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Signs a header and claims, whatever they are.
    private func token(_ claims: String, header: String = #"{"alg":"ES256","typ":"JWT"}"#) throws -> String {
        let signed = Self.encode(Data(header.utf8)) + "." + Self.encode(Data(claims.utf8))
        return signed + "." + Self.encode(try key.signature(for: Data(signed.utf8)).rawRepresentation)
    }

    private func run(
        _ rules: JSONObject = [:],
        _ body:
            @escaping @Sendable (Workspace, @escaping @Sendable (String) async throws -> String?) async throws -> Void
    ) async throws {
        let settings: JSONObject = [
            "user_tokens": "required",
            "public_keys": [["id": "k1", "pem": .string(key.publicKey.pemRepresentation)]],
        ]
        try await Workspace.run { workspace in
            let saved = try await workspace.manage(.put, "/v1/settings", .object(settings.merging(rules) { $1 }))
            guard saved.status == 200 else { throw Unexpected(answer: saved) }
            try await body(workspace) { token in
                let answer = try await workspace.sync("ann", headers: [.placardUserToken: token])
                if answer.status == 200 { return nil }
                #expect(answer.status == 401)
                return answer.code
            }
        }
    }

    @Test("Claims are of the right type, in range and said once")
    func claims() async throws {
        try await run { _, check in
            let good = #""sub":"ann","exp":1800000600"#
            #expect(try await check(token("{\(good)}")) == nil)
            for wrong in [
                #"{"sub":"ann"}"#, #"{"exp":1800000600}"#, #"{"sub":"ann","exp":"1800000600"}"#,
                #"{"sub":"ann","exp":1e400}"#, #"{"sub":"ann","exp":null}"#, #"{"sub":1,"exp":1800000600}"#,
                #"{"sub":"ann","exp":9223372036854775807}"#, #"{"sub":"ann","exp":1e308}"#,
                #"{\#(good),"nbf":1800000061}"#, #"{\#(good),"nbf":"x"}"#, #"{\#(good),"iat":1800000061}"#,
                #"{\#(good),"iat":1e308}"#, #"{\#(good),"iss":1}"#, #"{\#(good),"aud":[1]}"#, #"{\#(good),"aud":{}}"#,
                #"{"sub":"bob",\#(good)}"#, #"{\#(good),"exp":1800000601}"#, #"{\#(good),"iat":-1e300}"#, "[]", "1", "",
            ] {
                let found1 = try await check(token(wrong))
                #expect(found1 == "token_invalid", "\(wrong)")
            }
            for expired in ["1800000000", "0", "-1", "-9223372036854775808", "-1e308"] {
                #expect(try await check(token(#"{"sub":"ann","exp":\#(expired)}"#)) == "token_expired", "\(expired)")
            }
            for fine in [#"{\#(good),"nbf":1800000060}"#, #"{\#(good),"iat":1800000060}"#] {
                let found2 = try await check(token(fine))
                #expect(found2 == nil, "\(fine)")
            }
        }
    }

    @Test("The header says an algorithm of the key, nothing critical, no other purpose, and a key that there is")
    func headers() async throws {
        try await run { _, check in
            let claims = #"{"sub":"ann","exp":1800000600}"#
            let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
            for wrong in [
                #"{"alg":"none"}"#, #"{"alg":"None"}"#, #"{"alg":"HS256"}"#, #"{"alg":"RS256"}"#, #"{"alg":"ES384"}"#,
                #"{"alg":"es256"}"#, #"{"typ":"JWT"}"#, #"{"alg":["ES256"]}"#, #"{"alg":"ES256","crit":["exp"]}"#,
                #"{"alg":"ES256","crit":[]}"#, #"{"alg":"ES256","kid":"other"}"#, #"{"alg":"ES256","kid":1}"#,
                #"{"alg":"ES256","kid":""}"#, #"{"alg":"none","alg":"ES256"}"#, #"{"alg":"ES256","kid":"\u212A1"}"#,
                #"{"alg":"ES256","x":\#(deep)}"#, #"{"alg":"ES256","typ":"at+jwt"}"#, #"{"alg":"ES256","typ":"JWE"}"#,
                #"{"alg":"ES256","typ":1}"#, #"{"alg":"ES256","typ":null}"#, #"{"alg":"ES256","zip":"DEF"}"#,
                #"{"alg":"ES256","enc":"A256GCM"}"#,
            ] {
                let found3 = try await check(token(claims, header: wrong))
                #expect(found3 == "token_invalid", "\(wrong)")
            }
            for fine in [
                #"{"alg":"ES256","kid":"k1"}"#, #"{"alg":"ES256","typ":"jwt"}"#,
                #"{"alg":"ES256","typ":"application/jwt"}"#,
            ] {
                let answer = try await check(token(claims, header: fine))
                #expect(answer == nil, "\(fine)")
            }
        }
    }

    @Test("A token is refused for its size, its parts and its signature")
    func forms() async throws {
        try await run { _, check in
            let claims = #"{"sub":"ann","exp":1800000600}"#
            let good = try token(claims)
            let found4 = try await check(good)
            #expect(found4 == nil)
            let large = try token(#"{"sub":"ann","exp":1800000600,"x":"\#(String(repeating: "x", count: 7_000))"}"#)
            let unsigned = good.split(separator: ".").dropLast().joined(separator: ".")
            let header = String(good.prefix { $0 != "." })
            let short = String(good.dropLast(4))
            let doubled = good.replacing(".", with: "..")
            // 64 bytes take 86 characters, of whose last one four bits are of no byte.
            let last = try #require(good.last)
            let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
            let place = try #require(digits.firstIndex(of: last))
            #expect(place % 16 == 0)
            let another = String(good.dropLast()) + String(digits[place + 1])
            let forms: [String] = [
                large, "\(good).", ".\(good)", "\(good)=", short, doubled, header, "..", unsigned, "\(unsigned).",
                another,
            ]
            for wrong in forms {
                let found5 = try await check(wrong)
                #expect(found5 == "token_invalid")
            }
        }
    }

    @Test("A token is good for the issuer, the audience and the time that the settings name")
    func rules() async throws {
        let rules: JSONObject = [
            "token_issuer": "https://id.example.com", "token_audience": "shop", "token_max_lifetime_seconds": 3_600,
        ]
        try await run(rules) { workspace, check in
            let good = #""sub":"ann","iss":"https://id.example.com""#
            #expect(try await check(token(#"{\#(good),"aud":"shop","exp":1800003600}"#)) == nil)
            #expect(try await check(token(#"{\#(good),"aud":["x","shop"],"exp":1800003600}"#)) == nil)
            for wrong in [
                #"{\#(good),"exp":1800003600}"#, #"{\#(good),"aud":"Shop","exp":1800003600}"#,
                #"{\#(good),"aud":[],"exp":1800003600}"#, #"{"sub":"ann","aud":"shop","exp":1800003600}"#,
                #"{"sub":"ann","iss":"https://id.example.com/","aud":"shop","exp":1800003600}"#,
                #"{\#(good),"aud":"shop","exp":1800003601}"#,
                #"{\#(good),"aud":"shop","iat":1799999999,"exp":1800003600}"#,
            ] {
                let found6 = try await check(token(wrong))
                #expect(found6 == "token_invalid", "\(wrong)")
            }
            let found7 = try await workspace.manage(.get, "/v1/settings").json["token_audience"]
            #expect(found7 == "shop")
        }
    }

    @Test("Without a setting, a token is good for 30 days at most")
    func standardLifetime() async throws {
        try await run { _, check in
            let last138 = try await check(token(#"{"sub":"ann","exp":1802592000}"#))
            #expect(last138 == nil)
            let last139 = try await check(token(#"{"sub":"ann","exp":1802592001}"#))
            #expect(last139 == "token_invalid")
        }
    }
}
