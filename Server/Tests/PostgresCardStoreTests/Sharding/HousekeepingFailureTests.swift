import CardStore
import Testing

@testable import PostgresCardStore
@testable import ShardedCardStore

@Suite("Sharded: work that fails", .timeLimit(.minutes(20)))
struct HousekeepingFailureTests {
    private let start = ContinuousClock.now
    private let error = StoreError(.unavailable, "It is away.")

    @Test("Each failure counts, and the same is told once in ten minutes, with how many weren't")
    func rate() {
        var failures = HousekeepingFailures()
        let first = failures.note(error, of: .outbox, in: 1, at: start)
        #expect(first == HousekeepingFailure(work: .outbox, shard: 1, error: error, omitted: 0))
        for second in 1...3 {
            let again = failures.note(error, of: .outbox, in: 1, at: start + .seconds(second))
            #expect(again == nil)
        }
        // Other work, and the same in another database, is told for itself.
        let other = failures.note(error, of: .outbox, in: 2, at: start + .seconds(4))
        let move = failures.note(error, of: .moves, in: nil, at: start + .seconds(4))
        #expect(other?.shard == 2 && move?.work == .moves)
        let early = failures.note(error, of: .outbox, in: 1, at: start + HousekeepingFailures.window - .nanoseconds(1))
        #expect(early == nil)
        let late = failures.note(error, of: .outbox, in: 1, at: start + HousekeepingFailures.window)
        #expect(late?.omitted == 4)
        #expect(failures.counts == [.outbox: 7, .moves: 1])
    }

    @Test("What is under way when the store is closed is no failure")
    func canceled() async {
        let log = HousekeepingLog()
        let task = Task { [error] in
            while !Task.isCancelled { await Task.yield() }
            await log.run(.outbox) { throw error }
        }
        task.cancel()
        await task.value
        #expect(log.counts.isEmpty)
        await log.run(.outbox) { throw error }
        #expect(log.counts == [.outbox: 1])
    }

    @Test("An outbox that can't be read is counted and told, and keeps no other work from being done")
    func outbox() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            let (failures, failed) = AsyncStream.makeStream(of: HousekeepingFailure.self)
            let opened = try await ShardedCardStore.open(
                url: place.home,
                options: place.options,
                onFailure: { failed.yield($0) }
            )
            let store = try #require(opened as? ShardedCardStore)
            let shard = try store.database(1)
            try await shard.read { try $0.simple("ALTER TABLE outbox RENAME TO aside") }
            for _ in 0..<2 { await store.keepHouse(at: .now) }
            let counts = try #require(store.traffic).housekeepingFailures
            #expect(counts[.outbox, default: 0] >= 2)
            #expect(Set(counts.keys) == [.outbox])
            try await shard.read { try $0.simple("ALTER TABLE aside RENAME TO outbox") }
            try await store.close()
            failed.finish()
            var told: [Int?] = []
            for await failure in failures { told.append(failure.shard) }
            #expect(told == [1])
        }
    }

    @Test("Merges between databases that can't be ended are counted")
    func departures() async throws {
        try await TemplateDatabase.withCopies(2) { urls in
            let place = ShardedPlace(home: urls[0])
            #expect(try await place.add(urls[1]))
            let store = try #require(try await place.open() as? ShardedCardStore)
            try await store.database(1).read { try $0.simple("ALTER TABLE departures RENAME TO aside") }
            await #expect(throws: StoreError.self) { try await store.finishDepartures(from: 1) }
            await store.keepHouse(at: .now)
            let counts = try #require(store.traffic).housekeepingFailures
            #expect(counts[.departures, default: 0] >= 1)
            try await store.database(1).read { try $0.simple("ALTER TABLE aside RENAME TO departures") }
            try await store.close()
        }
    }
}
