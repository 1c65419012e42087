import CardModel
import CardStore
import Crypto
import Foundation
import HTTPTypes
import Testing
import WireJSON

@testable import CardServer

@Suite("Server: codes for tests")
struct TestCodeTests {
    private static let path = "/v1/campaigns/draft/test-send"

    /// A workspace with a draft and the user u, who has synced.
    private static func run(
        limits: DeviceLimits = .unlimited,
        _ body: @escaping @Sendable (Workspace) async throws -> Void
    ) async throws {
        try await Workspace.run(limits: limits) { space in
            try await space.create(
                "draft",
                variants: [
                    [
                        "id": "a",
                        "card": [
                            "type": "classic", "title": "A", "description": "a", "language": "en",
                            "translations": ["ja": ["title": "あ"]],
                        ],
                    ],
                    ["id": "b", "card": ["type": "classic", "title": "B", "description": "b"]],
                ]
            )
            _ = try await space.sync("u", device: "phone")
            try await body(space)
        }
    }

    private static func ask(
        _ space: Workspace,
        _ user: String = "u",
        device: String = "phone",
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        let body: JSONValue = ["user_id": .string(user), "device_id": .string(device), "later": 1]
        return try await space.send(.post, "/v1/test-codes", raw: body.text, key: space.publishable, headers: headers)
    }

    private static func code(
        _ space: Workspace,
        _ user: String = "u",
        device: String = "phone"
    ) async throws -> JSONValue {
        let answer = try await ask(space, user, device: device)
        guard answer.status == 201, let code = answer.json["code"] else { throw Unexpected(answer: answer) }
        return code
    }

    /// Creates a secret key with some permissions.
    private static func key(_ space: Workspace, _ permissions: [JSONValue]) async throws -> String {
        let body: JSONValue = ["name": "b", "kind": "secret", "permissions": .array(permissions)]
        let created = try await space.manage(.post, "/v1/keys", body)
        guard let secret = created.json["secret"]?.string else { throw Unexpected(answer: created) }
        return secret
    }

    @Test("Any variant and language reaches the device that shows a code, as often as wanted, until the code ends")
    func sends() async throws {
        try await Self.run { space in
            let asked = try await Self.ask(space)
            #expect(asked.status == 201)
            #expect(asked.json["expires_in"] == 600)
            #expect(asked.json["expires_at"]?.double == space.time.now + 600)
            let code = try #require(asked.json["code"]?.string)
            #expect(code.wholeMatch(of: /[A-Z0-9]{4}-[A-Z0-9]{4}/) != nil)
            let sent = try await space.manage(
                .post,
                Self.path,
                ["code": .string(code.lowercased()), "variant_id": "a", "language": "ja"]
            )
            #expect(sent.status == 200 && sent.json["sent"]?.array?.first?["user_id"] == "u")
            #expect(try await space.manage(.post, Self.path, ["code": .string(code), "variant_id": "b"]).status == 200)
            let feed = try await space.sync("u", device: "phone")
            #expect(Set(feed.cards.compactMap { $0["title"]?.string }) == ["あ", "B"])
            #expect(feed.cards.allSatisfy { $0["test"] == true })
            #expect(try await space.totals("draft")["delivered"] == 0)

            space.time.advance(by: 600)
            let late = try await space.manage(.post, Self.path, ["code": .string(code)])
            #expect(late.status == 404 && late.code == "code_unknown" && late.path == "code")
        }
    }

    @Test("A code is the device's newest, and of a user who is known")
    func devices() async throws {
        try await Self.run { space in
            let first = try await Self.code(space)
            let second = try await Self.code(space)
            #expect(try await space.manage(.post, Self.path, ["code": first]).code == "code_unknown")
            #expect(try await space.manage(.post, Self.path, ["code": second]).status == 200)
            let unknown = try await Self.ask(space, "nobody", device: "other")
            #expect(unknown.status == 404 && unknown.code == "user_unknown")
            #expect(try await space.store.userRevision(of: UserID(rawValue: "nobody")) == nil)
        }
    }

