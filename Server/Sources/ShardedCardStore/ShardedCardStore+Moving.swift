import CardModel
import CardStore
public import PostgresCardStore

extension ShardedCardStore {
    /// The progress of spreading users evenly.
    public struct BalanceProgress: Sendable, Hashable {
        /// The share of what has to be moved that is, from 0 to 1.
        public let share: Double
        /// The number of ranges that were moved.
        public let moves: Int
    }

    /// The number of users that go to another database together, who wait as long as that takes.
    private static let usersOfMove = 50
    /// The time for which a mover repeats what a database refuses because it is busy or away.
    private static let moverPatience = Duration.seconds(30)

    /// Moves users until each database has the same share of them, while servers serve.
    ///
    /// Requests about a user who is just being moved wait for some tenths of a second. It can be interrupted at any
    /// time, and called again.
    ///
    /// - Parameters:
    ///   - home: The address of the home.
    ///   - options: How the home is opened.
    ///   - emptied: The numbers of databases that are to have no users, such as before their machine is retired.
    ///   - removesCopies: Whether users of other databases are removed, also where they are newer than there. Otherwise
    ///     nothing is done where there are such users.
    ///   - report: Told of every step.
    /// - Throws: `StoreError.conflict` where a server runs that doesn't know all databases, or copies of users are
    ///   newer than the users; `StoreError.notFound` where there is no database of a number; `StoreError.diskFull`
    ///   where a database is full: its users are served where they were.
    public static func balance(
        _ home: String,
        options: PostgresCardStore.Options,
        without emptied: Set<Int> = [],
        removingCopies removesCopies: Bool = false,
        report: (BalanceProgress) async throws -> Void
    ) async throws {
        guard let store = try await open(url: home, options: options) as? ShardedCardStore else {
            throw StoreError(.conflict, "There is one database only. Add another with `placard shards add`.")
        }
        do {
            try await store.balance(without: emptied, removingCopies: removesCopies, report: report)
            try await store.close()
        } catch {
            try? await store.close()
            throw error
        }
    }

    /// The number of looks, a tenth of a second apart, at merges that have to end before users can move.
    static let departureLooks = 100

    func balance(
        looks: Int = ShardedCardStore.departureLooks,
        without emptied: Set<Int> = [],
        removingCopies removesCopies: Bool = false,
        report: (BalanceProgress) async throws -> Void
    ) async throws {
        let wanted = try ranges(without: emptied)
        try await requireAwareNodes()
        if let move = try await home.move() { try await end(move, givingUpCopies: removesCopies) }
        try await undoCalledOffMoves()
        try await removeCopiesBeforeMoving(includingNewer: removesCopies)
        try await catchUpPlacements()
        try await reloadPlacement()
        let steps = placement.steps(toward: wanted)
        // safe: places have thirty bits
        let total = steps.reduce(0) { $0 + $1.range.upperBound - $1.range.lowerBound }
        var (done, moves): (Int64, Int) = (0, 0)
        try await report(BalanceProgress(share: total == 0 ? 1 : 0, moves: 0))
        for step in steps {
            let source = try database(step.source)
            try await database(step.target).takeFormerUsers(try await source.formerUsersWithoutPlace())
            var start = step.range.lowerBound
            while start < step.range.upperBound {
                // safe: ranges that aren't empty
                let stop = try await source.end(of: start..<step.range.upperBound, users: Self.usersOfMove)
                // safe: as above
                let move = RangeMove(start..<stop, from: Int64(step.source), to: Int64(step.target))
                // Nobody serves the range from when it is given away until they have ended, which another database
                // that is away can put off.
                try await waitForDepartures(from: source, looks: looks)
                try await begin(move)
                try await finishPatiently(move)
                // safe: places have thirty bits, and moves are counted
                (done, moves) = (done + stop - start, moves + 1)
                start = stop
                try await report(BalanceProgress(share: Double(done) / Double(total), moves: moves))
            }
        }
        try await reloadPlacement()
        guard placement.steps(toward: wanted).isEmpty else {
            // A server calls off a move that doesn't begin for long.
            throw StoreError(.unavailable, "Not all users could be moved. Run the command again.")
        }
    }

    /// Returns ranges that give each database the same share, but for those that are to have no users.
    private func ranges(without emptied: Set<Int>) throws(StoreError) -> [PlacedRange] {
        let places = slots.filter { !$0.isRemoved }.map(\.place)
        if let unknown = emptied.filter({ !places.contains($0) }).min() {
            throw StoreError(.notFound, "There is no shard \(unknown). `placard shards list` names them.")
        }
        let rest = places.filter { !emptied.contains($0) }
        guard !rest.isEmpty else {
            throw StoreError(.conflict, "One database at least has to have users.")
        }
        return UserPlacement.even(among: rest)
    }

