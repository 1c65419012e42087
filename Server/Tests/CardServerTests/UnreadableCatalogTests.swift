import CardModel
import CardStore
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import Testing
import WireJSON

@testable import CardServer

@Suite("Keys over HTTP when the store can't be read")
struct UnreadableCatalogTests {
    private struct Unreadable: Error {}

    @Test("Revoking, narrowing and rotating a key hold over HTTP though the catalog can't be read")
    func overHTTP() async throws {
        try await Workspace.run { workspace in
            let store = workspace.store
            let isBroken = Mutex(false)
            let catalog = try await CatalogCache(
                .init(
                    catalog: { known in
                        guard !isBroken.withLock({ $0 }) else { throw Unreadable() }
                        return try await store.loadCatalog(since: known)
                    },
                    generation: { try await store.catalogGeneration() },
                    epoch: { store.epoch },
                    keys: { throw Unreadable() },
                    settings: { Settings() }
                )
            )
            try await workspace.node(catalog: catalog).test(.router) { client in
                try await expectKeysHold(client, workspace.secret, catalog) { isBroken.withLock { $0 = true } }
            }
        }
    }

    @Test("A server starts with settings that can't be read: no device is answered, and the keys and metrics are")
    func damagedSettings() async throws {
        try await Workspace.run { workspace in
            let store = workspace.store
            let catalog = try await CatalogCache(
                .init(
                    catalog: { known in
                        var source = try await store.loadCatalog(since: known)
                        source.settings = .unreadable
                        source.unreadable = [UnreadableRow(.settings, id: ""), UnreadableRow(.segment, id: "s")]
                        return source
                    },
                    generation: { try await store.catalogGeneration() },
                    epoch: { store.epoch },
                    keys: { try await store.apiKeys() },
                    settings: { throw Unreadable() }
                )
            )
            #expect(catalog.healthCheck().failure?.message == "The settings can't be read.")
            try await workspace.node(catalog: catalog).test(.router) { client in
                let sync: JSONValue = ["user_id": "u", "sdk_version": "1"]
                let refused = try await client.send(.post, "/v1/sync", sync, key: workspace.publishable)
                #expect(refused.status == 503)
                #expect(try await client.send(.get, "/v1/campaigns", key: workspace.secret).status == 200)
                let metrics = try await client.execute(uri: "/metrics", method: .get) { String(buffer: $0.body) }
                for kind in ["settings", "segment"] {
                    #expect(metrics.contains("placard_unreadable_rows{kind=\"\(kind)\"} 1"))
                }
                #expect(metrics.contains("placard_unreadable_rows{kind=\"content_block\"} 0"))
            }
        }
    }

    /// Changes keys, before and after the campaigns can't be read any more.
    private func expectKeysHold(
        _ client: some TestClientProtocol,
        _ secret: String,
        _ catalog: CatalogCache,
        _ breakStore: () -> Void
    ) async throws {
        var made: [(id: String, secret: String)] = []
        for _ in 1...3 {
            let key: JSONValue = ["name": "k", "kind": "secret", "permissions": ["read", "report"]]
            let json = try await client.send(.post, "/v1/keys", key, key: secret).json
            made.append((json["id"]?.string ?? "", json["secret"]?.string ?? ""))
        }
        breakStore()
        for key in made {
            #expect(try await client.send(.get, "/v1/campaigns", key: key.secret).status == 200)
        }
        let revoked = try await client.send(.delete, "/v1/keys/\(made[0].id)", key: secret)
        #expect(revoked.status == 204)
        let withRevoked = try await client.send(.get, "/v1/campaigns", key: made[0].secret)
        #expect(withRevoked.status == 401)
        let path = "/v1/keys/\(made[1].id)"
        let edited = try await client.send(.patch, path, ["permissions": ["report"]], key: secret)
        #expect(edited.status == 200)
        let withNarrowed = try await client.send(.get, "/v1/campaigns", key: made[1].secret)
        #expect(withNarrowed.status == 403)
        let rotation: JSONValue = ["overlap_seconds": 0]
        let last = "/v1/keys/\(made[2].id)/rotate"
        let rotated = try await client.send(.post, last, rotation, key: secret)
        #expect(rotated.status == 200)
        let withRotated = try await client.send(.get, "/v1/campaigns", key: made[2].secret)
        #expect(withRotated.status == 401)
        let fresh = rotated.json["secret"]?.string ?? ""
        #expect(try await client.send(.get, "/v1/campaigns", key: fresh).status == 200)

        // A program that has a good key isn't told that its key is bad.
        for _ in 1...3 { try? await catalog.reload() }
        let refused = try await client.send(.get, "/v1/campaigns", key: fresh)
        #expect(refused.status == 503)
    }
}

extension TestClientProtocol {
    /// Makes a request with a key.
    fileprivate func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: JSONValue? = nil,
        key: String
    ) async throws -> (status: Int, json: JSONValue) {
        try await execute(
            uri: path,
            method: method,
            headers: [.authorization: "Bearer \(key)"],
            body: body.map { ByteBuffer(string: $0.text) }
        ) { ($0.status.code, (try? JSONValue(parsing: String(buffer: $0.body))) ?? .null) }
    }
}
