import CardModel
import Foundation
import HTTPTypes
import Hummingbird
import Testing
import WireJSON

@testable import CardServer

@Suite("Limits of keys")
struct KeyLimitTests {
    private static let sync = #"{"user_id":"a","device_id":"d"}"#

    /// Creates a key, and returns its secret and id.
    private func create(_ workspace: Workspace, _ body: JSONValue) async throws -> (secret: String, id: String) {
        let made = try await workspace.manage(.post, "/v1/keys", body)
        guard made.status == 201 else { throw Unexpected(answer: made) }
        return (try #require(made.json["secret"]?.string), try #require(made.json["id"]?.string))
    }

    private func listed(_ workspace: Workspace, _ id: String) async throws -> JSONValue {
        let keys = try await workspace.manage(.get, "/v1/keys").json["keys"]?.array ?? []
        return try #require(keys.first { $0["id"]?.string == id })
    }

    @Test("Each route is open to a key with what it needs, and 403 to one with all others")
    func everyRoute() async throws {
        try await Workspace.run { workspace in
            for route in APIRoute.allCases {
                let access = route.access
                guard let needed = access.permissions.first else { continue }
                let others = Permission.allCases.filter { !access.permissions.contains(where: $0.includes) }
                let names = { (list: [Permission]) in JSONValue.array(list.map { .string($0.rawValue) }) }
                let wrong = try await create(
                    workspace,
                    ["name": "wrong", "kind": "secret", "permissions": names(others)]
                )
                var enough = access.permissions.map { [$0] }
                if case .both(let first, let second) = access { enough = [[first, second]] }
                var rights: [String] = []
                for permissions in enough {
                    let body: JSONValue = [
                        "name": "right", "kind": "secret", "permissions": names(permissions),
                    ]
                    rights.append(try await create(workspace, body).secret)
                }
                let path = route.path.replacing("{id}", with: "x").replacing("{version}", with: "1")
                    .replacing("{approval}", with: "x")
                let refused = try await workspace.send(route.method, path, raw: nil, key: wrong.secret)
                #expect(refused.status == 403, "\(route.rawValue)")
                #expect(refused.code == "permission_denied", "\(route.rawValue)")
                #expect(refused.text.contains(needed.rawValue), "\(route.rawValue)")
                guard route != .live else { continue }
                for right in rights {
                    let allowed = try await workspace.send(route.method, path, raw: nil, key: right)
                    #expect(![401, 403].contains(allowed.status), "\(route.rawValue): \(allowed.text)")
                }
            }
        }
    }

    @Test("A key stops working when it expires, on the fast path too")
    func expiry() async throws {
        try await Workspace.run { workspace in
            let end = workspace.time.now + 100
            let key = try await create(
                workspace,
                ["name": "app", "kind": "publishable", "expires_at": .number(end)]
            )
            let first = try await workspace.send(.post, "/v1/sync", raw: Self.sync, key: key.secret)
            #expect(first.status == 200)
            let body = #"{"user_id":"a","device_id":"d","cursor":"\#(first.cursor)"}"#
            #expect(try await workspace.send(.post, "/v1/sync", raw: body, key: key.secret).status == 200)
            workspace.time.advance(by: 100)
            let late = try await workspace.send(.post, "/v1/sync", raw: body, key: key.secret)
            #expect((late.status, late.code) == (401, "key_expired"))
            #expect(try await listed(workspace, key.id)["expires_at"]?.double == end)
            let past = try await workspace.manage(
                .post,
                "/v1/keys",
                ["name": "x", "kind": "secret", "expires_at": .number(end)]
            )
            #expect((past.status, past.path) == (400, "expires_at"))
        }
    }

    @Test("A key without the permission for users learns of none by counting, trying or sending")
    func personalData() async throws {
        try await Workspace.run { workspace in
            try await workspace.manage(
                .patch,
                "/v1/users/ann",
                ["attributes": ["email": "ann@example.com", "country": "JP"]]
            )
            func key(_ permissions: JSONValue...) async throws -> String {
                try await create(
                    workspace,
                    ["name": "k", "kind": "secret", "permissions": .array(permissions)]
                ).secret
            }
            let reader = try await key("read")
            let named: JSONValue = [
                "all": [
                    ["attribute": "user_id", "comparison": "equals", "value": "ann"],
                    ["attribute": "email", "comparison": "matches_regex", "value": "^a"],
                ]
            ]
            let country: JSONValue = ["attribute": "country", "comparison": "equals", "value": "JP"]
            func reach(_ audience: JSONValue, _ key: String) async throws -> Int {
                let body: JSONValue = ["audience": audience]
                return try await workspace.send(.post, "/v1/audience/reach", raw: body.text, key: key).status
            }
            #expect(try await reach(named, reader) == 403)
            #expect(try await reach(country, reader) == 200)
            #expect(try await reach(named, try await key("read", "users")) == 200)
            // One user of one tells what they are like.
            let body: JSONValue = ["audience": country]
            let told = try await workspace.send(.post, "/v1/audience/reach", raw: body.text, key: reader).json
            #expect(told["users"] == 0 && told["low"] == 0 && told["high"] == 1 && told["exact"] == false)
            let all = try await workspace.manage(.post, "/v1/audience/reach", body).json
            #expect(all["users"] == 1 && all["exact"] == true)

            _ = try await workspace.create(
                "draft",
                card: ["type": "classic", "title": "{{${email_address}}}", "description": "x"]
            )
            let test: JSONValue = ["users": ["ann"]]
            let path = "/v1/campaigns/draft/test-send"
            let author = try await key("campaigns")
            #expect(try await workspace.send(.post, path, raw: test.text, key: author).status == 403)
            let users = "/v1/test-users"
            #expect(try await workspace.send(.get, users, raw: nil, key: author).status == 403)
            #expect(try await workspace.send(.put, users, raw: test.text, key: author).status == 403)
            #expect(try await workspace.send(.get, users, raw: nil, key: try await key("users")).status == 403)
            let both = try await key("campaigns", "users")
            #expect(try await workspace.send(.put, users, raw: test.text, key: both).status == 200)
            #expect(try await workspace.send(.post, path, raw: test.text, key: both).status == 200)
        }
    }

    @Test("A key revokes none that may do more than itself")
    func revoking() async throws {
        try await Workspace.run { workspace in
            let keeper = try await create(workspace, ["name": "k", "kind": "secret", "permissions": ["keys"]])
            let other = try await create(workspace, ["name": "o", "kind": "secret", "permissions": ["keys"]])
            let strong = try await create(workspace, ["name": "s", "kind": "secret", "permissions": ["manage"]])
            func revoke(_ id: String) async throws -> Int {
                try await workspace.send(.delete, "/v1/keys/\(id)", raw: nil, key: keeper.secret).status
            }
            #expect(try await revoke(strong.id) == 403)
            #expect(try await revoke(other.id) == 204)
        }
    }

    @Test("A key for settings gets no events of the past by a webhook, nor another receiver's signature")
    func webhooks() async throws {
        try await Workspace.run { workspace in
            let key = try await create(workspace, ["name": "s", "kind": "secret", "permissions": ["settings"]])
            func save(_ body: JSONValue) async throws -> Answer {
                try await workspace.send(.put, "/v1/webhook", raw: body.text, key: key.secret)
            }
            let first = try await save(["url": "https://one.example/in"])
            let secret = try #require(first.json["secret"]?.string)
            #expect(try await save(["url": "https://one.example/other"]).json["secret"] == nil)
            #expect(try await save(["url": "https://one.example/in", "after": 0]).status == 403)
            let moved = try #require(try await save(["url": "https://two.example/in"]).json["secret"]?.string)
            #expect(moved != secret)
        }
    }

    @Test("A rotated key has two secrets for as long as was asked for, and then the new one only")
    func rotation() async throws {
        try await Workspace.run { workspace in
            let key = try await create(workspace, ["name": "backend", "kind": "secret", "permissions": ["read"]])
            func status(_ secret: String) async throws -> Int {
                try await workspace.send(.get, "/v1/campaigns", raw: nil, key: secret).status
            }
            let rotated = try await workspace.manage(.post, "/v1/keys/\(key.id)/rotate", ["overlap_seconds": 60])
            #expect(rotated.status == 200)
            let second = try #require(rotated.json["secret"]?.string)
            #expect(second != key.secret && second.hasPrefix("sk_"))
            #expect(rotated.json["previous_secret_expires_at"]?.double == workspace.time.now + 60)
            #expect(try await status(key.secret) == 200)
            #expect(try await status(second) == 200)
            workspace.time.advance(by: 60)
            #expect(try await status(key.secret) == 401)
            #expect(try await status(second) == 200)

            let third = try await workspace.manage(.post, "/v1/keys/\(key.id)/rotate", ["overlap_seconds": 0])
            #expect(try await status(second) == 401)
            #expect(try await status(try #require(third.json["secret"]?.string)) == 200)
            let audit = try await workspace.store.latestAuditEntries(limit: 1).first
            #expect((audit?.action, audit?.subject) == ("key.rotate", key.id))
            for body: JSONValue in [
                ["overlap_seconds": -1], ["overlap_seconds": 1e300], ["overlap_seconds": "1"], ["overlap": 1], [1],
            ] {
                #expect(try await workspace.manage(.post, "/v1/keys/\(key.id)/rotate", body).status == 400)
            }
            #expect(try await workspace.manage(.post, "/v1/keys/key_none/rotate").status == 404)
            #expect(try await workspace.manage(.delete, "/v1/keys/\(key.id)").status == 204)
            #expect(try await workspace.manage(.post, "/v1/keys/\(key.id)/rotate").status == 404)
        }
    }

    @Test("A key that is bound to addresses is refused from elsewhere")
    func addresses() async throws {
        let proxies = TrustedProxies(ranges: try AddressRange.list("127.0.0.0/8, ::1"))
        try await Workspace.run(proxies: proxies) { workspace in
            let key = try await create(
                workspace,
                [
                    "name": "b", "kind": "secret", "permissions": ["read", "device"],
                    "allowed_addresses": ["192.0.2.0/24", "2001:db8::1"],
                ]
            )
            let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
            for (address, status) in [
                ("192.0.2.9", 200), ("2001:db8::1", 200), ("192.0.3.1", 403), ("2001:db8::2", 403),
            ] {
                let read = try await workspace.send(
                    .get,
                    "/v1/campaigns",
                    raw: nil,
                    key: key.secret,
                    headers: [forwarded: address]
                )
                #expect(read.status == status, "\(address)")
                if status == 403 { #expect(read.code == "address_not_allowed") }
                // The fast path asks as well.
                let sync = try await workspace.send(
                    .post,
                    "/v1/sync",
                    raw: Self.sync,
                    key: key.secret,
                    headers: [forwarded: address]
                )
                #expect(sync.status == status, "\(address)")
            }
            for addresses: JSONValue in [
                ["10.0.0.0/33"], ["x"], [1], "10.0.0.1", .array(Array(repeating: "::1", count: 51)),
            ] {
                let body: JSONValue = ["name": "c", "kind": "secret", "allowed_addresses": addresses]
                #expect(try await workspace.manage(.post, "/v1/keys", body).status == 400)
            }
            let app: JSONValue = ["name": "c", "kind": "publishable", "allowed_addresses": ["10.0.0.1"]]
            #expect(try await workspace.manage(.post, "/v1/keys", app).path == "allowed_addresses")
        }
    }

    @Test("The last use of a key is known within seconds, and written once a minute")
    func lastUse() async throws {
        let uses = KeyUses()
        uses.note("a", at: 1_000)
        uses.note("a", at: 1_059)
        uses.note("b", at: 1_059)
        #expect(uses.take() == ["a": 1_000, "b": 1_059])
        uses.note("a", at: 1_059.9)
        #expect(uses.take().isEmpty)
        uses.note("a", at: 1_060)
        #expect(uses.take() == ["a": 1_060])

        try await Workspace.run { workspace in
            let key = try await create(workspace, ["name": "app", "kind": "publishable"])
            #expect(try await listed(workspace, key.id)["last_used_at"] == .null)
            _ = try await workspace.send(.post, "/v1/sync", raw: Self.sync, key: key.secret)
            while try await listed(workspace, key.id)["last_used_at"] == .null { await Task.yield() }
            #expect(try await listed(workspace, key.id)["last_used_at"]?.double == workspace.time.now)
        }
    }

    @Test("A key with the permission keys gives nothing that it doesn't have itself")
    func noEscalation() async throws {
        try await Workspace.run { workspace in
            let end = workspace.time.now + 1_000
            let keeper = try await create(
                workspace,
                [
                    "name": "keeper", "kind": "secret", "permissions": ["keys", "track"], "expires_at": .number(end),
                ]
            )
            func status(_ body: JSONValue) async throws -> Int {
                try await workspace.send(.post, "/v1/keys", raw: body.text, key: keeper.secret).status
            }
            let expiry = JSONValue.number(end)
            for permission in ["manage", "read", "users.delete", "settings"] {
                let body: JSONValue = [
                    "name": "x", "kind": "secret", "permissions": [.string(permission)], "expires_at": expiry,
                ]
                #expect(try await status(body) == 403, "\(permission)")
            }
            #expect(try await status(["name": "x", "kind": "secret", "expires_at": expiry]) == 403)
            #expect(try await status(["name": "x", "kind": "secret", "permissions": ["track"]]) == 403)
            let part: JSONValue = ["name": "x", "kind": "secret", "permissions": ["users.track"], "expires_at": expiry]
            #expect(try await status(part) == 201)
            let other = try await create(workspace, ["name": "strong", "kind": "secret"])
            let path = "/v1/keys/\(other.id)/rotate"
            #expect(try await workspace.send(.post, path, raw: nil, key: keeper.secret).status == 403)
        }
    }

    @Test("A preview for a user needs the permission for users")
    func previewOfUser() async throws {
        try await Workspace.run { workspace in
            let key = try await create(workspace, ["name": "r", "kind": "secret", "permissions": ["read"]])
            let card: JSONValue = ["type": "classic", "title": "T", "description": "D"]
            let plain: JSONValue = ["card": card]
            #expect(try await workspace.send(.post, "/v1/preview", raw: plain.text, key: key.secret).status == 200)
            let personal: JSONValue = ["card": card, "user_id": "ann"]
            #expect(try await workspace.send(.post, "/v1/preview", raw: personal.text, key: key.secret).status == 403)
        }
    }

    @Test("A range of addresses contains the ranges within it")
    func ranges() throws {
        let range = { (text: String) in try #require(AddressRange(text)) }
        #expect(try range("10.0.0.0/8").contains(range("10.1.0.0/16")))
        #expect(try range("10.0.0.0/8").contains(range("10.0.0.0/8")))
        #expect(try !range("10.1.0.0/16").contains(range("10.0.0.0/8")))
        #expect(try !range("10.0.0.0/8").contains(range("11.0.0.0/9")))
        #expect(try !range("0.0.0.0/0").contains(range("::/0")))
    }
}
