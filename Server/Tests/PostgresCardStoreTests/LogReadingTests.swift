import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: the log by position", .timeLimit(.minutes(20)))
struct LogReadingTests {
    /// Records events, and gives them positions.
    private func record(_ positions: [Int64], in store: PostgresCardStore) async throws {
        try await store.record(positions.indices.map { DeviceEvent(UInt64($0), .custom(name: "open")) })
        _ = try await store.writer.write { session in
            try session.connection.execute(
                """
                UPDATE events AS e SET position = p.position FROM (
                    SELECT id, row_number() OVER (ORDER BY position) AS place FROM events
                ) AS k JOIN unnest($1::BIGINT[]) WITH ORDINALITY AS p (position, place) ON p.place = k.place
                WHERE e.id = k.id
                """,
                [positions]
            )
        }
    }

    private func positions(
        _ store: PostgresCardStore,
        before position: Int64?,
        limit: Int = 50
    ) async throws -> EventLogPage {
        try await store.searchEvents(matching: EventLogFilter(), before: position, limit: limit)
    }

    @Test("A position that anybody can type is a place in the log or none, and never ends the process")
    func typedPositions() async throws {
        try await withStore { store in
            try await record([1, 2, 3, 4, 5], in: store)
            for (position, expected) in [
                (nil, [5, 4, 3, 2, 1]), (.max, [5, 4, 3, 2, 1]), (6, [5, 4, 3, 2, 1]), (5, [4, 3, 2, 1]),
                (3, [2, 1]), (1, []), (0, []), (-1, []), (.min, []),
            ] as [(Int64?, [Int64])] {
                let page = try await positions(store, before: position)
                #expect(page.events.map(\.position) == expected)
                #expect(page.searchedTo == nil)
            }
            for position in [Int64.max, 5, 6] {
                let page = try await store.eventPage(after: position, EventFilter(), limit: 9)
                #expect(page.events.isEmpty)
            }
            for position in [Int64.min, -1, 0] {
                let page = try await store.eventPage(after: position, EventFilter(), limit: 9)
                #expect(page.events.map(\.position) == [1, 2, 3, 4, 5])
            }
        }
    }

    @Test("A search looks at so many positions at a time, and passes over those at which there is nothing")
    func windows() async throws {
        let window = EventLogRange.window
        try await withStore { store in
            let all = [1, 2, window * 5, window * 5 + window - 1, window * 6 + 1]
            try await record(all, in: store)
            let first = try await positions(store, before: nil)
            // The newest is the last of its part, which begins one after a whole part before it.
            #expect(first.events.map(\.position) == [all[4], all[3]])
            #expect(first.searchedTo == window * 5 + 2)
            let second = try await positions(store, before: first.searchedTo)
            #expect(second.events.map(\.position) == [all[2]])
            #expect(second.searchedTo == window * 4 + 1)
            let third = try await positions(store, before: second.searchedTo)
            #expect(third.events.map(\.position) == [2, 1])
            #expect(third.searchedTo == nil)
        }
    }

    @Test("A search for a user's events takes all at once, by their index, however far they are apart")
    func userWindow() async throws {
        try await withStore { store in
            try await record([1, EventLogRange.window * 9], in: store)
            let page = try await store.searchEvents(
                matching: EventLogFilter(user: someone),
                before: nil,
                limit: 50
            )
            #expect(page.events.map(\.position) == [EventLogRange.window * 9, 1])
            #expect(page.searchedTo == nil)
        }
    }

    @Test("A page that is full goes on before its last event")
    func fullPages() async throws {
        try await withStore { store in
            try await record([1, 2, 3, 4, 5], in: store)
            var (found, place): ([Int64], Int64?) = ([], nil)
            for _ in 0..<4 {
                let page = try await positions(store, before: place, limit: 2)
                found += page.events.map(\.position)
                place = page.searchedTo
                if place == nil { break }
            }
            #expect(found == [5, 4, 3, 2, 1] && place == nil)
        }
    }

