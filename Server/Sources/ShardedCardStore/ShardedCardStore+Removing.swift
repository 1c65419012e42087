public import CardModel
import CardStore
public import PostgresCardStore

extension ShardedCardStore {
    /// The loss where a shard was removed whose database is gone.
    public struct ShardLoss: Sendable, Hashable {
        /// The share of all users who were there, from 0 to 1.
        public let share: Double
        /// The number of its events in the log of all databases, with those that weren't kept any more.
        public let events: Int64
        /// The outcome of the move of users to or from it that was under way, or `nil`.
        public let move: LostMoveOutcome?
        /// The databases that have users of the shard, as they were when a move was called off, by their numbers.
        public let kept: [Int64]

        init(share: Double, events: Int64, move: LostMoveOutcome? = nil, kept: [Int64] = []) {
            (self.share, self.events, self.move, self.kept) = (share, events, move, kept)
        }
    }

    /// The outcome of a move of users whose source or target was lost.
    public enum LostMoveOutcome: Sendable, Hashable {
        /// Its users are in the database that was to give them away, by its number, as they were when they went.
        case returned(to: Int64)
        /// Its users had come to the other database, by its number, and are there.
        case kept(by: Int64)
        /// Its users are lost.
        case lost

        init(_ move: LostMove) {
            switch move {
            case .returned(let place): self = .returned(to: place)
            case .kept(let place): self = .kept(by: place)
            case .lost: self = .lost
            }
        }
    }

    /// Takes a shard away for good that has no users any more; what was counted there is the home's from then on.
    ///
    /// Servers release it within seconds. No other shard gets its number.
    ///
    /// - Parameters:
    ///   - id: The number of the shard, from 1 on.
    ///   - home: The address of the home.
    ///   - options: How the home is opened.
    ///   - now: The time.
    ///   - actor: Who does it.
    /// - Throws: `StoreError.conflict` where users, copies of users or events are there, or users are being moved;
    ///   `StoreError.unavailable` where it doesn't answer; `StoreError.notFound` where there is no such shard.
    public static func removeShard(
        _ id: Int64,
        of home: String,
        options: PostgresCardStore.Options,
        at now: UnixTime,
        by actor: Actor
    ) async throws {
        // Whether another shard answers is nothing to this one.
        let opened = try await open(url: home, options: options) { _ in }
        do {
            guard let store = opened as? ShardedCardStore else { throw unknown(id) }
            try await store.removeShard(id, at: now, by: actor)
            try await opened.close()
        } catch {
            try? await opened.close()
            throw error
        }
    }

    /// Takes a shard away for good, as ``removeShard(_:of:options:at:by:)`` does.
    func removeShard(_ id: Int64, at now: UnixTime, by actor: Actor) async throws {
        guard let place = Int(exactly: id), place > 0, slots.indices.contains(place) else { throw Self.unknown(id) }
        try await home.requireRemovable(id)
        let shard: PostgresCardStore
        do {
            shard = try database(place)
            try await drainOutbox(ofShard: place)
        } catch let error as StoreError where error.code == .unavailable && !error.isMisplaced {
            throw StoreError(
                .unavailable,
                "\(error.message) Shard \(id) has to answer to be removed. Where its database is lost for good, run "
                    + "`placard shards remove \(id) --lost`."
            )
        }
        let left = try await shard.leftovers()
        guard !left.hasUsers else {
            throw StoreError(
                .conflict,
                "Shard \(id) has users of other databases, as after a backup was restored. Remove them with `placard "
                    + "shards balance --without \(id)`."
            )
        }
        guard !left.hasEvents else {
            throw StoreError(
                .conflict,
                "Shard \(id) has events in its log. It can be removed once they are no longer kept (`event_days`) and "
                    + "the webhook has got them."
            )
        }
        guard !left.hasOutbox else {
            throw StoreError(.unavailable, "Shard \(id) has entries for the audit log and the webhook. Try again.")
        }
        try await home.removeShard(id, adding: try await shard.shardCounts(), at: now, by: actor)
        await log.run(.removals) { try await followRemovals() }
    }

