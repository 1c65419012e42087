import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import Testing

@testable import ShardedCardStore

@Suite("Sharded: a move whose source or target is lost", .timeLimit(.minutes(20)))
struct LostMoveTests {
    /// The last step that was done before a database was lost.
    enum Step: Int, CaseIterable, Sendable {
        case noted, closed, copied, placed, removed
    }

    private static let range = SampleRank.count / 2..<SampleRank.count
    private static let users = (0..<60).map { UserID(rawValue: "user-\($0)") }

    /// Does the steps of a move of half of the users.
    private func run(
        through last: Step,
        _ begun: RangeMove,
        _ home: PostgresCardStore,
        _ source: PostgresCardStore,
        _ target: PostgresCardStore
    ) async throws {
        #expect(try await home.beginMove(begun))
        guard last != .noted else { return }
        let generations = (try await source.placementGeneration() + 1, try await target.placementGeneration())
        let prepared = try await home.prepareMove(
            begun,
            sourcePlacement: generations.0,
            targetPlacement: generations.1
        )
        let move = try #require(prepared)
        try await source.movePlacement(to: move.sourcePlacement)
        if last.rawValue >= Step.copied.rawValue {
            try await target.takeUsers(try await source.leavingUsers(of: move), of: move)
        }
        if last.rawValue >= Step.placed.rawValue { try await home.placeMove(move) }
        if last == .removed { try await source.removeUsers(of: move) }
    }

    private func giveUp(_ place: ShardedPlace) async throws -> ShardedCardStore.ShardLoss {
        try await place.setShard(1, to: ShardedPlace.away)
        return try await ShardedCardStore.giveUpShard(
            1,
            of: place.home,
            options: place.options,
            at: noon,
            by: command
        )
    }

    /// Runs a test with users at the home, or all of them at a shard.
    private func withUsers(
        atShard: Bool,
        _ body: (_ place: ShardedPlace, _ store: ShardedCardStore) async throws -> Void
    ) async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            let single = try await place.open()
            try await single.updateUsers(Self.users.map { UserUpdate(id: $0) }, at: noon)
            try await single.close()
            #expect(try await !place.add(urls[1]))
            if atShard {
                try await ShardedCardStore.balance(place.home, options: place.options, without: [0]) { _ in }
            }
            let store = try #require(try await place.open() as? ShardedCardStore)
            // Otherwise a server would go on with a move that stands still while the machine is busy.
            await store.housekeeping.stop()
            do {
                try await body(place, store)
            } catch {
                try? await store.close()
                throw error
            }
            try await store.close()
        }
    }

    @Test(arguments: Step.allCases)
    func `Where the target is lost, its users are those that the source has, and a late mover removes nobody`(
        step: Step
    ) async throws {
        try await withUsers(atShard: false) { place, store in
            let (home, shard) = (store.home, try store.database(1))
            let moved = try #require(Self.users.first { Self.range.contains(SampleRank.of($0)) })
            try await run(through: step, RangeMove(Self.range, from: 0, to: 1), home, home, shard)
            let late = try #require(try await home.move())
            let name = store.userEpoch(of: moved)

            let loss = try await giveUp(place)
            #expect(loss.move == (step == .removed ? .lost : .returned(to: 0)))
            #expect(loss.share == (step == .removed ? 0.5 : 0))
            #expect(try await home.move() == nil)
            #expect(try await home.placedRanges().allSatisfy { $0.shard == 0 })
            let left = step == .removed ? Self.users.filter { !Self.range.contains(SampleRank.of($0)) } : Self.users
            #expect(try await home.userCount() == Int64(left.count))
            if late.isPrepared { try await home.removeUsers(of: late) }
            #expect(try await home.userCount() == Int64(left.count))

            let after = try #require(try await place.open() as? ShardedCardStore)
            for user in left { #expect(try await after.userRevision(of: user) != nil, "\(user)") }
            // Versions that the target gave out are of another history.
            if step == .placed { #expect(after.userEpoch(of: moved) != name) }
            try await after.close()
        }
    }

    @Test(arguments: Step.allCases)
    func `Where the source is lost, users who have come to the target are kept, and others can't come late`(
        step: Step
    ) async throws {
        try await withUsers(atShard: true) { place, store in
            let (home, shard) = (store.home, try store.database(1))
            let moved = Self.users.filter { Self.range.contains(SampleRank.of($0)) }
            try await run(through: step, RangeMove(Self.range, from: 1, to: 0), home, shard, home)
            let late = try #require(try await home.move())
            let hasCome = step.rawValue >= Step.copied.rawValue
            let leaving = hasCome || step == .noted ? nil : try await shard.leavingUsers(of: late)

            let loss = try await giveUp(place)
            #expect(loss.move == (hasCome ? .kept(by: 0) : .lost))
            #expect(loss.share == (hasCome ? 0.5 : 1))
            #expect(try await home.userCount() == (hasCome ? Int64(moved.count) : 0))
            if let leaving {
                await expectFailure(.unavailable) { try await home.takeUsers(leaving, of: late) }
            }
            let after = try #require(try await place.open() as? ShardedCardStore)
            #expect(try await after.userCount() == (hasCome ? Int64(moved.count) : 0))
            try await after.updateUsers(Self.users.map { UserUpdate(id: $0) }, at: noon)
            #expect(try await after.userCount() == 60)
            try await after.close()
        }
    }
}
