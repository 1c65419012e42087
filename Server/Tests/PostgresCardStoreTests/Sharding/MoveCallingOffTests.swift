import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import Testing

@testable import ShardedCardStore

@Suite("Sharded: a move whose target stays away", .timeLimit(.minutes(20)))
struct MoveCallingOffTests {
    private static let users = (0..<60).map { UserID(rawValue: "user-\($0)") }
    private static let range = SampleRank.count / 2..<SampleRank.count

    /// Runs a test with a home that has users, and another database that has none.
    private func withTwo(_ body: (_ place: ShardedPlace, _ other: String) async throws -> Void) async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            let single = try await place.open()
            try await single.updateUsers(Self.users.map { UserUpdate(id: $0, custom: ["n": 1]) }, at: noon)
            try await single.close()
            #expect(try await !place.add(urls[1]))
            try await body(place, urls[1])
        }
    }

    /// Begins a move of half of the users from the home to the shard.
    private func begin(_ home: PostgresCardStore) async throws -> RangeMove {
        let begun = RangeMove(Self.range, from: 0, to: 1)
        #expect(try await home.beginMove(begun))
        let generation = try await home.placementGeneration()
        let move = try await home.prepareMove(begun, sourcePlacement: generation + 1, targetPlacement: 0)
        return try #require(move)
    }

    /// Checks that everybody is served at the home.
    private func check(_ store: ShardedCardStore) async throws {
        #expect(try await store.home.userCount() == 60)
        for user in Self.users {
            let state = try await store.userState(of: user, including: .all, dueBy: noon)
            #expect(state?.profile.custom == ["n": 1], "\(user)")
        }
    }

    @Test func `Servers call it off after a minute, and its users are served where they were`() async throws {
        try await withTwo { place, _ in
            try await place.setShard(1, to: ShardedPlace.away)
            let opened = try await ShardedCardStore.open(url: place.home, options: place.options) { _ in }
            let store = try #require(opened as? ShardedCardStore)
            // Otherwise it would look at the move by its own clock in between.
            await store.housekeeping.stop()
            let move = try await begin(store.home)
            let start = ContinuousClock.now
            try await store.continueMove(at: start)
            await expectFailure(.unavailable) { try await store.continueMove(at: start + MoveWatch.patience) }
            #expect(try await store.home.move() == move)
            try await store.continueMove(at: start + MoveWatch.limit)
            #expect(try await store.home.move() == nil)
            try await check(store)

            // The target has to hear of it before users come to it again.
            let waiting = try await store.home.calledOffMoves()
            #expect(waiting.map(\.start) == [move.start])
            #expect(try await !store.home.beginMove(RangeMove(Self.range, from: 0, to: 1)))
            await expectFailure(.unavailable) { try await store.undoCalledOffMoves() }
            try await store.close()
        }
    }

    @Test func `Users who had come to the target are there once, also where a mover comes late`() async throws {
        try await withTwo { place, _ in
            let store = try #require(try await place.open() as? ShardedCardStore)
            let (home, shard) = (store.home, try store.database(1))
            let move = try await begin(home)
            try await home.movePlacement(to: move.sourcePlacement)
            let leaving = try await home.leavingUsers(of: move)
            try await shard.takeUsers(leaving, of: move)
            // Nobody has heard that they came.
            try await store.callOff(move)
            #expect(try await home.move() == nil)
            #expect(try await !home.placeMove(move))
            try await home.removeUsers(of: move)
            try await check(store)

            try await store.undoCalledOffMoves()
            #expect(try await shard.userCount() == 0)
            let late = await #expect(throws: StoreError.self) { try await shard.takeUsers(leaving, of: move) }
            #expect(late?.isMisplaced == true)
            // May be heard twice.
            try await shard.undoTaking(move)
            try await check(store)
            try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
            #expect(try await store.userCount() == 60)
            #expect(try await shard.userCount() > 0)
            try await store.close()
        }
    }

    @Test func `A mover that was interrupted while it called a move off is followed by another one`() async throws {
        try await withTwo { place, _ in
            let store = try #require(try await place.open() as? ShardedCardStore)
            let move = try await begin(store.home)
            #expect(try await store.home.beginCallingOff(move))
            #expect(try await !store.home.placeMove(move))
            let noted = try #require(try await store.home.move())
            #expect(noted.isCalledOff && !noted.isPlaced)
            try await store.finish(noted)
            #expect(try await store.home.move() == nil)
            try await check(store)
            try await store.close()
        }
    }

    @Test func `A move that the home has placed isn't called off`() async throws {
        try await withTwo { place, _ in
            let store = try #require(try await place.open() as? ShardedCardStore)
            let (home, shard) = (store.home, try store.database(1))
            let move = try await begin(home)
            try await home.movePlacement(to: move.sourcePlacement)
            try await shard.takeUsers(try await home.leavingUsers(of: move), of: move)
            #expect(try await home.placeMove(move))
            try await store.callOff(move)
            let placed = try #require(try await home.move())
            #expect(placed.isPlaced && !placed.isCalledOff)
            try await store.finish(placed)
            #expect(try await store.userCount() == 60)
            #expect(try await home.userCount() < 60)
            try await store.close()
        }
    }

    @Test func `A target that a server doesn't know keeps no other one from hearing of a move`()
        async throws
    {
        try await withTwo { place, _ in
            let store = try #require(try await place.open() as? ShardedCardStore)
            await store.housekeeping.stop()
            // Numbers of which this server knows one.
            try await ShardedPlace.execute(
                """
                INSERT INTO called_off_moves (target, start, stop, source, source_placement, target_placement)
                VALUES (-5, 0, 10, 0, 1, 0), (1, 0, 10, 0, 1, 0), (9, 0, 10, 0, 1, 0)
                """,
                in: place.home
            )
            await expectFailure(.conflict) { try await store.undoCalledOffMoves() }
            #expect(try await store.home.calledOffMoves().map(\.target) == [-5, 9])
            #expect(try await store.database(1).placementGeneration() == 2)
            #expect(throws: StoreError.self) { try store.database(2) }
            try await store.close()
        }
    }
}
