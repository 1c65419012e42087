import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import PostgresTesting
import SQLiteCardStore
import Testing

@Suite("Copies and several databases", .timeLimit(.minutes(20)))
struct CopyOfPartsTests {
    @Test("One of several databases among which users are spread is neither copied nor a target, also without users")
    func parts() async throws {
        let folder = TemporaryFolder()
        let path = folder.path("source.sqlite")
        var options = SQLiteCardStore.Options()
        options.requiresSecretsKey = false
        let source = try SQLiteCardStore(path: path, options: options)
        try await source.updateUsers([UserUpdate(id: testUser)], at: testTime)
        try await source.close()
        try await TemplateDatabase.withCopies(2) { urls in
            let sharded = ShardedPlace(home: urls[0])
            try await sharded.add(urls[1])
            for url in urls {
                let target = #expect(throws: StoreError.self) { _ = try PostgresTransfer.target(url: url) }
                #expect(target?.code == .incompatible)
                #expect(target?.message.hasPrefix("The target is one of several databases") == true)
                let part = #expect(throws: StoreError.self) { _ = try PostgresTransfer.source(url: url) }
                #expect(part?.code == .incompatible)
            }
            // They are what they were.
            let store = try await sharded.open()
            #expect(try await store.userCount() == 0)
            try await store.close()
        }
        // A database by itself is a target.
        try await TemplateDatabase.withCopy { url in
            let target = try PostgresTransfer.target(url: url)
            let summary = try StoreTransfer(from: SQLiteTransfer.source(path: path), to: target).run()
            #expect(summary.counts["users"] == 1)
        }
    }

    @Test("A target with another program's table of shards is refused as another program's")
    func foreignShards() async throws {
        try await PostgresCluster.shared().withDatabase { url in
            try await ShardedPlace.execute("CREATE TABLE shards (id BIGINT)", in: url)
            let error = #expect(throws: StoreError.self) { _ = try PostgresTransfer.target(url: url) }
            #expect(error?.code == .incompatible)
            #expect(error?.message.hasPrefix("The database has tables of another program.") == true)
        }
    }
}
