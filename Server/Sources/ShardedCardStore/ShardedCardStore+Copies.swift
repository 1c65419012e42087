import CardModel
import CardStore
import PostgresCardStore

/// The outcome of a search for users whose copies databases have.
struct CopyRemoval: Sendable, Hashable {
    /// The number of copies that stay, since they are newer than what the database has that has the user.
    var kept: Int64 = 0
    /// Whether everything was looked at.
    var isComplete = true
}

// Where a shard was restored to a moment before users had moved away, it has them a second time: they would be counted,
// found and given cards by what is sent to all.

extension ShardedCardStore {
    /// The number of copies that are looked at before a store is opened; others wait until it is.
    static let copiesAtOpening = 10_000
    /// The number of copies that are removed in one transaction.
    private static let copiesOfPiece = 500
    /// The time after which it is looked again, as after a failover of a shard.
    private static let copyInterval = Duration.seconds(1_800)

    /// Removes copies of users now, and others in the background.
    func startCopyRemoval() async {
        let found = try? await removeCopies(limit: Self.copiesAtOpening)
        // Not of all nodes at once.
        // safe: at most ten minutes
        let later = Duration.seconds(Int64.random(in: 60...600))
        copyRemoval.start(after: found?.isComplete == false ? .zero : later, every: Self.copyInterval) { [weak self] in
            _ = try? await self?.removeCopies()
        }
    }

    /// Removes users from databases that don't have them by the placement, where the database that does knows as much
    /// of them.
    ///
    /// What is newer than there stays: both databases may have been restored, and it may be all that there is. Nothing
    /// is done while users are being moved.
    ///
    /// - Parameters:
    ///   - limit: The number of copies that are looked at in each database.
    ///   - includesNewer: Whether those that are newer are removed as well.
    /// - Returns: What stays, of the databases that answer.
    /// - Throws: What the home says.
    func removeCopies(limit: Int = .max, includingNewer includesNewer: Bool = false) async throws -> CopyRemoval {
        try await reloadPlacement()
        let placement = placement
        guard !placement.isMoving else { return CopyRemoval() }
        let removals = try await onAnswering { [self] store, place in
            try await removeCopies(
                from: store,
                place,
                by: placement,
                limit: limit,
                includingNewer: includesNewer
            )
        }
        return removals.compactMap(\.self).reduce(into: CopyRemoval()) { sum, removal in
            // safe: counts of users
            sum.kept += removal.kept
            sum.isComplete = sum.isComplete && removal.isComplete
        }
    }

    private func removeCopies(
        from store: PostgresCardStore,
        _ place: Int,
        by placement: UserPlacement,
        limit: Int,
        includingNewer includesNewer: Bool
    ) async throws -> CopyRemoval {
        // safe: a placement has a generation of each database
        let generation = placement.generations[place]
        var removal = CopyRemoval()
        var looked = 0
        for (range, owner) in placement.ranges(notOf: place) {
            var last: UserCopy?
            repeat {
                try Task.checkCancellation()
                guard looked < limit else { return CopyRemoval(kept: removal.kept, isComplete: false) }
                let copies = try await store.copies(in: range, after: last, limit: Self.copiesOfPiece)
                last = copies.count == Self.copiesOfPiece ? copies.last : nil
                guard !copies.isEmpty else { continue }
                var gone = copies.map(\.user)
                if !includesNewer { gone = try await database(owner).outdated(copies) }
                if !gone.isEmpty {
                    guard try await store.removeCopies(of: gone, at: generation) else { return removal }
                }
                // safe: counts of users in memory
                (looked, removal.kept) = (looked + copies.count, removal.kept + Int64(copies.count - gone.count))
            } while last != nil
        }
        return removal
    }
}
