import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import Testing

@testable import ShardedCardStore

@Suite("Sharded: users who can't come to a database", .timeLimit(.minutes(20)))
struct MoveRefusalTests {
    private static let users = (0..<120).map { UserID(rawValue: "user-\($0)") }
    private static let range = SampleRank.count / 2..<SampleRank.count

    /// Has a database refuse users as one does whose disk is full.
    private static let full = """
        CREATE FUNCTION refuse_rows() RETURNS TRIGGER LANGUAGE plpgsql AS $body$
        BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $body$;
        CREATE TRIGGER is_full BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION refuse_rows()
        """

    /// Runs a test with a home that has users, and another database that has none.
    private func withTwo(
        _ body: (_ place: ShardedPlace, _ store: ShardedCardStore, _ other: String) async throws -> Void
    ) async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            let single = try await place.open()
            try await single.updateUsers(Self.users.map { UserUpdate(id: $0, custom: ["n": 1]) }, at: noon)
            try await single.close()
            #expect(try await !place.add(urls[1]))
            let store = try #require(try await place.open() as? ShardedCardStore)
            do {
                try await body(place, store, urls[1])
            } catch {
                try? await store.close()
                throw error
            }
            try await store.close()
        }
    }

    /// Checks that everybody is there once, and is served.
    private func check(_ store: ShardedCardStore) async throws {
        #expect(try await store.userCount() == 120)
        for user in Self.users {
            let state = try await store.userState(of: user, including: .all, dueBy: noon)
            #expect(state?.profile.custom == ["n": 1], "\(user)")
        }
    }

    @Test func `A full disk is said, its users are served where they were, and the next balance moves them`()
        async throws
    {
        try await withTwo { place, store, other in
            try await ShardedPlace.execute(Self.full, in: other)
            for _ in 0..<2 {
                let error = await #expect(throws: StoreError.self) {
                    try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
                }
                #expect(error?.code == .diskFull)
                #expect(error?.message.hasPrefix("Users couldn't be moved to shard 1. ") == true)
                #expect(try await store.home.move() == nil)
                #expect(try await store.home.placedRanges().isEmpty)
                try await check(store)
                try await store.updateUsers(Self.users.map { UserUpdate(id: $0, custom: ["n": 1]) }, at: noon)
            }
            try await ShardedPlace.execute("DROP TRIGGER is_full ON users", in: other)
            try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
            try await check(store)
            #expect(try await store.home.placedRanges().map(\.shard) == [0, 1])
        }
    }

    @Test func `A mover that comes late to a move that was called off brings nobody and removes nobody`()
        async throws
    {
        try await withTwo { place, store, _ in
            let (home, shard) = (store.home, try store.database(1))
            let begun = RangeMove(Self.range, from: 0, to: 1)
            #expect(try await home.beginMove(begun))
            let move = try #require(try await home.prepareMove(begun, sourcePlacement: 1, targetPlacement: 0))
            try await home.movePlacement(to: 1)
            let leaving = try await home.leavingUsers(of: move)
            for _ in 0..<2 { #expect(try await shard.refuseUsers(of: move)) }
            #expect(try await shard.placementGeneration() == 2)

            // A mover that ended in between is followed by another one.
            let error = await #expect(throws: StoreError.self) { try await store.finish(move) }
            #expect(error?.isMisplaced == true)
            #expect(try await home.move() == nil)
            try await check(store)

            let late = await #expect(throws: StoreError.self) { try await shard.takeUsers(leaving, of: move) }
            #expect(late?.isMisplaced == true)
            try await home.placeMove(move)
            try await home.endMove(move)
            #expect(try await shard.userCount() == 0)
            try await check(store)
            try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
            try await check(store)
            // Long after, nothing of others' moves is undone.
            #expect(try await shard.refuseUsers(of: move))
            try await home.callOffMove(move)
            try await check(store)
        }
    }

    @Test func `Users who have come aren't refused any more`() async throws {
        try await withTwo { _, store, _ in
            let (home, shard) = (store.home, try store.database(1))
            let begun = RangeMove(Self.range, from: 0, to: 1)
            #expect(try await home.beginMove(begun))
            let move = try #require(try await home.prepareMove(begun, sourcePlacement: 1, targetPlacement: 0))
            try await home.movePlacement(to: 1)
            try await shard.takeUsers(try await home.leavingUsers(of: move), of: move)
            #expect(try await !shard.refuseUsers(of: move))
            try await home.placeMove(move)
            try await home.callOffMove(move)
            #expect(try await home.move() != nil)
            try await store.continueMove(at: .now)
            try await store.continueMove(at: .now + MoveWatch.patience * 2)
            #expect(try await home.move() == nil)
            try await check(store)
        }
    }

    @Test func `Users that the target has forgotten stay in the source until they are given up`() async throws {
        try await withTwo { _, store, other in
            let (home, shard) = (store.home, try store.database(1))
            let begun = RangeMove(Self.range, from: 0, to: 1)
            #expect(try await home.beginMove(begun))
            let move = try #require(try await home.prepareMove(begun, sourcePlacement: 1, targetPlacement: 0))
            try await home.movePlacement(to: 1)
            try await shard.takeUsers(try await home.leavingUsers(of: move), of: move)
            try await home.placeMove(move)
            // As a standby is that had not heard of it yet.
            try await ShardedPlace.execute("DELETE FROM users; UPDATE store SET placement = 0", in: other)
            let placed = try #require(try await home.move())
            await expectFailure(.conflict) { try await store.finish(placed) }
            #expect(try await home.userCount() == 120)
            try await store.finish(placed, givingUpCopies: true)
            #expect(try await home.move() == nil)
            #expect(try await home.userCount() < 120)
            // A mover that comes late finds nothing to do.
            try await store.finish(placed)
        }
    }
}
