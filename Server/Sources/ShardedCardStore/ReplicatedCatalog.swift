import CardModel
import CardStore
import PostgresCardStore
import Synchronization

/// The newest generation of the catalog that all databases are known to have.
final class ReplicatedCatalog: Sendable {
    private let newest = Mutex<CatalogMoment?>(nil)

    /// Returns whether all databases are known to have that of the catalog, or what came after it.
    func has(_ moment: CatalogMoment) -> Bool {
        newest.withLock { known in
            guard let known, known.history == moment.history else { return false }
            return known.generation >= moment.generation
        }
    }

    /// Notes that all databases have a generation, unless others are to have it by now; returns whether it did.
    func note(_ new: CatalogMoment, where isComplete: () -> Bool) -> Bool {
        newest.withLock { known in
            guard isComplete() else { return false }
            if let known, known.history == new.history, known.generation > new.generation { return true }
            known = new
            return true
        }
    }

    /// Forgets the generation, which the home may have no more.
    func forget() { newest.withLock { $0 = nil } }

    /// Adds a database that has a generation, and returns what comes of it; `nil` where others have a newer one, or
    /// one of another history, which are then to get what is the home's by now.
    func admitting(_ own: CatalogMoment, _ add: () -> Bool) -> Bool? {
        newest.withLock { known in
            if let other = known, other.history != own.history {
                known = nil
                return nil
            }
            if let known, known.generation > own.generation { return nil }
            return add()
        }
    }
}

/// A generation of the home's catalog, in the history of the home in which it was given out: in another one, as after a
/// backup was restored, the same number is of another catalog.
struct CatalogMoment: Sendable, Hashable {
    let generation: CatalogGeneration
    let history: UInt64
}

extension CatalogReplica {
    /// The moment at which it was read.
    var moment: CatalogMoment { CatalogMoment(generation: generation, history: history) }
}

extension ShardedCardStore {
    /// Brings to every database what decides there on the consequences of events: conversions, broadcasts, settings.
    ///
    /// A catalog is shown to nobody before that, so that an event about a card can't come to a database that doesn't
    /// know its campaign. One that isn't open has no users here until it has it, too.
    func replicateCatalog() async throws {
        let generation = try await home.catalogGeneration()
        guard !catalog.has(CatalogMoment(generation: generation, history: home.epoch)) else { return }
        while true {
            let replica = try await home.catalogReplica()
            let have = try await onOpened { store, place -> Void in
                guard place > 0 else { return }
                try await store.replicate(replica)
            }
            // One that was opened in the meantime may have less.
            if catalog.note(replica.moment, where: { openedCount == have.count }) { return }
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
