import CardModel
import CardStore
import PostgresCardStore
import Synchronization

/// The work that a sharded store does by itself: it brings what shards have for the home there, and continues what was
/// interrupted.
final class Housekeeping: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)

    private let watch = Mutex(MoveWatch())
    /// The time at which events are next to be dropped that the settings don't keep; not of all nodes at once.
    // safe: at most a minute
    private let retention = Mutex(ContinuousClock.now + Duration.seconds(Double.random(in: 5...60)))

    /// The time between two looks.
    static let interval = Duration.seconds(1)
    /// The time after which events are dropped again.
    private static let retentionInterval = Duration.seconds(1_800)

    /// Begins, and does the work again and again.
    ///
    /// - Parameters:
    ///   - delay: The time before the first time.
    ///   - interval: The time between two times.
    ///   - work: The work.
    func start(
        after delay: Duration = .zero,
        every interval: Duration = Housekeeping.interval,
        _ work: @escaping @Sendable () async -> Void
    ) {
        let new = Task {
            try? await Task.sleep(for: delay)
            while !Task.isCancelled {
                await work()
                try? await Task.sleep(for: interval)
            }
        }
        task.withLock { $0 = new }
    }

    /// Returns the move that is under way, once it hasn't gone on for long.
    func stalledMove(_ move: RangeMove?, at now: ContinuousClock.Instant) -> RangeMove? {
        watch.withLock { $0.stalled(move, at: now) }
    }

    /// Returns whether a move has stayed as it is for so long that it is called off.
    func isOverdue(_ move: RangeMove, at now: ContinuousClock.Instant) -> Bool {
        watch.withLock { $0.isOverdue(move, at: now) }
    }

    /// Returns whether events are to be dropped, once in each interval.
    func isRetentionDue(at now: ContinuousClock.Instant) -> Bool {
        retention.withLock { due in
            guard now >= due else { return false }
            due = now + Self.retentionInterval * Double.random(in: 0.75...1.25)
            return true
        }
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

/// Tells whether a move of users goes on.
struct MoveWatch {
    /// The time that a move can take for a step, of which each takes less than a second unless a database hangs.
    static let patience = Duration.seconds(15)

    /// The time after which a move that can't go on is called off.
    static let limit = Duration.seconds(60)

    private var known: (move: RangeMove, first: ContinuousClock.Instant, since: ContinuousClock.Instant)?

    /// Returns whether a move was the same for too long for its users to wait for it any more.
    func isOverdue(_ move: RangeMove, at now: ContinuousClock.Instant) -> Bool {
        guard let known, known.move == move else { return false }
        return now - known.first >= Self.limit
    }

    /// Returns the move where it was the same for too long; again after as long, for what comes of it isn't known here.
    ///
    /// - Parameters:
    ///   - move: The move that is under way, or `nil`.
    ///   - now: The time.
    /// - Returns: The move, or `nil` where it goes on.
    mutating func stalled(_ move: RangeMove?, at now: ContinuousClock.Instant) -> RangeMove? {
        guard let known, known.move == move else {
            known = move.map { (move: $0, first: now, since: now) }
            return nil
        }
        guard now - known.since >= Self.patience else { return nil }
        self.known = (move: known.move, first: known.first, since: now)
        return known.move
    }
}

extension ShardedCardStore {
    func startHousekeeping() {
        housekeeping.start { [weak self] in await self?.keepHouse(at: .now) }
    }

    /// Does all that is to be done, each for itself: what fails is counted, told, and done with the next look.
    func keepHouse(at now: ContinuousClock.Instant) async {
        await log.run(.removals, at: now) { try await followRemovals() }
        await onEach(.outbox, at: now) { try await $0.drainOutbox(ofShard: $1) }
        await onEach(.departures, at: now) { try await $0.finishDepartures(from: $1) }
        await log.run(.moves, at: now) { try await continueMove(at: now) }
        await log.run(.moves, at: now) { try await undoCalledOffMoves() }
        await followFailovers(at: now)
        guard housekeeping.isRetentionDue(at: now) else { return }
        do {
            try await dropOldPartitions()
        } catch {
            // What was under way when the store was closed is no failure.
            if !Task.isCancelled { home.notePartitionFailure(error) }
        }
    }

    /// Does something in every database at once, by their numbers; one that fails or doesn't answer keeps none of the
    /// others from it.
    ///
    /// That a database isn't open is told by what opens it, and nothing can be done there.
    private func onEach(
        _ work: StoreTraffic.HousekeepingWork,
        at now: ContinuousClock.Instant,
        _ body: @escaping @Sendable (ShardedCardStore, Int) async throws -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for slot in slots where slot.opened != nil {
                group.addTask { [self] in
                    await log.run(work, in: slot.place, at: now) { try await body(self, slot.place) }
                }
            }
        }
    }

    /// Continues a move of users whose mover has ended or hangs in the middle of it: until it has ended, nobody serves
    /// them.
    func continueMove(at now: ContinuousClock.Instant) async throws {
        guard let move = housekeeping.stalledMove(try await home.move(), at: now) else { return }
        if move.isPrepared {
            do {
                try await finish(move)
            } catch let error as StoreError where error.code == .unavailable && !error.isMisplaced {
                guard housekeeping.isOverdue(move, at: now) else { throw error }
                try await callOff(move)
            }
        } else {
            // Nothing was done of it.
            try await home.cancelMove(move)
        }
    }

    /// Brings to the home what the database of a user has for it; later where the home doesn't answer, which is told
    /// then.
    func drainOutbox(of user: UserID) async {
        guard let place = try? placement.shard(of: user), place > 0 else { return }
        try? await drainOutbox(ofShard: place)
    }

    func drainOutbox(ofShard place: Int) async throws {
        guard place > 0 else { return }
        let (store, shard) = (try database(place), Int64(place))
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
