import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import PostgresCardStore

@Suite("Sharded: the index of logs", .timeLimit(.minutes(10)))
struct EventIndexTests {
    /// Enters what a shard has; the home's own log is entered as it is.
    @discardableResult
    private func enter(_ start: Int64, _ end: Int64, in store: PostgresCardStore) async throws -> Int64 {
        try await store.enterEvents([LogSpan(after: 0, through: 0), LogSpan(after: start, through: end)])
    }

    private func record(_ numbers: ClosedRange<UInt64>, in store: PostgresCardStore) async throws {
        try await store.record(numbers.map { DeviceEvent($0, .sessionStart) })
    }

    private func rowCount(in store: PostgresCardStore) async throws -> Int64? {
        try await store.read { try $0.row("SELECT count(*) AS count FROM event_index")?.integer("count") }
    }

    private func positions(of places: [(Int, Int64)], in store: PostgresCardStore) async throws -> [Int64?] {
        try await store.indexPositions(of: places.map { ShardPosition(shard: $0.0, position: $0.1) })
    }

    @Test("What was in the home's log keeps its positions, and what is in others comes after it")
    func positions() async throws {
        try await withStore { store in
            try await record(1...3, in: store)
            #expect(try await enter(0, 5, in: store) == 8)
            let places: [(Int, Int64)] = [(0, 1), (0, 3), (0, 4), (1, 1), (1, 5), (1, 6), (2, 1)]
            #expect(try await positions(of: places, in: store) == [1, 3, nil, 4, 8, nil, nil])
        }
    }

    @Test("What another node has entered is entered once, and what follows is in the same row")
    func repetition() async throws {
        try await withStore { store in
            try await record(1...3, in: store)
            #expect(try await enter(0, 5, in: store) == 8)
            #expect(try await enter(0, 5, in: store) == 8)
            #expect(try await enter(3, 7, in: store) == 10)
            #expect(try await rowCount(in: store) == 2)
            try await record(4...4, in: store)
            #expect(try await enter(7, 9, in: store) == 13)
            #expect(try await rowCount(in: store) == 4)
            #expect(try await store.eventIndexExtent(shards: 2) == EventIndexExtent(end: 13, ends: [4, 9]))
            #expect(try await positions(of: [(1, 7), (0, 4), (1, 8)], in: store) == [10, 11, 12])
        }
    }

    @Test("A part of the index is a part of each log")
    func spans() async throws {
        try await withStore { store in
            try await record(1...3, in: store)
            try await enter(0, 5, in: store)
            func spans(_ start: Int64, _ end: Int64) async throws -> [[Int64]] {
                try await store.logSpans(of: LogSpan(after: start, through: end), shards: 3).map { [$0.start, $0.end] }
            }
            #expect(try await spans(0, 8) == [[0, 3], [0, 5], [0, 0]])
            #expect(try await spans(2, 5) == [[2, 3], [0, 2], [0, 0]])
            #expect(try await spans(8, .max) == [[3, 3], [5, 5], [0, 0]])
            #expect(try await spans(.min, 1) == [[0, 1], [0, 0], [0, 0]])
        }
    }

    @Test("Positions of a shard at which there is no event any more take none of the index")
    func gaps() async throws {
        try await withStore { store in
            try await record(1...3, in: store)
            try await enter(0, 5, in: store)
            #expect(try await enter(1_000_000, 1_000_002, in: store) == 10)
            let places: [(Int, Int64)] = [(1, 5), (1, 6), (1, 1_000_000), (1, 1_000_001), (1, 1_000_002)]
            #expect(try await positions(of: places, in: store) == [8, nil, nil, 9, 10])
        }
    }

    @Test("Rows of events that are gone are removed, but for the last one of each database")
    func pruning() async throws {
        try await withStore { store in
            try await record(1...3, in: store)
            try await enter(0, 5, in: store)
            try await record(4...6, in: store)
            try await enter(5, 9, in: store)
            try await store.pruneEventIndex(before: [2, 5])
            #expect(try await rowCount(in: store) == 3)
            try await store.pruneEventIndex(before: [6, 9])
            #expect(try await rowCount(in: store) == 2)
            #expect(try await store.eventIndexExtent(shards: 2) == EventIndexExtent(end: 15, ends: [6, 9]))
            #expect(try await enter(9, 10, in: store) == 16)
        }
    }

    @Test("A log says what is new in it, without what is gone from it")
    func news() async throws {
        try await withStore { store in
            try await record(1...4, in: store)
            #expect(try await store.newEvents(after: 0) == LogSpan(after: 0, through: 4))
            #expect(try await store.newEvents(after: 9) == LogSpan(after: 9, through: 9))
            try await store.read { _ = try $0.execute("DELETE FROM events WHERE position < 3") }
            #expect(try await store.newEvents(after: 0) == LogSpan(after: 2, through: 4))
            #expect(try await store.logStart() == 2)
            #expect(try await store.firstEvent(in: LogSpan(after: 0, through: 4)) == 3)
            #expect(try await store.firstEvent(in: LogSpan(after: 0, through: 2)) == nil)
            #expect(try await store.newestEvent(in: LogSpan(after: 0, through: 3)) == 3)
            #expect(try await store.newestEvent(in: LogSpan(after: 0, through: 2)) == nil)
            try await store.read { _ = try $0.execute("DELETE FROM events") }
            #expect(try await store.newEvents(after: 0).isEmpty)
            #expect(try await store.logStart() == 4)
        }
    }

    @Test("What the webhook has got is a position of the index where there are shards")
    func sent() async throws {
        try await withStore { store in
            try await record(1...2, in: store)
            try await enter(0, 5, in: store)
            try await record(3...4, in: store)
            try await enter(5, 5, in: store)
            func sent() async throws -> Int64? { try await store.read(EventIndex.sent) }
            #expect(try await sent() == Int64.max)
            let webhook = """
                INSERT INTO webhooks (id, url, types, created_at, position, failures, next_attempt_at)
                VALUES (1, 'https://example.com', '', 0, 8, 0, 0)
                """
            try await store.read { _ = try $0.execute(webhook) }
            #expect(try await sent() == 8)
            try await store.read { _ = try $0.execute("INSERT INTO shards (id, added_at) VALUES (1, 0)") }
            #expect(try await sent() == 3)
            try await store.read { _ = try $0.execute("UPDATE store SET shard = 1") }
            #expect(try await sent() == nil)
        }
    }
}
