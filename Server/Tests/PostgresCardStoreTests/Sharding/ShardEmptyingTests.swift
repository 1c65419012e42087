import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import Testing

@testable import ShardedCardStore

@Suite("Sharded: a database that gives all of its users away", .timeLimit(.minutes(20)))
struct ShardEmptyingTests {
    private struct Stop: Error {}

    private static let users = (0..<150).map { UserID(rawValue: "user-\($0)") }

    private func batch(_ user: UserID, _ number: UInt64) -> EventBatch {
        let event = DeviceEvent(number, .custom(name: "seen"), at: noon + Double(number))
        return EventBatch(user: user, events: [event], receivedAt: noon + 20, device: "device")
    }

    private func withThree(_ body: (_ place: ShardedPlace, _ store: ShardedCardStore) async throws -> Void) async throws
    {
        try await TemplateDatabase.withCopies(3) { urls in
            let place = ShardedPlace(home: urls[0])
            for url in urls.dropFirst() { #expect(try await place.add(url)) }
            let store = try #require(try await place.open() as? ShardedCardStore)
            try await store.updateUsers(Self.users.map { UserUpdate(id: $0) }, at: noon)
            for user in Self.users { _ = try await store.recordEvents(batch(user, 1)) }
            do {
                try await body(place, store)
            } catch {
                try? await store.close()
                throw error
            }
            try await store.close()
        }
    }

    @Test func `Its users are served and go on in the others, its events stay, and it can be interrupted`()
        async throws
    {
        try await withThree { place, store in
            let shard = try store.database(1)
            #expect(try await shard.userCount() > 0)
            await #expect(throws: Stop.self) {
                try await ShardedCardStore.balance(place.home, options: place.options, without: [1]) { progress in
                    if progress.moves == 1 { throw Stop() }
                }
            }
            #expect(try await store.userCount() == 150)
            try await ShardedCardStore.balance(place.home, options: place.options, without: [1]) { _ in }
            #expect(try await shard.userCount() == 0)
            #expect(try await store.userCount() == 150)
            #expect(try await Set(store.home.placedRanges().map(\.shard)) == [0, 2])
            for user in Self.users {
                // One is sent again, and one is new.
                #expect(try await store.recordEvents(batch(user, 1)).receipt.duplicate == 1)
                #expect(try await store.recordEvents(batch(user, 2)).receipt.accepted == 1)
                #expect(try await store.userEvents(of: user, limit: 10).count == 2)
            }
            let listed = try await ShardedCardStore.shards(of: place.home, options: place.options)
            #expect(listed.map(\.users).contains(0))

            try await ShardedCardStore.balance(place.home, options: place.options) { _ in }
            #expect(try await shard.userCount() > 0)
            #expect(try await store.userCount() == 150)
        }
    }

    @Test func `A number of no database is refused, and so are all of them`() async throws {
        try await withThree { _, store in
            await expectFailure(.notFound) { try await store.balance(without: [3]) { _ in } }
            await expectFailure(.notFound) { try await store.balance(without: [-1]) { _ in } }
            await expectFailure(.conflict) { try await store.balance(without: [0, 1, 2]) { _ in } }
            let ranges = try await store.home.placedRanges()
            #expect(ranges.count == 3)
        }
    }

    @Test func `The share of a database that gives its users away is that of the others`() {
        #expect(UserPlacement.even(among: [0, 1, 2]) == UserPlacement.even(among: 3))
        let half = SampleRank.count / 2
        let ranges = [PlacedRange(start: 0, shard: 1), PlacedRange(start: half, shard: 3)]
        #expect(UserPlacement.even(among: [1, 3]) == ranges)
    }
}