    /// Takes a shard away whose database is lost, with all users, events and counts that it had: the users are the
    /// home's from then on, where they are new.
    ///
    /// - Parameters:
    ///   - id: The number of the shard, from 1 on.
    ///   - others: The numbers of other shards that are lost as well: they aren't asked for users who were being moved,
    ///     and stay until they are given up themselves.
    ///   - home: The address of the home.
    ///   - options: How the home is opened.
    ///   - now: The time.
    ///   - actor: Who does it.
    /// - Returns: The loss.
    /// - Throws: `StoreError.conflict` where one of the shards answers, or a move to or from it goes on;
    ///   `StoreError.unavailable` where another database doesn't answer that may have its users; `StoreError.notFound`
    ///   where there is no such shard.
    public static func giveUpShard(
        _ id: Int64,
        besides others: Set<Int64> = [],
        of home: String,
        options: PostgresCardStore.Options,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> ShardLoss {
        let store = try await openHome(home, options)
        do {
            try await store.requireHome()
            let opening = try await shardOpening(of: store, options)
            let others = others.subtracting([id])
            try await requireLost([id] + others.sorted(), store, opening)
            let ending = try await lostMove(of: id, besides: others, store, opening: opening)
            let kept = try await keptMoves(of: id, besides: others, after: ending, store, opening: opening)
            let lost = try await store.giveUpShard(id, ending: ending, keeping: kept, at: now, by: actor)
            try await store.close()
            return ShardLoss(
                share: lost.share,
                events: lost.events,
                move: lost.move.map(LostMoveOutcome.init),
                kept: lost.kept
            )
        } catch {
            try? await store.close()
            throw error
        }
    }

    /// Throws where one of some shards answers, or there is none of a number.
    private static func requireLost(
        _ shards: [Int64],
        _ home: PostgresCardStore,
        _ opening: ShardOpening
    ) async throws {
        let addresses = try await home.shardAddresses()
        for id in shards {
            guard let address = addresses.first(where: { $0.id == id }) else { throw unknown(id) }
            guard try await !answers(address, opening) else {
                throw StoreError(
                    .conflict,
                    "Shard \(id) answers. Remove it without --lost, by which nothing is lost, or stop its server "
                        + "before."
                )
            }
        }
    }

    /// Returns whether the database at an address is the shard.
    ///
    /// - Throws: What says that something is there which can't be used, such as one of another version.
    private static func answers(_ address: ShardAddress, _ opening: ShardOpening) async throws -> Bool {
        do throws(StoreError) {
            let shard = try await opening.open(address)
            try? await shard.close()
            return true
        } catch {
            guard [.unavailable, .conflict].contains(error.code) else { throw error }
            return false
        }
    }

    private static func shardOpening(
        of home: PostgresCardStore,
        _ options: PostgresCardStore.Options
    ) async throws -> ShardOpening {
        var options = options
        (options.secretsKey, options.requiresSecretsKey) = (nil, false)
        options.leavesUsers = true
        let key = try await home.pseudonymKey()
        return ShardOpening(options: options, role: { id in ShardRole(id: id) { 0 } }, pseudonymKey: key)
    }

    private static func unknown(_ id: Int64) -> StoreError {
        id == 0
            ? StoreError(.conflict, "The home can't be removed.")
            : StoreError(.notFound, "There is no shard \(id). `placard shards list` names them.")
    }

    /// Releases shards that were removed, and closes their databases with the next look: whoever calls one just now
    /// can end.
    ///
    /// - Throws: What keeps the home from saying which were.
    func followRemovals() async throws {
        for slot in slots {
            guard let store = slot.takeRetired() else { continue }
            try? await store.close()
        }
        let removed = try await home.removedShards()
        let news = slots.filter { removed.contains(Int64($0.place)) && $0.remove() }
        guard !news.isEmpty else { return }
        // Otherwise the first call that concerns it does.
        try? await reloadPlacement()
    }
}
