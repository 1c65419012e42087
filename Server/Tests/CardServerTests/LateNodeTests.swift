import CardModel
import CardStore
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import Testing
import WireJSON

@testable import CardServer

@Suite("A node that has not read another's change yet", .timeLimit(.minutes(20)))
struct LateNodeTests {
    private struct Broken: Error {}

    /// What reads the store for the late node.
    private final class Reader: Sendable {
        private let state = Mutex((reads: 0, isBroken: false))

        var reads: Int { state.withLock { $0.reads } }

        func fail() { state.withLock { $0.isBroken = true } }

        func count() throws {
            try state.withLock { state in
                state.reads += 1
                if state.isBroken { throw Broken() }
            }
        }
    }

    /// Runs a node that nobody tells of changes beside the workspace's server.
    private func withLateNode(
        _ body: @escaping @Sendable (Workspace, any TestClientProtocol, Reader) async throws -> Void
    ) async throws {
        try await Workspace.run { workspace in
            let (store, reader) = (workspace.store, Reader())
            let reading = CatalogCache.Reading(
                catalog: { known in
                    try reader.count()
                    return try await store.loadCatalog(since: known)
                },
                generation: { try await store.catalogGeneration() },
                epoch: { store.epoch },
                keys: { try await store.apiKeys() },
                settings: { try await store.settings() }
            )
            let node = try await workspace.node(catalog: CatalogCache(reading, isShared: true))
            try await node.test(.router) { try await body(workspace, $0, reader) }
        }
    }

    /// Sends something to the late node.
    private func post(
        _ path: String,
        _ body: JSONValue,
        _ client: any TestClientProtocol,
        key: String
    ) async throws -> (status: Int, json: JSONValue) {
        try await client.execute(
            uri: path,
            method: .post,
            headers: [.authorization: "Bearer \(key)"],
            body: ByteBuffer(bytes: body.bytes)
        ) { ($0.status.code, (try? JSONValue(parsing: Array($0.body.readableBytesView))) ?? .null) }
    }

    private func body(_ more: JSONObject = [:]) -> JSONValue {
        var members: JSONObject = ["user_id": "ann", "device_id": "d"]
        members.merge(more) { $1 }
        return .object(members)
    }

    private func cards(_ json: JSONValue) -> [String] {
        (json["cards"]?.array ?? []).compactMap { $0["campaign_id"]?.string }
    }

    @Test("reads it for a device whose signal or cursor names it, and not for one that makes a generation up")
    func sync() async throws {
        try await withLateNode { workspace, late, reader in
            let key = workspace.publishable
            #expect(try await post("/v1/sync", body(), late, key: key).status == 200)
            try await workspace.launch("one")
            #expect(try await cards(post("/v1/sync", body(), late, key: key).json) == [])
            let generation = try await workspace.store.catalogGeneration()
            let told = try await post("/v1/sync", body(["generation": .integer(generation)]), late, key: key)
            #expect(cards(told.json) == ["one"])

            try await workspace.launch("two")
            let cursor = try #require(try await workspace.sync("ann").json["cursor"])
            let kept = try await post("/v1/sync", body(["cursor": cursor]), late, key: key)
            #expect(kept.json["replace"] == false && kept.json["removed"] == [])

            let before = reader.reads
            for number: JSONValue in [9_007_199_254_740_992, 1e30, -1, 1.5, .null] {
                #expect(try await post("/v1/sync", body(["generation": number]), late, key: key).status == 200)
            }
            #expect(reader.reads == before)
            #expect(try await post("/v1/sync", body(["generation": "7"]), late, key: key).status == 400)
        }
    }

    @Test("answers 503 rather than with older campaigns where it can't be read, and keeps its keys")
    func failure() async throws {
        try await withLateNode { workspace, late, reader in
            let key = workspace.publishable
            try await workspace.launch("one")
            let generation = try await workspace.store.catalogGeneration()
            reader.fail()
            let (before, start) = (reader.reads, ContinuousClock.now)
            for _ in 0..<20 {
                let answer = try await post("/v1/sync", body(["generation": .integer(generation)]), late, key: key)
                #expect(answer.status == 503)
            }
            // What has just failed isn't tried again for each of them, but once a second.
            let seconds = (ContinuousClock.now - start).components.seconds
            #expect(reader.reads <= before + Int(seconds) + 2)
            #expect(try await post("/v1/sync", body(), late, key: key).status == 200)
        }
    }

    @Test("lets an event do what it does under a campaign that was just launched elsewhere")
    func events() async throws {
        try await withLateNode { workspace, late, _ in
            try await workspace.launch("thanks", delivery: ["type": "action", "trigger": ["event": "bought"]])
            let event: JSONValue = ["external_id": "ann", "name": "bought", "time": "2027-01-15T08:00:00Z"]
            let track = try await post("/users/track", ["events": [event]], late, key: workspace.secret)
            #expect(track.status / 100 == 2)
            #expect(try await cards(workspace.sync("ann").json) == ["thanks"])
        }
    }
}
