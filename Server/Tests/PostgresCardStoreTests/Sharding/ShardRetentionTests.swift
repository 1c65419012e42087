import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import PostgresCardStore
@testable import ShardedCardStore

@Suite("Sharded: what isn't kept", .timeLimit(.minutes(20)))
struct ShardRetentionTests {
    /// Runs a test with users in two databases, and a user of the one that isn't the home.
    private func withShard(
        _ body: (_ store: ShardedCardStore, _ shard: PostgresCardStore, _ user: UserID) async throws -> Void
    ) async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            let store = try #require(try await place.open() as? ShardedCardStore)
            let users = (0..<100).map { UserID(rawValue: "user-\($0)") }
            let user = try #require(users.first { store.placement.owner(of: $0) == 1 })
            try await body(store, store.database(1), user)
            try await store.close()
        }
    }

    /// Records an event on the first day that has no partition yet, and returns its partition.
    private func record(
        of user: UserID,
        in shard: PostgresCardStore,
        _ store: ShardedCardStore
    ) async throws -> EventPartition {
        let last = try #require(try await shard.read { try EventPartitionJob.known(on: $0) }.last)
        _ = try await shard.partitions.run { try $0.create(on: last.end, keeping: 7) }
        let time = last.endTime + 3_600
        let id = EventID(high: UInt64(time * 1_000) << 16 | 0x7000, low: 1 << 63 | 1)
        let event = DeviceEvent(id: id, kind: .custom(name: "seen"), at: time)
        let batch = EventBatch(user: user, events: [event], receivedAt: time, device: "device")
        #expect(try await store.recordEvents(batch).receipt.accepted == 1)
        let known = try await shard.read { try EventPartitionJob.known(on: $0) }
        return try #require(known.first { $0.start == last.end })
    }

    @Test("Partitions of a shard are dropped once the webhook, of which the home knows, has got what is in them")
    func partitions() async throws {
        try await withShard { store, shard, user in
            let webhook = Webhook(url: "https://example.com", secret: "s", types: [], createdAt: noon)
            try await store.saveWebhook(webhook, after: nil, at: noon, by: command)
            let end = try await record(of: user, in: shard, store).endTime
            let unaided = try await shard.partitions.run { try $0.drop(all: end) }
            #expect(unaided == 0)
            #expect(try await store.dropPartitions(before: end) == 0)
            #expect(try await store.userEvents(of: user, limit: 10).count == 1)

            try await store.saveWebhook(nil, after: nil, at: noon, by: command)
            #expect(try await store.dropPartitions(before: end - 86_400) == 0)
            #expect(try await store.dropPartitions(before: end) == 1)
            #expect(try await store.userEvents(of: user, limit: 10).isEmpty)
        }
    }

    @Test("What isn't kept of the databases that answer is dropped while another one is away")
    func absent() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            try await place.setShard(1, to: ShardedPlace.away)
            let opened = try await ShardedCardStore.open(url: place.home, options: place.options) { _ in }
            let store = try #require(opened as? ShardedCardStore)
            let users = (0..<100).map { UserID(rawValue: "user-\($0)") }
            let user = try #require(users.first { store.placement.owner(of: $0) == 0 })
            let end = try await record(of: user, in: store.home, store).endTime
            #expect(try await store.dropPartitions(before: end - 86_400) == 0)
            #expect(try await store.dropPartitions(before: end) == 1)
            await expectFailure(.unavailable) { try await store.pruneEvents(before: end) }
            try await store.close()
        }
    }

    @Test("An error of a database that doesn't answer has its number, and that of a user on the way stays what it is")
    func numbered() async throws {
        try await withShard { store, shard, _ in
            let failure = StoreError(.unavailable, "No server of the address accepts writes.")
            let named = await #expect(throws: StoreError.self) {
                _ = try await store.onAll { own in if own === shard { throw failure } }
            }
            #expect(named == StoreError(.unavailable, "Shard 1: No server of the address accepts writes."))
            let homes = await #expect(throws: StoreError.self) {
                _ = try await store.onAll { own in if own !== shard { throw failure } }
            }
            #expect(homes == failure)
            let moving = await #expect(throws: StoreError.self) {
                _ = try await store.onAll { own in if own === shard { throw StoreError.misplaced } }
            }
            #expect(moving == .misplaced)
        }
    }

    @Test("What a database knows of events that another one has is forgotten when they would be")
    func movedEvents() async throws {
        func batch(_ events: [(number: UInt64, at: UnixTime)], receivedAt time: UnixTime) -> EventBatch {
            let events = events.map { DeviceEvent($0.number, .custom(name: "seen"), at: $0.at) }
            return EventBatch(user: someone, events: events, receivedAt: time, device: "device")
        }
        let events: [(number: UInt64, at: UnixTime)] = [(1, noon - 1_000), (2, noon - 1_000), (3, noon + 400)]
        try await ShardNode.withTwo { home, shard in
            _ = try await home.store.recordEvents(batch([events[0]], receivedAt: noon))
            _ = try await home.store.recordEvents(batch(Array(events[1...]), receivedAt: noon + 500))
            let rows = try #require(try await home.store.exportUser(someone))
            try await shard.store.importUser(rows)
            _ = try await shard.store.pruneEvents(before: noon - 2_000)
            let repeated = try await shard.store.recordEvents(batch(events, receivedAt: noon + 600)).receipt
            #expect(repeated.accepted == 0 && repeated.duplicate == 3)

            // One arrived later, though it happened as early.
            _ = try await shard.store.pruneEvents(before: noon + 100)
            let receipt = try await shard.store.recordEvents(batch(events, receivedAt: noon + 600)).receipt
            #expect(receipt.accepted == 1 && receipt.duplicate == 2)
        }
    }
}