    /// Ends a move that was interrupted before this one.
    private func end(_ move: RangeMove, givingUpCopies: Bool) async throws {
        let forgetful = try await placesBehind().keys
        let places = [Int(exactly: move.source), Int(exactly: move.target)]
        if !move.isPrepared, forgetful.contains(where: { places.contains($0) }) {
            // Nothing was done of it, and copies of its users may have come since, by a restore.
            return try await home.cancelMove(move)
        }
        try await finishPatiently(move, givingUpCopies: givingUpCopies)
    }

    /// Has shards that were restored count on from where they were before, so that no node confuses what they have by
    /// now with what they had.
    private func catchUpPlacements() async throws {
        for (place, generation) in try await placesBehind() {
            try await database(place).movePlacement(to: generation)
        }
    }

    /// Returns the shards that have forgotten moves, each with the generation that it had.
    private func placesBehind() async throws -> [Int: Int64] {
        var behind: [Int: Int64] = [:]
        for (place, generation) in try await home.notedPlacements() where slots.indices.contains(place) {
            if try await database(place).placementGeneration() < generation { behind[place] = generation }
        }
        return behind
    }

    /// Removes copies of users, which a database would otherwise have already when they come to it.
    private func removeCopiesBeforeMoving(includingNewer: Bool) async throws {
        let removal = try await removeCopies(includingNewer: includingNewer)
        let kept = removal.kept
        guard kept == 0 else {
            throw StoreError(
                .conflict,
                "\(kept) user\(kept == 1 ? " is" : "s are") in a database that isn't theirs, and may be newer there "
                    + "than in their own. Restore all databases to the same moment, or remove these copies with "
                    + "`placard shards balance --remove-copies`."
            )
        }
        // What comes to a database takes the place of copies there, so none may have been overlooked.
        guard removal.isComplete else {
            throw StoreError(.unavailable, "A database doesn't answer, or users are being moved. Try again.")
        }
    }

    /// Notes a move that begins, while all nodes know all databases.
    private func begin(_ move: RangeMove) async throws {
        guard try await home.beginMove(move) else {
            throw StoreError(.conflict, "Another process is moving users. Wait until it has ended.")
        }
        do {
            // One that had written nothing for long can have come back; it sees the move from here on.
            try await requireAwareNodes()
        } catch {
            try? await home.cancelMove(move)
            throw error
        }
    }

    /// Throws where a server runs that doesn't know all databases.
    private func requireAwareNodes() async throws {
        let unaware = try await home.nodesUnaware(ofDatabases: Int64(slots.count))
        guard unaware > 0 else { return }
        throw StoreError(
            .conflict,
            "\(unaware) server\(unaware == 1 ? " doesn't" : "s don't") know all databases. Restart the servers, "
                + "one after another, and run the command again."
        )
    }

    /// Does what is left of a move, again where a database is busy or away for a while: its users wait for it.
    private func finishPatiently(_ move: RangeMove, givingUpCopies: Bool = false) async throws {
        let end = ContinuousClock.now + Self.moverPatience
        while true {
            do {
                return try await finish(move, givingUpCopies: givingUpCopies)
            } catch let error as StoreError
                where error.code == .unavailable && !error.isMisplaced && ContinuousClock.now < end
            {
                try await Task.sleep(for: .milliseconds(500))
            } catch let error as StoreError where error.code == .unavailable && !error.isMisplaced {
                // Otherwise nobody would serve its users until the target is back.
                if let move = try? await home.move() { try? await callOff(move) }
                throw error
            }
        }
    }

    /// Does what is left of a move that has begun; another mover may be doing the same.
    ///
    /// - Parameters:
    ///   - noted: The move, as it was noted.
    ///   - givingUpCopies: Whether the source's users are removed also where the target has forgotten that they came.
    /// - Throws: `StoreError.conflict` where the target has forgotten it.
    func finish(_ noted: RangeMove, givingUpCopies: Bool = false) async throws {
        let places = (Int(clamping: noted.source), Int(clamping: noted.target))
        guard slots.indices.contains(places.0), slots.indices.contains(places.1) else {
            throw StoreError(.conflict, "Users are moved to a database that this process doesn't know. Restart it.")
        }
        guard !noted.isCalledOff else { return try await giveBack(noted) }
        let (source, target) = (try database(places.0), try database(places.1))
        guard let move = try await prepared(noted, from: source, to: target) else { return }
        guard !move.isCalledOff else { return try await giveBack(move) }
        if !move.isPlaced {
            // From here on nobody reads or writes the users of the range.
            try await source.movePlacement(to: move.sourcePlacement)
            try await waitForDepartures(from: source)
            try await bring(move, from: source, to: target)
            // What their devices know goes on, whatever has happened to either database before.
            let history = historyPart(of: places.0) ^ historyPart(of: places.1)
            guard try await home.placeMove(move, changing: history) else { return }
        }
        if !givingUpCopies { guard try await hasUsers(of: move, target) else { return } }
        // Where the two are the home and a shard, the home counts fewer users from here on.
        try await source.removeUsers(of: move)
        try await home.endMove(move)
    }

