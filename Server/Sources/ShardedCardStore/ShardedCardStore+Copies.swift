import CardModel
import CardStore
import PostgresCardStore

/// The outcome of a search for users whose copies databases have.
struct CopyRemoval: Sendable, Hashable {
    /// The number of copies that stay, since nothing proves that the database that has the user knows as much.
    var kept: Int64 = 0
    /// Whether everything was looked at that was to be.
    var isComplete = true
}

/// A search for users whose copies databases have, by what was known when it began.
struct CopySearch: Sendable {
    let placement: UserPlacement
    /// The generations that the home has noted of shards, read before those of the placement.
    let noted: [Int: Int64]
    let limit: Int
    let includesNewer: Bool

    /// Whether a database has forgotten moves that the home knows.
    ///
    /// What it has of users of others is from before they went there. The home forgets its placement as well.
    func hasForgotten(_ place: Int) -> Bool {
        // safe: a placement has a generation of each database
        noted[place].map { placement.generations[place] < $0 } ?? false
    }

    /// Whether a database has all that came to it by moves that the home knows, and no move was forgotten by the home
    /// that it has heard of.
    func hasAll(_ place: Int) -> Bool {
        // safe: a placement has a generation of each database
        place == 0 || noted[place] == placement.generations[place]
    }
}

// Where a shard was restored to a moment before users had moved away, it has them a second time: they would be counted,
// found and given cards by what is sent to all.
//
// The same is to be seen where the home was restored, but then the copies are all that there is of what was written
// since. By itself a server removes only what is proven to be earlier than what another database has: the generation
// of the shard says that the shard has forgotten moves, and that of the other database that it hasn't.

extension ShardedCardStore {
    /// The number of copies that are looked at before a store is opened; others wait until it is.
    static let copiesAtOpening = 2_000
    /// The number of copies that are removed in one transaction, for which all users of the database wait.
    private static let copiesOfPiece = 50
    /// The time after which it is looked again, as after a failover of a shard.
    private static let copyInterval = Duration.seconds(1_800)

    /// Removes copies of users now, and others in the background.
    func startCopyRemoval() async {
        let found = try? await removeForgottenCopies(limit: Self.copiesAtOpening)
        // Not of all nodes at once.
        // safe: at most ten minutes
        let later = Duration.seconds(Int64.random(in: 60...600))
        copyRemoval.start(after: found?.isComplete == false ? .zero : later, every: Self.copyInterval) { [weak self] in
            await self?.lookForCopies()
        }
    }

    private func lookForCopies() async {
        await log.run(.copies) { try await removeForgottenCopies() }
    }

    /// Removes copies of users from shards that have forgotten moves; others aren't even looked at.
    ///
    /// - Parameter limit: The number of copies that are looked at in each database.
    /// - Returns: What stays, of these shards.
    /// - Throws: What the home says.
    @discardableResult
    func removeForgottenCopies(limit: Int = .max) async throws -> CopyRemoval {
        try await search(limit: limit, includingNewer: false) { $0.hasForgotten($1) }
    }

    /// Removes users from databases that don't have them by the placement, where it is proven that the database that
    /// does knows as much of them, and counts the others.
    ///
    /// What may be newer than there stays: both databases, or the home, may have been restored, and it may be all that
    /// there is. Nothing is done while users are being moved.
    ///
    /// - Parameters:
    ///   - limit: The number of copies that are looked at in each database.
    ///   - includesNewer: Whether those that may be newer are removed as well.
    /// - Returns: What stays, of the databases that answer; incomplete where one doesn't.
    /// - Throws: What the home says.
    func removeCopies(limit: Int = .max, includingNewer includesNewer: Bool = false) async throws -> CopyRemoval {
        try await search(limit: limit, includingNewer: includesNewer) { _, _ in true }
    }

    private func search(
        limit: Int,
        includingNewer includesNewer: Bool,
        in isSearched: @escaping @Sendable (CopySearch, Int) -> Bool
    ) async throws -> CopyRemoval {
        // Before the generations of the shards: one that moves users in between isn't taken for one that has forgotten.
        let noted = try await home.notedPlacements()
        try await reloadPlacement()
        let placement = placement
        guard !placement.isMoving else { return CopyRemoval(isComplete: false) }
        let search = CopySearch(placement: placement, noted: noted, limit: limit, includesNewer: includesNewer)
        let removals = try await onAnswering { [self] store, place in
            guard isSearched(search, place) else { return CopyRemoval() }
            return try await removeCopies(from: store, place, search)
        }
        return removals.compactMap(\.self).reduce(into: CopyRemoval(isComplete: !isPartial(removals))) { sum, removal in
            // safe: counts of users
            sum.kept += removal.kept
            sum.isComplete = sum.isComplete && removal.isComplete
        }
    }

    private func removeCopies(
        from store: PostgresCardStore,
        _ place: Int,
        _ search: CopySearch
    ) async throws -> CopyRemoval {
        // safe: a placement has a generation of each database
        let generation = search.placement.generations[place]
        var removal = CopyRemoval()
        var looked = 0
        for (range, owner) in search.placement.ranges(notOf: place) {
            var last: UserCopy?
            repeat {
                try Task.checkCancellation()
                guard looked < search.limit else { return CopyRemoval(kept: removal.kept, isComplete: false) }
                let copies = try await store.copies(in: range, after: last, limit: Self.copiesOfPiece)
                last = copies.count == Self.copiesOfPiece ? copies.last : nil
                guard !copies.isEmpty else { continue }
                let gone = try await outdated(copies, at: place, owner, search)
                if !gone.isEmpty {
                    guard try await store.removeCopies(of: gone, at: generation) else {
                        return CopyRemoval(kept: removal.kept, isComplete: false)
                    }
                }
                // safe: counts of users in memory
                (looked, removal.kept) = (looked + copies.count, removal.kept + Int64(copies.count - gone.count))
            } while last != nil
        }
        return removal
    }

    /// Returns those of the copies of a database that can go.
    private func outdated(
        _ copies: [UserCopy],
        at place: Int,
        _ owner: Int,
        _ search: CopySearch
    ) async throws -> [UserID] {
        if search.includesNewer { return copies.map(\.user) }
        guard search.hasForgotten(place), search.hasAll(owner) else { return [] }
        // safe: a placement has a generation of each database
        return try await database(owner).outdated(copies, at: search.placement.generations[owner])
    }
}
