import CardStore
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: partitions that can't be created", .timeLimit(.minutes(20)))
struct PartitionFailureTests {
    @Test("What keeps partitions from being created is told and counted, when a store is opened and later")
    func failures() async throws {
        try await TemplateDatabase.withCopy { url in
            let first = try await PostgresCardStore.open(url: url)
            try await first.read { try $0.simple("ALTER TABLE store RENAME COLUMN settings TO aside") }
            let (failures, failed) = AsyncStream.makeStream(of: StoreError.self)
            var options = PostgresCardStore.Options()
            options.onPartitionFailure = { failed.yield($0) }
            let store = try await PostgresCardStore.open(url: url, options: options)
            #expect(store.traffic?.partitionFailures == 1)
            await store.partitions.keep()
            #expect(store.traffic?.partitionFailures == 2)
            try await store.read { try $0.simple("ALTER TABLE store RENAME COLUMN aside TO settings") }
            await store.partitions.keep()
            #expect(store.traffic?.partitionFailures == 2)
            failed.finish()
            var told = 0
            for await _ in failures { told += 1 }
            #expect(told == 2)
            for node in [first, store] { try await node.close() }
        }
    }
}
