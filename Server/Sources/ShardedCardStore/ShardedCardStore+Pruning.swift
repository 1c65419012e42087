public import CardModel
import CardStore
import PostgresCardStore

extension ShardedCardStore {
    /// Forgets the events that both happened and arrived before a moment, in each database; those that the webhook has
    /// not sent yet stay.
    public func pruneEvents(before time: UnixTime) async throws -> Int {
        var sent = stores.map { _ in Int64.max }
        if let place = try await home.webhookPlace() {
            let part = LogSpan(after: 0, through: place.position)
            sent = try await home.logSpans(of: part, shards: stores.count).map(\.end)
        }
        let pruned = try await onAll(with: sent) { [self] store, position in
            try await retryingMisplaced { try await store.pruneEvents(before: time, sentThrough: position) }
        }
        let starts = try await onAll { try await $0.logStart() }
        try await retryingMisplaced { try await home.pruneEventIndex(before: starts) }
        return pruned.reduce(0, +)
    }

    /// Forgets the triggers that were used, came to nothing or ran out before a moment, and such broadcasts.
    ///
    /// Broadcasts are the home's; the other databases lose their copies with the next change of the catalog.
    public func pruneTriggers(before time: UnixTime) async throws -> Int {
        let pruned = try await onAll(with: Array(stores.indices)) { [self] store, place in
            try await retryingMisplaced {
                try await place == 0 ? store.pruneTriggers(before: time) : store.pruneUserTriggers(before: time)
            }
        }
        return pruned.reduce(0, +)
    }

    /// Moves events that are still under the ids of users who were merged into others, of one database at a time.
    ///
    /// Those of a user who was merged into one elsewhere stay under the former id.
    public func moveMergedEvents(limit: Int) async throws -> Bool {
        for (place, store) in stores.enumerated() {
            guard try await store.hasMergedEvents() else { continue }
            _ = try await retryingMisplaced { try await store.moveMergedEvents(limit: limit) }
            for other in stores[place...] {
                if try await other.hasMergedEvents() { return true }
            }
            return false
        }
        return false
    }
}
