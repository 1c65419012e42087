import CardModel
import CardStore
import PostgresCardStore
import Synchronization

/// The newest generation of the catalog that all databases are known to have.
final class ReplicatedCatalog: Sendable {
    private let generation = Mutex<CatalogGeneration?>(nil)

    var value: CatalogGeneration? { generation.withLock { $0 } }

    /// Notes that all databases have a generation, unless others are to have it by now; returns whether it did.
    func note(_ new: CatalogGeneration, where isComplete: () -> Bool) -> Bool {
        generation.withLock { known in
            guard isComplete() else { return false }
            known = max(new, known ?? new)
            return true
        }
    }

    /// Forgets the generation, which the home may have no more.
    func forget() { generation.withLock { $0 = nil } }

    /// Adds a database that has a generation, and returns what comes of it; `nil` where others have a newer one.
    func admitting(_ own: CatalogGeneration, _ add: () -> Bool) -> Bool? {
        generation.withLock { known in
            if let known, known > own { return nil }
            return add()
        }
    }
}

extension ShardedCardStore {
    /// Brings to every database what decides there on the consequences of events: conversions, broadcasts, settings.
    ///
    /// A catalog is shown to nobody before that, so that an event about a card can't come to a database that doesn't
    /// know its campaign. One that isn't open has no users here until it has it, too.
    func replicateCatalog() async throws {
        let generation = try await home.catalogGeneration()
        guard catalog.value.map({ $0 < generation }) ?? true else { return }
        while true {
            let replica = try await home.catalogReplica()
            let have = try await onOpened { store, place -> Void in
                guard place > 0 else { return }
                try await store.replicate(replica)
            }
            // One that was opened in the meantime may have less.
            if catalog.note(replica.generation, where: { openedCount == have.count }) { return }
        }
    }

    private var openedCount: Int { slots.count { $0.opened != nil } }

    /// Changes something of the catalog at the home, and brings it to every database.
    ///
    /// Where one doesn't answer, the change is made, and shown as soon as all have it.
    func replicating<Value>(_ body: () async throws -> Value) async throws -> Value {
        let value = try await body()
        try? await replicateCatalog()
        return value
    }
}