    @Test("The newest position, the next one and the last that was given out are told apart, also once events are gone")
    func places() async throws {
        try await withStore { store in
            #expect(try await store.read { try EventLog.newest($0) } == 0)
            #expect(try await store.read { try EventLog.end($0) } == 0)
            #expect(try await store.read { try EventLog.start(after: 0, $0) } == nil)
            try await record([1, 2, 3, 4, 5], in: store)
            _ = try await store.writer.write { session in
                try session.connection.execute("DELETE FROM events WHERE position IN (1, 2, 5)")
            }
            #expect(try await store.read { try EventLog.newest($0) } == 4)
            #expect(try await store.read { try EventLog.newest(before: 4, $0) } == 3)
            #expect(try await store.read { try EventLog.newest(before: 3, $0) } == 0)
            #expect(try await store.read { try EventLog.end($0) } == 5)
            #expect(try await store.read { try EventLog.start(after: 0, $0) } == 2)
            #expect(try await store.read { try EventLog.start(after: 3, $0) } == 3)
            #expect(try await store.read { try EventLog.start(after: 4, $0) } == nil)
            #expect(try await store.lastEventPosition() == 4)
        }
    }
}

@Suite("PostgreSQL: positions in another history", .timeLimit(.minutes(20)))
struct LogPositionTests {
    /// A position that only the clock gives: in microseconds since 1970.
    private static let clock: Int64 = 1_000_000_000_000_000

    /// Runs a test with a database whose log has come to a position.
    private func withLog(at position: Int64, _ body: (PostgresConnection) throws -> Void) async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try PostgresConnection(ConnectionSettings(url: url))
            try connection.execute("UPDATE log_head SET position = $1", [position])
            try body(connection)
        }
    }

    private func setHistory(_ history: Int64?, on connection: PostgresConnection) throws {
        try connection.execute("UPDATE store SET history = $1", [history])
    }

    private func history(_ connection: PostgresConnection) throws -> Int64? {
        try connection.row("SELECT history FROM store")?.optionalInteger("history")
    }

    private func nextOfOutbox(_ connection: PostgresConnection) throws -> Int64? {
        try connection.row("SELECT nextval(pg_get_serial_sequence('outbox', 'position')) AS next")?.integer("next")
    }

    @Test("A database whose history nobody has noted goes on where it is, and has it noted")
    func first() async throws {
        try await withLog(at: 41) { connection in
            try setHistory(nil, on: connection)
            try LogPositions.follow(connection)
            #expect(try EventLog.end(connection) == 41)
            #expect(try history(connection) == Int64(bitPattern: connection.history.number))
            try LogPositions.follow(connection)
            #expect(try EventLog.end(connection) == 41)
        }
    }

    @Test("One that shows another history goes on past the clock, once", arguments: [0, 1, -1, .max, .min] as [Int64])
    func other(former: Int64) async throws {
        try await withLog(at: 41) { connection in
            try setHistory(former, on: connection)
            try LogPositions.follow(connection)
            let position = try EventLog.end(connection)
            #expect(position > Self.clock)
            #expect(try history(connection) == Int64(bitPattern: connection.history.number))
            try LogPositions.follow(connection)
            #expect(try EventLog.end(connection) == position)
        }
    }

    @Test(
        "A log that is past the clock goes on by a thousand million, as far as there are positions",
        arguments: [(Int64.max / 2, Int64.max / 2 + 1_000_000_000), (Int64.max - 7, Int64.max), (Int64.max, Int64.max)]
    )
    func ahead(former: Int64, expected: Int64) async throws {
        try await withLog(at: former) { connection in
            try setHistory(1, on: connection)
            try LogPositions.follow(connection)
            #expect(try EventLog.end(connection) == expected)
        }
    }

    @Test("What waits for the home goes on past the clock with it, where there is one, and only then")
    func outbox() async throws {
        try await withLog(at: 41) { connection in
            try setHistory(nil, on: connection)
            try LogPositions.follow(connection, isSharded: true)
            #expect(try nextOfOutbox(connection) == 1)
            try setHistory(1, on: connection)
            try LogPositions.follow(connection, isSharded: false)
            #expect(try nextOfOutbox(connection) == 2)
            try setHistory(1, on: connection)
            try LogPositions.follow(connection, isSharded: true)
            let next = try #require(try nextOfOutbox(connection))
            #expect(next > Self.clock)
            try LogPositions.follow(connection, isSharded: true)
            #expect(try nextOfOutbox(connection) == next + 1)
        }
    }

    @Test("A writer follows before it gives out positions, so that no receiver misses an event")
    func writer() async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try PostgresConnection(ConnectionSettings(url: url))
            try setHistory(1, on: connection)
            let store = try await PostgresCardStore.open(url: url)
            try await store.record([DeviceEvent(1, .custom(name: "open"))])
            let position = try await store.lastEventPosition()
            #expect(position > Self.clock)
            try await store.record([DeviceEvent(2, .custom(name: "open"))])
            let next = try await store.lastEventPosition()
            #expect(next == position + 1)
            try await store.close()
        }
    }
}
