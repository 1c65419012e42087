import CardModel
import CardStore
import CardStoreConformance
import PostgresTesting
import Synchronization
import Testing

@testable import PostgresCardStore
@testable import ShardedCardStore

@Suite("Sharded: opening and closing several databases", .timeLimit(.minutes(20)))
struct ShardedOpeningTests {
    /// Runs a test with a home that knows two shards.
    private func withPlace(
        _ body: (_ place: ShardedPlace, _ urls: [String], _ watch: ConnectionWatch) async throws -> Void
    ) async throws {
        try await TemplateDatabase.withCopies(3) { urls in
            let place = ShardedPlace(home: urls[0])
            for shard in urls.dropFirst() { try await place.add(shard) }
            let watch = try await ConnectionWatch()
            try await watch.wait(at: urls)
            try await body(place, urls, watch)
        }
    }

    @Test func `A store has its databases open by their numbers, and no connection once it is closed`() async throws {
        try await withPlace { place, urls, watch in
            let store = try #require(try await place.open() as? ShardedCardStore)
            #expect(store.slots.map(\.place) == [0, 1, 2])
            for (number, slot) in store.slots.enumerated() {
                let shard = try #require(slot.opened)
                #expect(try await shard.shardNumber() == Int64(number))
                #expect(shard.options.shard?.databases == 3)
                #expect(shard.shardID == Int64(number))
            }
            #expect(store.home.shardsAtOpening?.last == 2)
            try await store.close()
            try await watch.wait(at: urls)
        }
    }

    @Test func `The first database that can't be opened is named, and none stays open`() async throws {
        try await withPlace { place, urls, watch in
            try await place.setShard(2, to: ShardedPlace.away)
            let second = await #expect(throws: StoreError.self) { try await place.open() }
            #expect(second?.code == .unavailable && second?.message.hasPrefix("Shard 2: ") == true)
            try await watch.wait(at: urls)

            // Another database than it was isn't accepted where those that are away are, whichever is found first.
            try await place.setShard(1, to: urls[2])
            let told = Mutex<[Int]>([])
            let first = await #expect(throws: StoreError.self) {
                try await ShardedCardStore.open(url: place.home, options: place.options) { notice in
                    told.withLock { $0.append(notice.shard) }
                }
            }
            #expect(first?.code == .conflict && first?.message.hasPrefix("Shard 1: ") == true)
            let early = told.withLock { $0 }
            #expect(early.isEmpty)
            try await watch.wait(at: urls)

            try await place.setShard(1, to: ShardedPlace.away)
            let both = await #expect(throws: StoreError.self) { try await place.open() }
            #expect(both?.message.hasPrefix("Shard 1: ") == true)
            try await watch.wait(at: urls)
        }
    }

    @Test func `Databases that don't answer are told of in the order of their numbers`() async throws {
        try await withPlace { place, urls, watch in
            for shard in 1...2 { try await place.setShard(Int64(shard), to: ShardedPlace.away) }
            let told = Mutex<[Int]>([])
            let store = try await ShardedCardStore.open(url: place.home, options: place.options) { notice in
                told.withLock { $0.append(notice.shard) }
            }
            let absent = told.withLock { Array($0.prefix(2)) }
            #expect(absent == [1, 2])
            // One that is being opened when the store is closed is closed as well.
            for shard in 1...2 { try await place.setShard(Int64(shard), to: urls[shard]) }
            try await store.close()
            try await watch.wait(at: urls)
        }
    }

    @Test func `A gap in the numbers is refused, and no database stays open`() async throws {
        try await withPlace { place, urls, watch in
            let removal = "UPDATE placement SET shard = 0; DELETE FROM shards WHERE id = 1"
            try await ShardedPlace.execute(removal, in: urls[0])
            await expectFailure(.corrupt) { try await place.open() }
            try await watch.wait(at: urls)
        }
    }

    @Test func `What brought the home up to date is told where it has shards, too`() async throws {
        try await withPlace { place, urls, _ in
            try await ShardedPlace.execute(
                """
                ALTER TABLE test_users DROP COLUMN group_names;
                DELETE FROM placard_migrations WHERE identifier = '0103-test-groups'
                """,
                in: urls[0]
            )
            let store = try #require(try await place.open() as? ShardedCardStore)
            #expect(store.migration == ["0103-test-groups"])
            try await store.close()
        }
    }

    @Test func `A home without shards is opened once, and is no part of several`() async throws {
        try await TemplateDatabase.withCopy { url in
            let watch = try await ConnectionWatch()
            let place = ShardedPlace(home: url)
            let store = try #require(try await place.open() as? PostgresCardStore)
            #expect(!store.isSharded)
            try await watch.wait(for: 1, at: [url])
            try await store.close()
            try await watch.wait(at: [url])
        }
    }
}
