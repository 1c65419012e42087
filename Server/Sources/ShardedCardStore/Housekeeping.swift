import CardModel
import CardStore
import PostgresCardStore
import Synchronization

/// The work that a sharded store does by itself: it brings what shards have for the home there, and continues what was
/// interrupted.
final class Housekeeping: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// The time between two looks.
    static let interval = Duration.seconds(1)

    func start(_ work: @escaping @Sendable () async -> Void) {
        let new = Task {
            while !Task.isCancelled {
                await work()
                try? await Task.sleep(for: Self.interval)
            }
        }
        task.withLock { $0 = new }
    }

    /// Stops, and returns once nothing is done any more.
    func stop() async {
        let running = task.withLock { task in
            defer { task = nil }
            return task
        }
        running?.cancel()
        await running?.value
    }
}

extension ShardedCardStore {
    func startHousekeeping() {
        housekeeping.start { [weak self] in
            guard let self else { return }
            try? await drainOutboxes()
            try? await finishDepartures()
        }
    }

    /// Brings to the home what shards have for its audit log and its webhook.
    func drainOutboxes() async throws {
        for (place, store) in stores.enumerated().dropFirst() { try await drainOutbox(of: store, Int64(place)) }
    }

    /// Brings to the home what the database of a user has for it; later where the home doesn't answer.
    func drainOutbox(of user: UserID) async {
        guard let place = try? placement.shard(of: user), place > 0 else { return }
        try? await drainOutbox(of: stores[place], Int64(place))
    }

    private func drainOutbox(of store: PostgresCardStore, _ shard: Int64) async throws {
        let piece = 1_000
        while true {
            let entries = try await store.outbox(limit: piece)
            guard let last = entries.last else { return }
            try await home.applyOutbox(entries, of: shard)
            try await store.removeOutbox(through: last.position)
            if entries.count < piece { return }
        }
    }
}
