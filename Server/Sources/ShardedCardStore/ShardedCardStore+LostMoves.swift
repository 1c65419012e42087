import CardStore
import PostgresCardStore

// A move to or from a shard whose database is gone can't come to an end. Its other database is asked what it has, and
// kept from what a mover that comes late would do there.

extension ShardedCardStore {
    /// Finds what comes of the move to or from a shard that is lost, and keeps movers from going on with it.
    ///
    /// May be interrupted, and called again.
    ///
    /// - Parameters:
    ///   - id: The number of the shard.
    ///   - others: The numbers of other shards that are lost as well, and aren't asked.
    ///   - home: The home.
    ///   - opening: How the other database is opened.
    /// - Returns: The move, as the home has it, with its outcome; `nil` for none.
    /// - Throws: `StoreError.unavailable` where the other database doesn't answer.
    static func lostMove(
        of id: Int64,
        besides others: Set<Int64>,
        _ home: PostgresCardStore,
        opening: ShardOpening
    ) async throws -> (move: RangeMove, outcome: LostMove)? {
        guard let move = try await home.move(), move.source == id || move.target == id else { return nil }
        let isTarget = move.target == id
        // Both are lost, and no mover reaches either.
        guard !others.contains(isTarget ? move.source : move.target) else { return (move, .lost) }
        // Nothing was done of it.
        guard move.isPrepared else { return (move, isTarget ? .returned(to: move.source) : .lost) }
        if !isTarget, move.isPlaced { return (move, .kept(by: move.target)) }
        let outcome = try await onOther(of: move, than: id, home, opening) { store -> LostMove in
            guard isTarget else {
                return try await store.refuseUsers(of: move) ? .lost : .kept(by: move.target)
            }
            // From here on no mover removes the users who may still be there.
            // safe: generations count moves
            try await store.movePlacement(to: move.sourcePlacement + 1)
            guard move.isPlaced else { return .returned(to: move.source) }
            return try await store.hasUsers(in: move) ? .returned(to: move.source) : .lost
        }
        return (move, outcome)
    }

    /// Finds the moves from a shard that is lost which were called off, and whose targets have the users all the same:
    /// they keep them from now on.
    ///
    /// Users of several such moves are kept by the target of the last one, whose copies are the newest. May be
    /// interrupted, and called again.
    ///
    /// - Parameters:
    ///   - id: The number of the shard.
    ///   - others: The numbers of other shards that are lost as well, and aren't asked.
    ///   - ending: The move that was under way, with its outcome; users that its target has are kept by no other.
    ///   - home: The home.
    ///   - opening: How the other databases are opened.
    /// - Returns: The moves, as the home has them.
    /// - Throws: `StoreError.unavailable` where one of the targets doesn't answer.
    static func keptMoves(
        of id: Int64,
        besides others: Set<Int64>,
        after ending: (move: RangeMove, outcome: LostMove)?,
        _ home: PostgresCardStore,
        opening: ShardOpening
    ) async throws -> [RangeMove] {
        var (kept, placed): ([RangeMove], [RangeMove]) = ([], [])
        if let ending, case .kept = ending.outcome { placed.append(ending.move) }
        let moves = try await home.calledOffMoves(from: id).filter { !others.contains($0.target) }
        for move in moves.sorted(by: { $0.sourcePlacement > $1.sourcePlacement }) {
            // The target of an earlier one hears that it was called off, and removes its copies.
            guard !placed.contains(where: { $0.overlaps(move) }) else { continue }
            let isKept = try await onOther(of: move, than: id, home, opening) { try await $0.keepUsers(of: move) }
            guard isKept else { continue }
            kept.append(move)
            placed.append(move)
        }
        return kept
    }

    /// Calls the database of a move that isn't lost.
    private static func onOther<Value: Sendable>(
        of move: RangeMove,
        than id: Int64,
        _ home: PostgresCardStore,
        _ opening: ShardOpening,
        _ body: (PostgresCardStore) async throws -> Value
    ) async throws -> Value {
        let other = move.source == id ? move.target : move.source
        guard other != 0 else { return try await body(home) }
        guard let address = try await home.shardAddresses().first(where: { $0.id == other }) else {
            throw StoreError(.notFound, "There is no shard \(other). `placard shards list` names them.")
        }
        let store: PostgresCardStore
        do throws(StoreError) {
            store = try await opening.open(address)
        } catch {
            guard error.code == .unavailable else { throw error }
            throw StoreError(
                .unavailable,
                "\(error.message) Users were being moved between it and shard \(id), so it has to answer. Where its "
                    + "database is lost as well, run `placard shards remove \(id) --lost --also-lost \(other)`."
            )
        }
        do {
            let value = try await body(store)
            try await store.close()
            return value
        } catch {
            try? await store.close()
            throw error
        }
    }
}
