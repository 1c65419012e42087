import CardStore
import PostgresCardStore
import Synchronization

/// The names of the databases' histories, as they were when a node looked at them last.
final class KnownHistories: Sendable {
    private let names = Mutex<[Int: UInt64]>([:])

    /// Returns whether a database's history has another name than before.
    func hasChanged(_ name: UInt64, of place: Int) -> Bool {
        // safe: a dictionary
        names.withLock { $0[place].map { $0 != name } ?? false }
    }

    /// Notes the name of a database's history.
    func note(_ name: UInt64, of place: Int) {
        // safe: a dictionary
        names.withLock { $0[place] = name }
    }
}

// A database that was restored, or failed over to a standby that was behind, has forgotten what others think it knows.

extension ShardedCardStore {
    /// Brings to databases that have failed over what they had before, and removes what they have too much.
    func followFailovers(at now: ContinuousClock.Instant = .now) async {
        for slot in slots {
            guard let store = slot.opened else { continue }
            let name = store.epoch
            // Where it fails, the name stays unknown, and it is done again with the next look.
            await log.run(.failovers, in: slot.place, at: now) {
                if histories.hasChanged(name, of: slot.place) {
                    try await renewReplicas(from: slot.place)
                    try await removeForgottenCopies(limit: Self.copiesAtOpening)
                }
                histories.note(name, of: slot.place)
            }
        }
    }

    /// Brings the home's catalog to a database that may have an earlier one, or from the home, to all of them.
    private func renewReplicas(from place: Int) async throws {
        guard place > 0 else {
            try await forgetLaterReplicas()
            catalog.forget()
            return try await replicateCatalog()
        }
        let store = try database(place)
        try await forgetLaterReplica(of: store)
        try await store.replicate(try await home.catalogReplica())
    }

    /// Has databases take over the home's catalog also where they have one that the home has no more: it was restored
    /// to an earlier moment than they were, and its generations count up from there once more.
    func forgetLaterReplicas() async throws {
        for slot in slots.dropFirst() {
            guard let store = slot.opened else { continue }
            try await forgetLaterReplica(of: store)
        }
    }

    /// Has a database take over the home's catalog also where it has one that the home has no more.
    func forgetLaterReplica(of store: PostgresCardStore) async throws {
        // Read before the home's, which is as late unless it was restored.
        let known = try await store.replicatedGeneration()
        guard try await known > home.catalogGeneration() else { return }
        try await store.forgetReplica(known)
    }
}
