import CardModel
import CardStore
import CardStoreConformance
import Foundation
import Synchronization
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: what a node costs its server, and tries again", .timeLimit(.minutes(5)))
struct TrafficTests {
    private func roundTrips(
        _ purpose: StoreTraffic.Purpose,
        of store: PostgresCardStore,
        _ body: () async throws -> Void
    ) async throws -> Int {
        let before = try #require(store.traffic?.roundTrips[purpose])
        try await body()
        return try #require(store.traffic?.roundTrips[purpose]) - before
    }

    @Test(
        "Every reason for another attempt is counted by its name",
        arguments: [("40P01", StoreTraffic.Retry.deadlock), ("40001", .serialization), ("23505", .duplicate)]
    )
    func conflicts(state: String, reason: StoreTraffic.Retry) async throws {
        try await withStore { store in
            let attempts = Atomic<Int>(0)
            try await store.writer.write { session in
                guard attempts.add(1, ordering: .relaxed).newValue > 2 else { throw PostgresFailure(state: state) }
                try session.connection.execute("UPDATE store SET checked_at = 1 WHERE id = 1")
            }
            let retries = try #require(store.traffic).retries
            #expect(retries[reason] == 2)
            #expect(retries.filter { $0.value > 0 }.keys.elementsEqual([reason]))
        }
    }

    @Test("A read whose connection is lost is tried on another one, and counted")
    func lostRead() async throws {
        try await withStore { store in
            let attempts = Atomic<Int>(0)
            let answer = try await store.read { connection in
                if attempts.add(1, ordering: .relaxed).newValue == 1 {
                    _ = try connection.row("SELECT pg_terminate_backend(pg_backend_pid()) AS ended")
                }
                return try connection.row("SELECT 7::BIGINT AS seven")?.integer("seven")
            }
            #expect(answer == 7)
            #expect(store.traffic?.retries[.read] == 1)
        }
    }

    @Test("A read that finds every connection in use waits, and is counted")
    func waiting() async throws {
        try await TemplateDatabase.withCopy { url in
            var options = PostgresCardStore.Options()
            options.readers = 1
            let store = try await PostgresCardStore.open(url: url, options: options)
            #expect(store.traffic?.connections == 3)
            let isHeld = Atomic<Bool>(false)
            let hold = DispatchSemaphore(value: 0)
            let first = Task {
                try await store.read { _ in
                    isHeld.store(true, ordering: .releasing)
                    hold.wait()
                }
            }
            while !isHeld.load(ordering: .acquiring) { await Task.yield() }
            let second = Task { try await store.read { _ in } }
            while store.traffic?.waiting != 1 { await Task.yield() }
            hold.signal()
            try await first.value
            try await second.value
            #expect(store.traffic?.waiting == 0)
            #expect(store.traffic?.waits == 1)
            try await store.close()
        }
    }

    @Test("A sync with nothing new waits for the server once")
    func unchanged() async throws {
        try await withOneReader { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            _ = try await store.userRevision(of: someone)
            let trips = try await roundTrips(.read, of: store) { _ = try await store.userRevision(of: someone) }
            #expect(trips == 1)
            let writes = try await roundTrips(.write, of: store) { _ = try await store.userRevision(of: someone) }
            #expect(writes == 0)
        }
    }

    @Test("A batch of events waits for the server a bounded number of times, however many they are")
    func batches() async throws {
        try await withOneReader { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            // The first ones prepare the statements.
            try await store.record([.impression(1), .click(2)])
            try await store.record([DeviceEvent(3, .custom(name: "open"))])
            try await store.record([.impression(4), .click(5), DeviceEvent(6, .custom(name: "open"))])
            // 11, 13 and at most 12 as measured; once in a while a group also removes old signals, with a statement of its own.
            let one = try await roundTrips(.write, of: store) { try await store.record([.impression(10)]) }
            #expect(one <= 13)
            let custom = (11...60).map { DeviceEvent($0, .custom(name: "open")) }
            let many = try await roundTrips(.write, of: store) { try await store.record(custom) }
            #expect(many <= 15)
            let impressions = (61...110).map { DeviceEvent.impression($0) }
            let shown = try await roundTrips(.write, of: store) { try await store.record(impressions) }
            #expect(shown <= 14)
        }
    }

    /// Runs a test with a store that has one reading connection, so that statements are prepared once.
    private func withOneReader(_ body: (PostgresCardStore) async throws -> Void) async throws {
        try await TemplateDatabase.withCopy { url in
            var options = PostgresCardStore.Options()
            options.readers = 1
            options.now = { noon }
            let store = try await PostgresCardStore.open(url: url, options: options)
            do {
                try await body(store)
            } catch {
                try? await store.close()
                throw error
            }
            try await store.close()
        }
    }
}
