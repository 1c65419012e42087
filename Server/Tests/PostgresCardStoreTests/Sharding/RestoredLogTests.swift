import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import Testing

@testable import ShardedCardStore

@Suite("Sharded: the log of a database that was restored", .timeLimit(.minutes(20)))
struct RestoredLogTests {
    private func batch(_ user: UserID, _ number: UInt64, at time: UnixTime) -> EventBatch {
        let event = DeviceEvent(number, .custom(name: "seen"), at: time)
        return EventBatch(user: user, events: [event], receivedAt: time, device: "device")
    }

    /// Has a database's log have events of a user of another one, as a backup has them.
    private func restore(_ user: UserID, _ times: [UnixTime], in store: PostgresCardStore) async throws {
        for (number, time) in times.enumerated() {
            _ = try await store.recordEvents(batch(user, UInt64(number) + 1, at: time))
        }
        try await store.removeMovedUser(user)
    }

    private func count(_ user: UserID, in store: PostgresCardStore) async throws -> Int {
        try await store.loggedEvents(of: user, limit: 10).events.count
    }

    @Test func `Events of users who were deleted go, and those of others stay`() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            let store = try #require(try await place.open() as? ShardedCardStore)
            let users = (0..<100).map { UserID(rawValue: "user-\($0)") }
            let own = users.filter { store.placement.owner(of: $0) == 0 }
            let (deleted, kept) = (own[0], own[1])
            let other = try #require(users.first { store.placement.owner(of: $0) == 1 })
            let shard = try store.database(1)
            try await store.updateUsers([deleted, kept, other].map { UserUpdate(id: $0) }, at: noon)
            #expect(try await store.deleteUser(deleted, at: noon + 100, by: command))
            try await store.followErasures()

            _ = try await shard.recordEvents(batch(other, 1, at: noon + 20))
            try await restore(kept, [noon + 20], in: shard)
            // One came after the deletion, of a user who has the ID since.
            try await restore(deleted, [noon + 20, noon + 90, noon + 200], in: shard)
            try await store.followErasures()
            // Only a database that was restored is searched.
            #expect(try await count(deleted, in: shard) == 3)

            try await ShardedPlace.execute("UPDATE store SET erasures_of = 1", in: urls[1])
            try await store.followErasures()
            #expect(try await count(deleted, in: shard) == 1)
            #expect(try await count(kept, in: shard) == 1)
            #expect(try await count(other, in: shard) == 1)
            let histories = try await shard.erasureHistories()
            #expect(histories.noted == histories.present)
            try await store.close()
        }
    }

    @Test func `While a database is away that may know of deletions, the search isn't taken for done`() async throws {
        try await TemplateDatabase.withCopies(3) { urls in
            let place = ShardedPlace(home: urls[0])
            for url in urls.dropFirst() { #expect(try await place.add(url)) }
            try await place.open().close()
            try await ShardedPlace.execute("UPDATE store SET erasures_of = 1", in: urls[1])
            try await place.setShard(2, to: ShardedPlace.away)
            let opened = try await ShardedCardStore.open(url: place.home, options: place.options) { _ in }
            let store = try #require(opened as? ShardedCardStore)
            let users = (0..<100).map { UserID(rawValue: "user-\($0)") }
            let user = try #require(users.first { store.placement.owner(of: $0) == 1 })
            _ = try await store.database(1).recordEvents(batch(user, 1, at: noon))
            try await store.followErasures()
            let histories = try await store.database(1).erasureHistories()
            #expect(histories.noted == 1)
            try await store.close()
        }
    }
}