    /// Makes sure that the target has not forgotten the users of a move, as a standby has that was behind, or a backup:
    /// the source has them still.
    ///
    /// - Returns: Whether the move is under way; `false` where another mover has ended it.
    private func hasUsers(of move: RangeMove, _ target: PostgresCardStore) async throws -> Bool {
        // safe: generations count moves
        if try await target.placementGeneration() == move.targetPlacement + 1 { return true }
        guard let noted = try await home.move(), noted.start == move.start,
            noted.sourcePlacement == move.sourcePlacement, noted.source == move.source
        else { return false }
        let (source, name) = (databaseName(of: move.source), databaseName(of: move.target))
        throw StoreError(
            .conflict,
            "Users came to \(name), which was then restored to an earlier moment. They are in \(source) "
                + "still, though nobody is served from there. Restore \(name) to a later moment, or give them up with "
                + "`placard shards balance --remove-copies`."
        )
    }

    private func databaseName(of place: Int64) -> String { place == 0 ? "the home" : "shard \(place)" }

    /// Brings the users of a move to the target; where it can't have them, they go on where they were.
    private func bring(
        _ move: RangeMove,
        from source: PostgresCardStore,
        to target: PostgresCardStore
    ) async throws {
        do {
            try await target.takeUsers(try await source.leavingUsers(of: move), of: move)
        } catch let error as StoreError where error.isMisplaced || error.code != .unavailable {
            // Trying again wouldn't help, and nobody serves the users until the move has ended.
            if (try? await target.refuseUsers(of: move)) == true { try? await home.callOffMove(move) }
            guard !error.isMisplaced else { throw error }
            let name = databaseName(of: move.target)
            throw StoreError(error.code, "Users couldn't be moved to \(name). \(error.message)")
        }
    }

    /// Returns a move with the generations of its databases, or `nil` where it has ended in the meantime.
    private func prepared(
        _ move: RangeMove,
        from source: PostgresCardStore,
        to target: PostgresCardStore
    ) async throws -> RangeMove? {
        guard !move.isPrepared else { return move }
        return try await home.prepareMove(
            move,
            // safe: generations count moves
            sourcePlacement: try await source.placementGeneration() + 1,
            targetPlacement: try await target.placementGeneration()
        )
    }

    /// Waits until no user of a database is about to be merged into another one elsewhere: what is known of such a user
    /// is in two databases.
    func waitForDepartures(
        from source: PostgresCardStore,
        looks: Int = ShardedCardStore.departureLooks
    ) async throws {
        for _ in 0..<looks {
            if try await source.unfinishedDepartures(limit: 1).isEmpty { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw StoreError(.unavailable, "Users are being merged and don't come to an end. Run the command again.")
    }
}

/// A range of users that is to go to another database.
struct PlacementStep: Sendable, Hashable {
    let range: Range<Int64>
    let source: Int
    let target: Int
}

extension UserPlacement {
    /// Returns the ranges that have to go elsewhere for users to be as some ranges say.
    ///
    /// - Parameter wanted: The ranges, in order; the first begins at 0.
    /// - Returns: The steps, in the order of their ranges.
    func steps(toward wanted: [PlacedRange]) -> [PlacementStep] {
        let bounds = Set(starts + wanted.map(\.start)).sorted() + [SampleRank.count]
        var steps: [PlacementStep] = []
        for (start, stop) in zip(bounds, bounds.dropFirst()) {
            guard let target = wanted.last(where: { $0.start <= start }).map({ Int(clamping: $0.shard) }) else {
                continue
            }
            let source = owner(ofRank: start)
            guard source != target else { continue }
            if let last = steps.last, last.range.upperBound == start, last.source == source, last.target == target {
                steps[steps.count - 1] = PlacementStep(
                    // safe: ranges that aren't empty
                    range: last.range.lowerBound..<stop,
                    source: source,
                    target: target
                )
            } else {
                // safe: ranges that aren't empty
                steps.append(PlacementStep(range: start..<stop, source: source, target: target))
            }
        }
        return steps
    }
}
