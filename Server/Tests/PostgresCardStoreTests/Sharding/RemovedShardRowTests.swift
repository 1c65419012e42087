import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import PostgresCardStore

@Suite("Sharded: what the home keeps of a shard that was taken away", .timeLimit(.minutes(10)))
struct RemovedShardRowTests {
    private static let address = ShardAddress(shard: 1, url: "postgresql://placard@127.0.0.1:1/cards")

    /// Runs a test with a home that knows of a shard, and that shard.
    private func withShard(
        _ body: (_ home: PostgresCardStore, _ shard: PostgresCardStore) async throws -> Void
    ) async throws {
        try await ShardNode.withTwo { home, shard in
            try await home.store.saveShard(Self.address, ranges: nil, isNew: true, at: noon, by: command)
            try await body(home.store, shard.store)
        }
    }

    private func execute(_ sql: String, in store: PostgresCardStore) async throws {
        _ = try await store.writer.writeAlone(scope: .nobody) { try $0.connection.execute(sql) }
    }

    private func number(_ sql: String, in store: PostgresCardStore) async throws -> Int64? {
        try await store.read { try $0.row(sql)?.integer("number") }
    }

    @Test func `Its number stays, its address doesn't, and nothing of it is noted any more`() async throws {
        try await withShard { home, shard in
            #expect(try await home.knownShards().last == 1)
            try await home.requireRemovable(1)
            let counts = try await shard.shardCounts()
            try await home.removeShard(1, adding: counts, at: noon, by: command)
            let known = try await home.knownShards()
            #expect(known.addresses.isEmpty && known.removed == [1] && known.last == 1)
            #expect(try await home.notedPlacements().isEmpty)
            let sealed = "SELECT count(*) AS number FROM sealed_values WHERE name = 'shard:1'"
            #expect(try await number(sealed, in: home) == 0)
            await expectFailure(.conflict) { try await home.requireRemovable(1) }
            await expectFailure(.notFound) { try await home.requireRemovable(2) }
            await expectFailure(.conflict) {
                try await home.removeShard(1, adding: counts, at: noon, by: command)
            }
        }
    }

    @Test func `What it had for the audit log isn't taken over again by a server that comes late`() async throws {
        try await withShard { home, shard in
            let user = UserID(rawValue: "anna")
            try await shard.updateUsers([UserUpdate(id: user)], at: noon)
            #expect(try await shard.deleteUser(user, at: noon, by: .member("ann@example.com")))
            let entries = try await shard.outbox(limit: 10)
            let last = try #require(entries.last)
            try await home.applyOutbox(entries, of: 1)
            try await shard.removeOutbox(through: last.position)
            try await home.removeShard(1, adding: try await shard.shardCounts(), at: noon, by: command)
            let count = try await home.auditChain().last.count
            try await home.applyOutbox(entries, of: 1)
            #expect(try await home.auditChain().last.count == count)
        }
    }

    @Test func `Cards that templates withheld are added up with those of the home`() async throws {
        let rows = """
            INSERT INTO withheld_counts (campaign_id, utc_day, local_day, variant_id, kind, reason, users)
            VALUES ('c', 1, 1, 'a', 'abort', 'none', 3)
            """
        try await withShard { home, shard in
            for store in [home, shard] { try await execute(rows, in: store) }
            let counts = try await shard.shardCounts()
            try await home.removeShard(1, adding: counts, at: noon, by: command)
            let sum = "SELECT sum(users)::BIGINT AS number FROM withheld_counts"
            #expect(try await number(sum, in: home) == 6)
            #expect(try await number(sum, in: shard) == 3)
        }
    }

    @Test func `What was counted by several nodes of a shard has one row, in a slot that no node has`() async throws {
        let rows = """
            INSERT INTO divisions (slot, campaign_id, weights, variant_id, users)
            VALUES (0, 'c', 'a:1', 'a', 3), (5, 'c', 'a:1', 'a', 4)
            """
        try await withShard { home, shard in
            for store in [home, shard] { try await execute(rows, in: store) }
            let counts = try await shard.shardCounts()
            try await home.removeShard(1, adding: counts, at: noon, by: command)
            #expect(try await number("SELECT sum(users)::BIGINT AS number FROM divisions", in: home) == 14)
            let own = "SELECT users AS number FROM divisions WHERE slot = -1"
            #expect(try await number(own, in: home) == 7)
        }
    }

    @Test func `One that is lost isn't given up while users are moved to it`() async throws {
        try await withShard { home, _ in
            let move = RangeMove(0..<10, from: 0, to: 1)
            #expect(try await home.beginMove(move))
            await expectFailure(.conflict) { try await home.giveUpShard(1, at: noon, by: command) }
            try await home.cancelMove(move)
            let lost = try await home.giveUpShard(1, at: noon, by: command)
            #expect(lost == LostShard(share: 0, events: 0))
            await expectFailure(.conflict) { try await home.giveUpShard(1, at: noon, by: command) }
        }
    }

    @Test func `The share of users who are lost is that of their places, who are the home's from then on`()
        async throws
    {
        try await withShard { home, _ in
            let ranges = [PlacedRange(start: 0, shard: 0), PlacedRange(start: SampleRank.count / 4, shard: 1)]
            try await home.saveShard(Self.address, ranges: ranges, at: noon, by: command)
            let lost = try await home.giveUpShard(1, at: noon, by: command)
            #expect(lost.share == 0.75)
            let left = try await home.placedRanges()
            #expect(left.map(\.shard) == [0, 0])
            #expect(left.first?.history == 0 && left.last?.history != 0)
        }
    }
}
