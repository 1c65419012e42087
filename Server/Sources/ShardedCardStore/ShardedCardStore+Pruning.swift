public import CardModel
import CardStore
import PostgresCardStore

extension ShardedCardStore {
    /// Forgets the events that both happened and arrived before a moment, in each database; those that the webhook has
    /// not sent yet stay.
    public func pruneEvents(before time: UnixTime) async throws -> Int {
        let sent = try await sentPositions()
        let pruned = try await onAll(with: sent) { [self] store, position in
            try await retryingMisplaced { try await store.pruneEvents(before: time, sentThrough: position) }
        }
        try await pruneIndex()
        return pruned.reduce(0, +)
    }

    /// Drops what the settings don't keep of the logs of all databases, as whole partitions.
    ///
    /// A store of a single database does that by itself. A shard can't: only the home knows what the webhook has got.
    func dropOldPartitions() async throws {
        guard let days = try await home.storedSettings().eventDays else { return }
        _ = try await dropPartitions(before: try await home.partitionMoment() - Double(days) * 86_400)
    }

    /// Drops the partitions of all logs that have nothing but events from before a moment which the webhook has got.
    ///
    /// What isn't kept of the databases that answer goes while another one is away, however long that is.
    func dropPartitions(before time: UnixTime) async throws -> Int {
        let sent = try await sentPositions()
        let dropped = try await onAnswering { store, place in
            try await store.pruneMovedEvents(before: time)
            // safe: a position for each database
            return try await store.dropPartitions(before: time, sentThrough: sent[place])
        }
        // Only all of them say where their logs begin.
        if !isPartial(dropped) { try await pruneIndex() }
        return dropped.compactMap(\.self).reduce(0, +)
    }

    /// Returns the last position of each database's own log that the webhook has got; the largest number where there is
    /// no webhook.
    private func sentPositions() async throws -> [Int64] {
        guard let place = try await home.webhookPlace() else { return slots.map { _ in .max } }
        let part = LogSpan(after: 0, through: place.position)
        return try await home.logSpans(of: part, shards: slots.count).map(\.end)
    }

    private func pruneIndex() async throws {
        // Of one that was removed, no row of the index is needed any more.
        let starts = try await onAll(removed: Int64.max) { try await $0.logStart() }
        try await retryingMisplaced { try await home.pruneEventIndex(before: starts) }
    }

    /// Forgets the triggers that were used, came to nothing or ran out before a moment, and such broadcasts.
    ///
    /// Broadcasts are the home's; the other databases lose their copies with the next change of the catalog.
    public func pruneTriggers(before time: UnixTime) async throws -> Int {
        let pruned = try await onAll(with: slots.map(\.place)) { [self] store, place in
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
        let stores = try databases().map(\.store)
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
