import CardModel
import Testing
import WireJSON

@testable import CardServer

@Suite("Editing keys")
struct KeyEditTests {
    private func create(_ workspace: Workspace, _ body: JSONValue) async throws -> (secret: String, id: String) {
        let made = try await workspace.manage(.post, "/v1/keys", body)
        guard made.status == 201 else { throw Unexpected(answer: made) }
        return (try #require(made.json["secret"]?.string), try #require(made.json["id"]?.string))
    }

    @Test("Each field is edited by itself, holds at once, and the audit log has what was before")
    func fields() async throws {
        try await Workspace.run { workspace in
            let key = try await create(workspace, ["name": "old", "kind": "secret", "permissions": ["read"]])
            let path = "/v1/keys/\(key.id)"
            func status(_ path: String) async throws -> Int {
                try await workspace.send(.get, path, raw: nil, key: key.secret).status
            }
            #expect(try await status("/v1/campaigns") == 200)

            let renamed = try await workspace.manage(.patch, path, ["name": "new"])
            #expect(renamed.status == 200)
            #expect(renamed.json["name"] == "new" && renamed.json["permissions"] == ["read"])
            #expect(renamed.json["secret"] == nil)
            let narrowed = try await workspace.manage(.patch, path, ["permissions": ["users"]])
            #expect(narrowed.json["permissions"] == ["users"])
            #expect(try await status("/v1/campaigns") == 403)
            #expect(try await status("/v1/users/x") == 404)
            let bound = try await workspace.manage(.patch, path, ["allowed_addresses": ["192.0.2.0/24"]])
            #expect(bound.json["allowed_addresses"] == ["192.0.2.0/24"])
            #expect(try await status("/v1/users/x") == 403)
            #expect(try await workspace.manage(.patch, path, ["allowed_addresses": []]).status == 200)
            #expect(try await status("/v1/users/x") == 404)
            let end = workspace.time.now + 100
            #expect(try await workspace.manage(.patch, path, ["expires_at": .number(end)]).status == 200)
            workspace.time.advance(by: 100)
            #expect(try await status("/v1/users/x") == 401)
            // The form of a key that has expired sends its end with the rest.
            let same: JSONValue = ["name": "newer", "expires_at": .number(end)]
            #expect(try await workspace.manage(.patch, path, same).status == 200)
            #expect(try await workspace.manage(.patch, path, ["expires_at": .null]).status == 200)
            #expect(try await status("/v1/users/x") == 404)

            let entries = try await workspace.store.latestAuditEntries(limit: 100).filter { $0.action == "key.update" }
            #expect(entries.count == 7)
            #expect(entries.allSatisfy { $0.subject == key.id })
            let first = try #require(entries.last?.details.map { try JSONValue(parsing: $0) })
            #expect(first == ["changes": [["field": "name", "previous": "old", "current": "new"]]])
            // What changes nothing is no change.
            #expect(try await workspace.manage(.patch, path, ["name": "newer"]).status == 200)
            #expect(try await workspace.manage(.patch, path, [:]).status == 200)
            let after = try await workspace.store.latestAuditEntries(limit: 100).filter { $0.action == "key.update" }
            #expect(after.count == 7)
        }
    }

    @Test("What can't be edited is refused, and nothing is kept of it")
    func refusals() async throws {
        try await Workspace.run { workspace in
            let secret = try await create(workspace, ["name": "s", "kind": "secret", "permissions": ["read"]])
            let app = try await create(workspace, ["name": "a", "kind": "publishable"])
            for body: JSONValue in [
                ["name": ""], ["name": .null], ["name": 1], ["permissions": .null], ["permissions": "read"],
                ["permissions": ["everything"]], ["expires_at": 1], ["expires_at": "soon"], ["kind": "publishable"],
                ["allowed_addresses": ["x"]], ["secret": "sk_x"], ["name": "x", "hint": "y"], [],
                .array(Array(repeating: 1, count: 2)),
            ] where body != [:] {
                #expect(try await workspace.manage(.patch, "/v1/keys/\(secret.id)", body).status == 400, "\(body.text)")
            }
            let path = "/v1/keys/\(app.id)"
            #expect(try await workspace.manage(.patch, path, ["permissions": ["manage"]]).path == "permissions")
            #expect(try await workspace.manage(.patch, path, ["allowed_addresses": ["::1"]]).status == 400)
            #expect(try await workspace.manage(.patch, path, ["name": "iOS", "permissions": ["device"]]).status == 200)
            #expect(try await workspace.manage(.patch, "/v1/keys/key_none", ["name": "x"]).status == 404)
            #expect(try await workspace.manage(.delete, path).status == 204)
            #expect(try await workspace.manage(.patch, path, ["name": "x"]).status == 404)
            let names = try await workspace.store.apiKeys().map(\.name)
            #expect(names == ["app", "backend", "s", "iOS"])
        }
    }

    @Test("A key with the permission keys neither gives more than it has nor edits a key that may do more")
    func noEscalation() async throws {
        try await Workspace.run { workspace in
            let keeper = try await create(
                workspace,
                ["name": "keeper", "kind": "secret", "permissions": ["keys", "track"]]
            )
            let weak = try await create(workspace, ["name": "w", "kind": "secret", "permissions": ["track"]])
            let strong = try await create(workspace, ["name": "m", "kind": "secret"])
            func status(_ id: String, _ body: JSONValue) async throws -> Int {
                try await workspace.send(.patch, "/v1/keys/\(id)", raw: body.text, key: keeper.secret).status
            }
            #expect(try await status(weak.id, ["permissions": ["manage"]]) == 403)
            #expect(try await status(weak.id, ["permissions": ["track", "read"]]) == 403)
            #expect(try await status(keeper.id, ["permissions": ["manage"]]) == 403)
            #expect(try await status(strong.id, ["permissions": ["track"]]) == 403)
            #expect(try await status(strong.id, ["name": "mine"]) == 403)
            #expect(try await status(weak.id, ["permissions": ["users.track"]]) == 200)
            #expect(try await workspace.store.apiKeys().first { $0.id == strong.id }?.permissions == [.manage])
        }
    }

    @Test("An open stream ends when its key loses the permission for it, and when its address is no longer allowed")
    func streams() async throws {
        try await Workspace.run { workspace in
            for edit: JSONValue in [["permissions": ["read"]], ["allowed_addresses": ["192.0.2.1"]]] {
                let body: JSONValue = ["name": "proxy", "kind": "secret", "permissions": ["read", "device"]]
                let key = try await create(workspace, body)
                let stream = try await OpenConnection.open(to: workspace.endpoint)
                await stream.send(
                    "GET /v1/live?user_id=ann HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(key.secret)\r\n\r\n"
                )
                #expect(await stream.read(until: "event: changed").contains("200 OK"))
                let path = "/v1/keys/\(key.id)"
                #expect(try await workspace.manage(.patch, path, ["name": "renamed"]).status == 200)
                #expect(try await workspace.manage(.patch, path, edit).status == 200)
                _ = await stream.readToEnd()
            }
        }
    }
}
