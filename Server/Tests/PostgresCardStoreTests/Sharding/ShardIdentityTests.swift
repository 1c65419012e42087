import CardModel
import CardStore
import CardStoreConformance
import Foundation
import PostgresCardStore
import PostgresTesting
import ShardedCardStore
import Testing

@Suite("Sharded: which database is which", .timeLimit(.minutes(20)))
struct ShardIdentityTests {
    /// Runs statements in a database beside all stores.
    private func execute(_ sql: String, in url: String) async throws {
        let database = try #require(url.components(separatedBy: "@/").last?.split(separator: "?").first)
        try await PostgresCluster.shared().execute(sql, in: String(database))
    }

    @Test("The home isn't its own shard, and a shard is added once")
    func added() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            await expectFailure(.conflict) { try await place.add(urls[0]) }
            #expect(try await place.add(urls[1]))
            await expectFailure(.conflict) { try await place.add(urls[1]) }
            let shards = try await ShardedCardStore.shards(of: place.home, options: place.options)
            #expect(shards.map(\.id) == [0, 1])
        }
    }

    @Test("A database of another installation is left as it is")
    func foreign() async throws {
        try await TemplateDatabase.withCopies(4) { urls in
            let (place, other) = (ShardedPlace(home: urls[0]), ShardedPlace(home: urls[2]))
            // Copies of one database have one key.
            try await execute("UPDATE store SET user_hash_key = sha256('another')", in: other.home)
            try await other.add(urls[3])
            await expectFailure(.conflict) { try await place.add(urls[3]) }
            await expectFailure(.conflict) { try await place.add(urls[2]) }
            let store = try await other.open()
            try await store.close()
        }
    }

    @Test("A server doesn't start on a shard, nor where an address leads to another database than it did")
    func exchanged() async throws {
        try await TemplateDatabase.withCopies(3) { urls in
            let place = ShardedPlace(home: urls[0])
            for shard in urls.dropFirst() { try await place.add(shard) }
            await expectFailure(.incompatible) { try await ShardedPlace(home: urls[1]).open() }
            await expectFailure(.incompatible) { try await ShardedPlace(home: urls[1]).add(urls[2]) }
            await expectFailure(.conflict) {
                try await ShardedCardStore.setShard(
                    1,
                    url: urls[2],
                    of: place.home,
                    options: place.options,
                    at: noon,
                    by: .command
                )
            }
            // A backup in the wrong place.
            try await execute("UPDATE store SET shard = 2", in: urls[1])
            let error = await #expect(throws: StoreError.self) { try await place.open() }
            #expect(error?.code == .conflict)
            #expect(error?.message.hasPrefix("Shard 1: ") == true)
        }
    }

    @Test("A server that writes nothing keeps users from being spread as though none ran")
    func idle() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            let server = try await place.open()
            #expect(try await !place.add(urls[1]))
            try await server.close()
            #expect(try await ShardedCardStore.shards(of: place.home, options: place.options).map(\.users) == [0, 0])
        }
    }

    @Test("Of two databases that are added at the same moment, one is the shard, and the other one is refused")
    func addedTwice() async throws {
        try await TemplateDatabase.withCopy { url in
            let home = try await ShardNode.open(url, shard: 0).store
            func add(_ name: String, isNew: Bool) async throws {
                let address = ShardAddress(shard: 1, url: "postgresql:///\(name)")
                try await home.saveShard(address, ranges: nil, isNew: isNew, at: noon, by: .command)
            }
            try await add("first", isNew: true)
            await expectFailure(.conflict) { try await add("second", isNew: true) }
            #expect(try await home.shardAddresses().map(\.url) == ["postgresql:///first"])
            // Another address of it is what `placard shards set` saves.
            try await add("moved", isNew: false)
            #expect(try await home.shardAddresses().map(\.url) == ["postgresql:///moved"])
            try await home.close()
        }
    }
}
