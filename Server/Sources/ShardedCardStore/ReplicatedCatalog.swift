import CardModel
import CardStore
import PostgresCardStore
import Synchronization

/// The newest generation of the catalog that all databases are known to have.
final class ReplicatedCatalog: Sendable {
    private let generation = Mutex<CatalogGeneration?>(nil)

    var value: CatalogGeneration? { generation.withLock { $0 } }

    func note(_ new: CatalogGeneration) { generation.withLock { $0 = max(new, $0 ?? new) } }
}

extension ShardedCardStore {
    /// Brings to every database what decides there on the consequences of events: conversions, broadcasts, settings.
    ///
    /// A catalog is shown to nobody before that, so that an event about a card can't come to a database that doesn't
    /// know its campaign.
    func replicateCatalog() async throws {
        let generation = try await home.catalogGeneration()
        guard catalog.value.map({ $0 < generation }) ?? true else { return }
        let replica = try await home.catalogReplica()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for shard in stores.dropFirst() { group.addTask { try await shard.replicate(replica) } }
            try await group.waitForAll()
        }
        catalog.note(replica.generation)
    }

    /// Changes something of the catalog at the home, and brings it to every database.
    ///
    /// Where one doesn't answer, the change is made, and shown as soon as all have it.
    func replicating<Value>(_ body: () async throws -> Value) async throws -> Value {
        let value = try await body()
        try? await replicateCatalog()
        return value
    }
}
