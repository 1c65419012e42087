import CardModel
import CardStore
import Crypto
import SQLiteCardStore
import Testing
import WireJSON

@testable import CardServer

@Suite("The right to a live stream", .timeLimit(.minutes(20)))
struct LiveGrantTests {
    /// Opens a stream, and returns once it has begun.
    private func open(
        _ workspace: Workspace,
        _ user: String,
        key: String? = nil,
        token: String? = nil
    ) async throws -> OpenConnection {
        let stream = try await OpenConnection.open(to: workspace.endpoint)
        var head = "GET /v1/live?user_id=\(user) HTTP/1.1\r\nHost: placard\r\n"
        head += "Authorization: Bearer \(key ?? workspace.publishable)\r\n"
        if let token { head += "Placard-User-Token: \(token)\r\n" }
        await stream.send(head + "\r\n")
        #expect(await stream.read(until: "event: changed").contains("200 OK"))
        return stream
    }

    /// Makes a change, and checks that it ends one stream and leaves the other one.
    private func expect(
        _ ended: OpenConnection,
        endsAnd other: OpenConnection,
        stays workspace: Workspace,
        after change: () async throws -> Void
    ) async throws {
        try await change()
        _ = await ended.readToEnd()
        try await workspace.store.updateUsers([UserUpdate(id: UserID(rawValue: "other"), custom: ["n": 1])], at: 0)
        #expect(await other.read(until: "event: changed").contains("event: changed"))
        await other.close()
    }

    @Test("A stream ends when its key is revoked; those of other keys go on")
    func revokedKey() async throws {
        try await Workspace.run { workspace in
            let second = KeySecret(name: "b", kind: .publishable, permissions: [], createdAt: workspace.time.now)
            try await workspace.store.insertKey(second.key, by: .command)
            // Known to this process once it has read the keys again.
            while try await workspace.send(.get, "/v1/content-types", raw: nil, key: second.text).code == "key_invalid"
            {}
            let stream = try await open(workspace, "ann", key: second.text)
            let other = try await open(workspace, "other")
            try await expect(stream, endsAnd: other, stays: workspace) {
                let answer = try await workspace.manage(.delete, "/v1/keys/\(second.key.id)")
                #expect(answer.status == 204)
            }
        }
    }

    @Test("A stream ends when its user is deleted, and when the user is created again")
    func deletedUser() async throws {
        try await Workspace.run { workspace in
            _ = try await workspace.sync("ann")
            let stream = try await open(workspace, "ann")
            let other = try await open(workspace, "other")
            try await expect(stream, endsAnd: other, stays: workspace) {
                let answer = try await workspace.manage(.delete, "/v1/users/ann")
                #expect(answer.status == 204)
                _ = try await workspace.manage(.patch, "/v1/users/ann", ["attributes": ["plan": "gold"]])
            }
        }
    }

    @Test("A stream that is open before its user is created ends with the user too")
    func createdLater() async throws {
        try await Workspace.run { workspace in
            let stream = try await open(workspace, "ann")
            let other = try await open(workspace, "other")
            _ = try await workspace.sync("ann")
            try await expect(stream, endsAnd: other, stays: workspace) {
                _ = try await workspace.store.deleteUsers([.id(UserID(rawValue: "ann"))], at: 0, by: .command)
            }
        }
    }

    @Test("A stream ends when its user is merged into another")
    func mergedUser() async throws {
        try await Workspace.run { workspace in
            let alias = UserAlias(label: "device", name: "7")
            let unidentified = UserID(rawValue: UserID.unidentifiedPrefix + "7")
            _ = try await workspace.store.addAliases([NewAlias(alias: alias, user: nil, newUser: unidentified)], at: 0)
            let stream = try await open(workspace, unidentified.rawValue)
            let other = try await open(workspace, "other")
            try await expect(stream, endsAnd: other, stays: workspace) {
                let identification = Identification(user: .alias(alias), identity: UserID(rawValue: "ann"))
                let outcomes = try await workspace.store.identifyUsers([identification], at: 1)
                #expect(outcomes == [.done])
            }
        }
    }

    @Test("A stream ends when its user is gone from the store, or is another one of that id, though nobody told of it")
    func otherProcess() async throws {
        try await Workspace.run { workspace in
            let (hub, store) = (LiveHub(), workspace.store)
            let (ann, bob) = (UserID(rawValue: "ann"), UserID(rawValue: "bob"))
            for user in [ann, bob] { try await store.updateUsers([UserUpdate(id: user, custom: ["n": 1])], at: 5) }
            let streams = try [ann, bob].map {
                try hub.open(for: $0, device: nil, grant: LiveGrant(userCreatedAt: 5))
            }
            let early = try hub.open(for: UserID(rawValue: "nobody-yet"), device: nil)
            try await hub.review(by: store)
            #expect(hub.count == 3)
            _ = try await store.deleteUsers([.id(ann), .id(bob)], at: 0, by: .command)
            try await store.updateUsers([UserUpdate(id: bob, custom: ["n": 1])], at: 9)
            try await hub.review(by: store)
            #expect(hub.count == 1)
            early.end()
            for stream in streams { stream.end() }
        }
    }

    @Test("A stream ends with its user token's lifetime, and one with a later token goes on")
    func expiredToken() async throws {
        let signers = try UserTokenTests.Signers()
        try await Workspace.run { workspace in
            #expect(try await workspace.manage(.put, "/v1/settings", signers.settings("required")).status == 200)
            let now = workspace.time.now
            let short = try await signers.es256("ann", expires: now + 60)
            let long = try await signers.es256("other", expires: now + 600)
            while try await workspace.sync("ann", headers: [.placardUserToken: short]).status != 200 {}
            let stream = try await open(workspace, "ann", token: short)
            let other = try await open(workspace, "other", token: long)
            try await expect(stream, endsAnd: other, stays: workspace) { workspace.time.advance(by: 60) }
        }
    }

    @Test("A stream ends when the settings no longer trust the key that signed its token")
    func revokedToken() async throws {
        let signers = try UserTokenTests.Signers()
        try await Workspace.run { workspace in
            #expect(try await workspace.manage(.put, "/v1/settings", signers.settings("required")).status == 200)
            let later = workspace.time.now + 600
            let (ec, rsa) = (
                try await signers.es256("ann", expires: later), try await signers.rs256("other", expires: later)
            )
            while try await workspace.sync("ann", headers: [.placardUserToken: ec]).status != 200 {}
            let stream = try await open(workspace, "ann", token: ec)
            let other = try await open(workspace, "other", token: rsa)
            try await expect(stream, endsAnd: other, stays: workspace) {
                var settings = signers.settings("required")
                if case .object(var members) = settings {
                    members["public_keys"] = .array(Array((members["public_keys"]?.array ?? []).dropFirst()))
                    settings = .object(members)
                }
                let answer = try await workspace.manage(.put, "/v1/settings", settings)
                #expect(answer.status == 200)
            }
        }
    }

    @Test("A stream without a token ends when tokens become required")
    func tokensRequired() async throws {
        let signers = try UserTokenTests.Signers()
        try await Workspace.run { workspace in
            let stream = try await open(workspace, "ann")
            #expect(try await workspace.manage(.put, "/v1/settings", signers.settings("required")).status == 200)
            _ = await stream.readToEnd()
        }
    }
}