    @Test("A device that is named is kept as a test device, and gets tests that name nobody")
    func keeps() async throws {
        try await Self.run { space in
            let user = "anonymous-0190"
            _ = try await space.sync(user, device: "tablet")
            let code = try await Self.code(space, user, device: "tablet")
            let sent = try await space.manage(.post, Self.path, ["code": code, "device_name": "Anna’s iPad"])
            #expect(sent.status == 200)
            let devices: JSONValue = [["user_id": .string(user), "name": "Anna’s iPad"]]
            let kept: JSONValue = ["users": [.string(user)], "devices": devices, "groups": []]
            #expect(try await space.manage(.get, "/v1/test-users").json == kept)
            #expect(try await space.manage(.post, Self.path, [:]).json["sent"]?.array?.count == 1)

            // Who knows nothing of names keeps them.
            let saved = try await space.manage(.put, "/v1/test-users", ["users": ["u", .string(user)]])
            #expect(saved.json == ["users": ["u", .string(user)], "devices": devices, "groups": []])
            let cleared = try await space.manage(.put, "/v1/test-users", ["users": ["u"], "devices": []])
            #expect(cleared.json == ["users": ["u"], "devices": [], "groups": []])

            let groups: JSONValue = [["name": "QA", "users": ["v", "u"]]]
            let grouped = try await space.manage(.put, "/v1/test-users", ["users": ["u", "v"], "groups": groups])
            #expect(grouped.json["groups"] == [["name": "QA", "users": ["u", "v"]]])
            // Who knows nothing of groups keeps them.
            let again = try await space.manage(.put, "/v1/test-users", ["users": ["v"], "devices": []])
            #expect(again.json["groups"] == [["name": "QA", "users": ["v"]]])
            let none = try await space.manage(.put, "/v1/test-users", ["users": ["v"], "groups": []])
            #expect(none.json == ["users": ["v"], "devices": [], "groups": []])
        }
    }

    private static let refused: [(method: String, body: JSONValue, path: String)] = [
        ("post", ["code": "KM4T"], "code"), ("post", ["code": 1], "code"),
        ("post", ["code": "KM4T-9XWD", "users": ["u"]], "users"),
        ("post", ["code": "KM4T-9XWD", "device_name": ""], "device_name"),
        ("post", ["code": "KM4T-9XWD", "device_name": .string(String(repeating: "x", count: 121))], "device_name"),
        ("post", ["users": ["u"], "device_name": "Phone"], "device_name"),
        ("post", ["code": "KM4T-9XWD", "variant_id": "z"], "variant_id"),
        ("put", ["users": ["u"], "devices": [["user_id": "v", "name": "x"]]], "devices[0].user_id"),
        ("put", ["users": ["u"], "devices": [["user_id": "u", "name": "a\nb"]]], "devices[0].name"),
        ("put", ["users": ["u"], "devices": [["user_id": "u", "nick": "x"]]], "devices[0].nick"),
        ("put", ["users": ["u"], "groups": [["name": "QA", "users": ["v"]]]], "groups[0].users[0]"),
        ("put", ["users": ["u"], "groups": [["users": ["u"]]]], "groups[0].name"),
        ("put", ["users": ["u"], "groups": [["name": "QA", "user": []]]], "groups[0].user"),
        ("put", ["users": ["u"], "groups": .array((0...20).map { _ in ["name": "QA", "users": []] })], "groups"),
        ("put", ["users": ["u"], "devices": .array((0...50).map { _ in ["user_id": "u"] })], "devices"),
    ]

    @Test("A test by code that can't be sent names the wrong field, and test devices are among the test users")
    func refuses() async throws {
        try await Self.run { space in
            for (method, body, path) in Self.refused {
                let refused =
                    method == "post"
                    ? try await space.manage(.post, Self.path, body)
                    : try await space.manage(.put, "/v1/test-users", body)
                #expect(refused.status == 400 && refused.path == path, "\(body.text): \(refused.text)")
            }
        }
    }

