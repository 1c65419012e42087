import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import ShardedCardStore
import Testing

@Suite("Sharded: the list of databases", .timeLimit(.minutes(10)))
struct ShardListTests {
    @Test func `A shard that is away, or another database, is listed with the reason, beside the others`()
        async throws
    {
        try await TemplateDatabase.withCopies(4) { urls in
            let place = ShardedPlace(home: urls[0])
            for url in urls.dropFirst() { #expect(try await place.add(url)) }
            let store = try await place.open()
            try await store.updateUsers((0..<100).map { UserUpdate(id: UserID(rawValue: "user-\($0)")) }, at: noon)
            try await store.close()
            let all = try await ShardedCardStore.shards(of: place.home, options: place.options)
            #expect(all.map(\.id) == [0, 1, 2, 3])
            #expect(all.allSatisfy { $0.failure == nil && $0.server != nil })
            #expect(all.compactMap(\.users).reduce(0, +) == 100)

            try await place.setShard(1, to: ShardedPlace.away)
            try await place.setShard(3, to: urls[2])
            let listed = try await ShardedCardStore.shards(of: place.home, options: place.options)
            #expect(listed.map(\.id) == [0, 1, 2, 3])
            #expect(listed.map(\.users) == [all[0].users, nil, all[2].users, nil])
            #expect(listed.map(\.failure?.code) == [nil, .unavailable, nil, .conflict])
            #expect(listed[1].server == nil)
        }
    }

    @Test func `A database by itself is listed alone, and a shard's address is refused`() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            let store = try await place.open()
            try await store.close()
            let alone = try await ShardedCardStore.shards(of: place.home, options: place.options)
            #expect(alone.map(\.users) == [0])
            #expect(try await place.add(urls[1]))
            let options = place.options
            await expectFailure(.incompatible) { try await ShardedCardStore.shards(of: urls[1], options: options) }
        }
    }
}
