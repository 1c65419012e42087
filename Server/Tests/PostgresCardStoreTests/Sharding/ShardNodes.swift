import CardModel
import CardStore
import CardStoreConformance
import Synchronization

@testable import PostgresCardStore

/// The generation that a node takes for that of a database.
final class KnownGeneration: Sendable {
    private let generation = Mutex<Int64>(0)

    var value: Int64 {
        get { generation.withLock { $0 } }
        set { generation.withLock { $0 = newValue } }
    }
}

/// A node's store in one of several databases.
struct ShardNode: Sendable {
    let store: PostgresCardStore
    let known: KnownGeneration
    let url: String
    /// The key that all nodes have.
    private static let secretsKey = SecretsKeySource.keyring(SecretsKeyring([.random()]))

    /// Opens the database of a shard.
    static func open(_ url: String, shard: Int64) async throws -> ShardNode {
        let known = KnownGeneration()
        var options = PostgresCardStore.Options()
        options.now = { noon }
        // However busy the machine is.
        options.statementTimeout = .seconds(600)
        options.lockTimeout = .seconds(600)
        options.secretsKey = secretsKey
        options.shard = ShardRole(id: shard) { known.value }
        let store = try await PostgresCardStore.open(url: url, options: options)
        return ShardNode(store: store, known: known, url: url)
    }

    /// Runs a test with a home and a shard.
    static func withTwo(_ body: (_ home: ShardNode, _ shard: ShardNode) async throws -> Void) async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let home = try await open(urls[0], shard: 0)
            let new = try await open(urls[1], shard: 1)
            try await new.store.becomeShard(1, pseudonymKey: try await home.store.pseudonymKey())
            try await new.store.close()
            let shard = try await open(urls[1], shard: 1)
            do {
                try await body(home, shard)
            } catch {
                for node in [home, shard] { try? await node.store.close() }
                throw error
            }
            for node in [home, shard] { try await node.store.close() }
        }
    }
}