    @Test(
        "A request for a code names user and device",
        arguments: [
            ("{}", "user_id"), (#"{"user_id":"u"}"#, "device_id"), (#"{"user_id":1,"device_id":"d"}"#, "user_id"),
            (#"{"user_id":"","device_id":"d"}"#, "user_id"), (#"{"user_id":"u","device_id":"a\u0000"}"#, "device_id"),
        ]
    )
    func asksWrongly(_ body: String, _ path: String) async throws {
        try await Self.run { space in
            let refused = try await space.send(.post, "/v1/test-codes", raw: body, key: space.publishable)
            #expect(refused.status == 400 && refused.path == path, "\(refused.text)")
        }
    }

    @Test("Guesses of one key are slowed down, those of others are not, and a right one is forgiven")
    func guesses() async throws {
        try await Self.run { space in
            let code = try await Self.code(space)
            let other = try await Self.key(space, ["manage"])
            for _ in 0..<10 {
                #expect(try await space.manage(.post, Self.path, ["code": "BBBB-BBBB"]).status == 404)
            }
            let slowed = try await space.manage(.post, Self.path, ["code": code])
            #expect(slowed.status == 429 && slowed.code == "rate_limited" && slowed.headers[.retryAfter] == "5")
            let body: JSONValue = ["code": code]
            #expect(try await space.send(.post, Self.path, raw: body.text, key: other).status == 200)
            space.time.advance(by: 5)
            #expect(try await space.manage(.post, Self.path, ["code": code]).status == 200)
            #expect(try await space.manage(.post, Self.path, ["code": "BBBB-BBBB"]).status == 404)
        }
    }

    @Test("From one address come a hundred codes at most, and requests for them count as a device's")
    func limits() async throws {
        try await Self.run { space in
            for number in 0..<TestCode.clientLimit {
                _ = try await space.sync("u\(number)")
                _ = try await Self.code(space, "u\(number)", device: "d\(number)")
            }
            let refused = try await Self.ask(space)
            #expect(refused.status == 429 && refused.code == "too_many_codes" && refused.headers[.retryAfter] == "600")
            space.time.advance(by: 600)
            _ = try await Self.code(space)
        }
        var few = DeviceLimits.unlimited
        few.requestsPerUser = DeviceLimits.Rate(burst: 3, perSecond: 0.001)
        try await Self.run(limits: few) { space in
            for _ in 0..<2 { _ = try await Self.code(space) }
            #expect(try await Self.ask(space).code == "rate_limited")
        }
    }

    @Test("Only an app's key asks for a code, and only one for campaigns and users sends by it")
    func keys() async throws {
        try await Self.run { space in
            let body: JSONValue = ["user_id": "u", "device_id": "phone"]
            let backend = try await Self.key(space, ["campaigns", "read"])
            #expect(try await space.send(.post, "/v1/test-codes", raw: body.text, key: backend).status == 403)
            #expect(try await space.send(.post, "/v1/test-codes", raw: body.text, key: nil).status == 401)
            let order: JSONValue = ["code": try await Self.code(space)]
            #expect(try await space.send(.post, Self.path, raw: order.text, key: backend).status == 403)
            #expect(try await space.send(.post, Self.path, raw: order.text, key: space.publishable).status == 403)
        }
    }

    @Test("Where users prove who they are, a code is asked for with their token")
    func tokens() async throws {
        try await Self.run { space in
            let key = P256.Signing.PrivateKey()
            let settings: JSONValue = [
                "user_tokens": "required",
                "public_keys": [["id": "k1", "pem": .string(key.publicKey.pemRepresentation)]],
            ]
            #expect(try await space.manage(.put, "/v1/settings", settings).status == 200)
            func token(_ user: String) throws -> String {
                let parts = [#"{"alg":"ES256","typ":"JWT"}"#, #"{"sub":"\#(user)","exp":1800000600}"#].map { text in
                    Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                        .replacing("=", with: "")
                }
                let signed = parts.joined(separator: ".")
                let signature = try key.signature(for: Data(signed.utf8)).rawRepresentation.base64EncodedString()
                    .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
                return "\(signed).\(signature)"
            }
            let (other, own) = (try token("v"), try token("u"))
            #expect(try await Self.ask(space).code == "token_missing")
            #expect(try await Self.ask(space, headers: [.placardUserToken: other]).code == "token_invalid")
            #expect(try await Self.ask(space, headers: [.placardUserToken: own]).status == 201)
        }
    }
}
