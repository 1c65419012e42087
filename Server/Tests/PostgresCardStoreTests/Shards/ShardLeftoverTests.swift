import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: what a shard has that can't go with it", .timeLimit(.minutes(20)))
struct ShardLeftoverTests {
    private func batch(_ number: UInt64, at time: UnixTime) -> EventBatch {
        let event = DeviceEvent(number, .custom(name: "seen"), at: time)
        return EventBatch(user: someone, events: [event], receivedAt: time, device: "device")
    }

    @Test func `Users, events and notes for the home are told apart`() async throws {
        try await ShardNode.withTwo { _, shard in
            let store = shard.store
            var expected = ShardLeftovers(hasUsers: false, hasEvents: false, hasOutbox: false)
            #expect(try await store.leftovers() == expected)
            #expect(try await store.recordEvents(batch(1, at: noon)).receipt.accepted == 1)
            expected = ShardLeftovers(hasUsers: true, hasEvents: true, hasOutbox: false)
            #expect(try await store.leftovers() == expected)
            try await store.removeMovedUser(someone)
            expected = ShardLeftovers(hasUsers: false, hasEvents: true, hasOutbox: false)
            #expect(try await store.leftovers() == expected)
            try await store.updateUsers([UserUpdate(id: someone)], at: noon)
            #expect(try await store.deleteUser(someone, at: noon + 1, by: command))
            expected = ShardLeftovers(hasUsers: false, hasEvents: false, hasOutbox: true)
            #expect(try await store.leftovers() == expected)
        }
    }

    @Test func `Counts that can't be taken over leave the shard as it was`() async throws {
        try await ShardNode.withTwo { home, shard in
            let address = ShardAddress(shard: 1, url: "postgresql://placard@127.0.0.1:1/cards")
            try await home.store.saveShard(address, ranges: nil, isNew: true, at: noon, by: command)
            func row(_ slot: Int) -> String {
                """
                INSERT INTO divisions (slot, campaign_id, weights, variant_id, users)
                VALUES (\(slot), 'it''s "c"\\', '{a,b}', E'a\\nb', 4)
                """
            }
            try await ShardedPlace.execute(row(3), in: shard.url)
            // A row that has the shard's slot already, as no node writes it.
            try await ShardedPlace.execute(row(-1), in: home.url)
            let counts = try await shard.store.shardCounts()
            await #expect(throws: (any Error).self) {
                try await home.store.removeShard(1, adding: counts, at: noon, by: command)
            }
            #expect(try await home.store.removedShards().isEmpty)
            try await ShardedPlace.execute("DELETE FROM divisions", in: home.url)
            try await home.store.removeShard(1, adding: counts, at: noon, by: command)
            let users = try await home.store.read { connection in
                try connection.rows(
                    "SELECT users FROM divisions WHERE slot = -1 AND campaign_id = $1 AND weights = '{a,b}'",
                    [#"it's "c"\"#]
                ).map { try $0.integer("users") }
            }
            #expect(users == [4])
        }
    }

    @Test func `Events of deleted users go where they came before the deletion, page by page`() async throws {
        try await ShardNode.withTwo { _, shard in
            let store = shard.store
            for (number, time) in [(UInt64(1), noon), (2, noon + 50), (3, noon + 100)] {
                #expect(try await store.recordEvents(batch(number, at: time)).receipt.accepted == 1)
            }
            #expect(try await store.loggedUsers(after: nil, limit: 1) == [someone])
            #expect(try await store.loggedUsers(after: someone, limit: 1).isEmpty)
            #expect(try await store.erased(among: [someone]).isEmpty)
            #expect(try await store.removeEvents(of: []) == 0)
            let erased = ErasedUser(user: someone, erasedAt: noon + 50)
            #expect(try await store.removeEvents(of: [erased]) == 2)
            #expect(try await store.removeEvents(of: [erased]) == 0)
            #expect(try await store.deleteUser(someone, at: noon + 200, by: command))
            let known = try await store.erased(among: [someone, UserID(rawValue: "other")])
            #expect(known == [ErasedUser(user: someone, erasedAt: noon + 200)])
        }
    }

    @Test func `A history that has ended in the meantime isn't noted`() async throws {
        try await ShardNode.withTwo { _, shard in
            let histories = try await shard.store.erasureHistories()
            #expect(histories.noted == nil)
            try await shard.store.noteErasures(in: histories.present ^ 1)
            #expect(try await shard.store.erasureHistories().noted == nil)
            try await shard.store.noteErasures(in: histories.present)
            #expect(try await shard.store.erasureHistories().noted == histories.present)
        }
    }
}
