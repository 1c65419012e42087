import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import Testing

@testable import ShardedCardStore

@Suite("Sharded: several databases of a move are lost, or one after it was called off", .timeLimit(.minutes(20)))
struct LostDatabasesTests {
    /// The last step of the move that was done before databases were lost.
    enum Step: Int, CaseIterable, Sendable {
        case noted, prepared, copied, placed
    }

    private static let range = SampleRank.count / 2..<SampleRank.count
    private static let users = (0..<60).map { UserID(rawValue: "user-\($0)") }
    private static let moved = users.filter { Self.range.contains(SampleRank.of($0)) }

    /// Runs a test with a home, a shard that has all users, and another one that has none.
    private func withThree(
        _ body: (_ place: ShardedPlace, _ store: ShardedCardStore, _ urls: [String]) async throws -> Void
    ) async throws {
        try await TemplateDatabase.withCopies(3) { urls in
            let place = ShardedPlace(home: urls[0])
            let single = try await place.open()
            try await single.updateUsers(Self.users.map { UserUpdate(id: $0) }, at: noon)
            try await single.close()
            for url in urls.dropFirst() { #expect(try await !place.add(url)) }
            try await ShardedCardStore.balance(place.home, options: place.options, without: [0, 2]) { _ in }
            let store = try #require(try await place.open() as? ShardedCardStore)
            // Otherwise a server would go on with a move that stands still while the machine is busy.
            await store.housekeeping.stop()
            do {
                try await body(place, store, urls)
            } catch {
                try? await store.close()
                throw error
            }
            try await store.close()
        }
    }

    private func giveUp(
        _ shard: Int64,
        besides others: Set<Int64> = [],
        _ place: ShardedPlace
    ) async throws -> ShardedCardStore.ShardLoss {
        try await ShardedCardStore.giveUpShard(
            shard,
            besides: others,
            of: place.home,
            options: place.options,
            at: noon,
            by: command
        )
    }

    /// Moves half of the users from the first shard to another database, up to a step.
    @discardableResult
    private func move(through last: Step, to place: Int = 2, _ store: ShardedCardStore) async throws -> RangeMove {
        let (home, source, target) = (store.home, try store.database(1), try store.database(place))
        let begun = RangeMove(Self.range, from: 1, to: Int64(place))
        #expect(try await home.beginMove(begun))
        guard last != .noted else { return begun }
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
        if last == .placed { try await home.placeMove(move) }
        return move
    }

    @Test(arguments: Step.allCases, [true, false])
    func `Where both are lost, each is given up, and the home has all users`(
        step: Step,
        isSourceFirst: Bool
    ) async throws {
        let order: (first: Int64, second: Int64) = isSourceFirst ? (1, 2) : (2, 1)
        try await withThree { place, store, _ in
            try await move(through: step, store)
            try await place.setShard(order.first, to: ShardedPlace.away)
            // One that answers isn't lost.
            await expectFailure(.conflict) { try await giveUp(order.first, besides: [order.second], place) }
            try await place.setShard(order.second, to: ShardedPlace.away)
            await expectFailure(.notFound) { try await giveUp(order.first, besides: [order.second, 7], place) }
            #expect(try await store.home.removedShards().isEmpty)

            let first = try await giveUp(order.first, besides: [order.second], place)
            #expect(first.move == .lost && first.kept.isEmpty)
            #expect(try await store.home.move() == nil)
            let second = try await giveUp(order.second, place)
            #expect(second.move == nil)
            #expect(abs(first.share + second.share - 1) < 0.000_001)
            #expect(try await store.home.placedRanges().allSatisfy { $0.shard == 0 })

            let after = try #require(try await place.open() as? ShardedCardStore)
            try await after.updateUsers(Self.users.map { UserUpdate(id: $0) }, at: noon)
            #expect(try await after.home.userCount() == 60)
            try await after.close()
        }
    }

    @Test func `Without the word that both are lost, the error names the way`() async throws {
        try await withThree { place, store, _ in
            try await move(through: .copied, store)
            for shard in [Int64(1), 2] { try await place.setShard(shard, to: ShardedPlace.away) }
            let error = await #expect(throws: StoreError.self) { try await giveUp(1, place) }
            #expect(error?.code == .unavailable && error?.message.contains("--also-lost 2") == true)
            #expect(try await store.home.removedShards().isEmpty)
        }
    }

    @Test func `Users who had come before a move was called off are kept where their source is lost`() async throws {
        try await withThree { place, store, _ in
            let move = try await move(through: .copied, store)
            let (user, target) = (try #require(Self.moved.first), try store.database(2))
            try await store.callOff(move)
            let name = store.userEpoch(of: user)
            // Who changes later is as at the time of the move.
            try await store.updateUsers([UserUpdate(id: user, custom: ["n": 1])], at: noon)
            try await place.setShard(1, to: ShardedPlace.away)

            let loss = try await giveUp(1, place)
            #expect(loss.kept == [2] && loss.move == nil && abs(loss.share - 0.5) < 0.000_001)
            #expect(try await store.home.calledOffMoves().isEmpty)
            // A server that has read of the move before comes late.
            #expect(try await !target.undoTaking(move))
            #expect(try await target.userCount() == Int64(Self.moved.count))

            let after = try #require(try await place.open() as? ShardedCardStore)
            #expect(try await after.userCount() == Int64(Self.moved.count))
            for user in Self.moved { #expect(try await after.userRevision(of: user) != nil, "\(user)") }
            // Versions that the source gave out are of another history.
            #expect(after.userEpoch(of: user) != name)
            try await after.updateUsers(Self.users.map { UserUpdate(id: $0) }, at: noon)
            #expect(try await after.userCount() == 60)
            try await ShardedCardStore.balance(place.home, options: place.options, without: [2]) { _ in }
            #expect(try await after.home.userCount() == 60)
            try await after.close()
        }
    }

    @Test func `A target to which nobody has come, or that has heard of it, keeps nobody`() async throws {
        for step in [Step.prepared, .copied] {
            try await withThree { place, store, _ in
                let move = try await move(through: step, store)
                try await store.callOff(move)
                if step == .copied { try await store.undoCalledOffMoves() }
                try await place.setShard(1, to: ShardedPlace.away)
                let loss = try await giveUp(1, place)
                #expect(loss.kept.isEmpty && loss.share == 1)
                try await store.undoCalledOffMoves()
                #expect(try await store.home.calledOffMoves().isEmpty)
                #expect(try await store.database(2).userCount() == 0)
            }
        }
    }

    @Test func `A target that stays away is waited for, unless it is lost as well`() async throws {
        try await withThree { place, store, urls in
            let move = try await move(through: .copied, store)
            try await store.callOff(move)
            for shard in [Int64(1), 2] { try await place.setShard(shard, to: ShardedPlace.away) }
            await expectFailure(.unavailable) { try await giveUp(1, place) }
            // It answers again.
            try await place.setShard(2, to: urls[2])
            #expect(try await giveUp(1, place).kept == [2])
            try await place.setShard(2, to: ShardedPlace.away)
            let loss = try await giveUp(2, place)
            #expect(loss.kept.isEmpty && abs(loss.share - 0.5) < 0.000_001)
            #expect(try await store.home.placedRanges().allSatisfy { $0.shard == 0 })
        }
    }

    @Test func `A range that has gone on since isn't given to a target that has a copy of it`() async throws {
        try await withThree { place, store, _ in
            let move = try await move(through: .copied, store)
            try await store.callOff(move)
            let part = RangeMove(Self.range.lowerBound..<Self.range.lowerBound + 10, from: 1, to: 0)
            #expect(try await store.home.beginMove(part))
            try await store.finish(part)
            #expect(try await store.home.move() == nil)
            try await place.setShard(1, to: ShardedPlace.away)
            let loss = try await giveUp(1, place)
            #expect(loss.kept.isEmpty)
            try await store.undoCalledOffMoves()
            #expect(try await store.database(2).userCount() == 0)
        }
    }

    @Test(arguments: [true, false])
    func `Users of two moves are where the last one left them, whether it was called off or not`(
        isCalledOff: Bool
    ) async throws {
        try await withThree { place, store, _ in
            try await store.callOff(try await move(through: .copied, store))
            let last = try await move(through: .copied, to: 0, store)
            if isCalledOff { try await store.callOff(last) }
            try await place.setShard(1, to: ShardedPlace.away)
            let loss = try await giveUp(1, place)
            let outcome: ShardedCardStore.LostMoveOutcome? = isCalledOff ? nil : .kept(by: 0)
            #expect(loss.kept.count == (isCalledOff ? 1 : 0) && loss.kept.allSatisfy { $0 == 0 })
            #expect(loss.move == outcome)
            // The first one's target removes its copies.
            try await store.undoCalledOffMoves()
            #expect(try await store.home.calledOffMoves().isEmpty)
            #expect(try await store.database(2).userCount() == 0)
            #expect(try await store.home.userCount() == Int64(Self.moved.count))
        }
    }
}
