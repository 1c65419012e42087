import CardStore
import Synchronization
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: statements that are prepared, and connections that end", .timeLimit(.minutes(20)))
struct PreparedStatementTests {
    /// The number of times a statement is prepared on a connection.
    private func preparations(of sql: String, on connection: PostgresConnection) throws -> Int64? {
        let count = "SELECT count(*) AS count FROM pg_prepared_statements WHERE statement = $1"
        return try connection.row(count, [sql])?.integer("count")
    }

    @Test("A statement is prepared once, whether it is asked alone, with others or twice at once")
    func once() async throws {
        try await withConnection { connection in
            let sql = "SELECT $1::BIGINT AS value"
            for number in 0..<5 {
                #expect(try connection.row(sql, [number])?.integer("value") == Int64(number))
            }
            let together = try connection.rows(of: [PostgresQuery(sql, [5]), PostgresQuery(sql, [6])])
            #expect(try together.map { try $0.first?.integer("value") } == [5, 6])
            #expect(try preparations(of: sql, on: connection) == 1)

            let other = "SELECT $1::BIGINT + 1 AS value"
            let first = try connection.rows(of: (0..<4).map { PostgresQuery(other, [$0]) })
            #expect(try first.map { try $0.first?.integer("value") } == [1, 2, 3, 4])
            connection.later(other, [7])
            #expect(try connection.row(other, [8])?.integer("value") == 9)
            #expect(try preparations(of: other, on: connection) == 1)
        }
    }

    @Test("What begins and ends transactions is never prepared")
    func commands() async throws {
        try await withConnection { connection in
            for _ in 0..<3 {
                connection.begin(["BEGIN", "SET LOCAL lock_timeout = 7"])
                let row = try connection.row("SELECT current_setting('lock_timeout') AS value")
                #expect(try row?.text("value") == "7ms")
                try connection.commit()
            }
            for sql in ["BEGIN", "COMMIT", "SET LOCAL lock_timeout = 7"] {
                #expect(try preparations(of: sql, on: connection) == 0)
            }
        }
    }

    @Test("One that failed before it was prepared, or because of another before it, is prepared the next time")
    func afterFailures() async throws {
        try await withConnection { connection in
            let sql = "SELECT count(*) AS count FROM late"
            let failure = #expect(throws: PostgresError.self) {
                try connection.rows(of: [PostgresQuery(sql), PostgresQuery(sql)])
            }
            #expect(failure?.state == "42P01")
            try connection.simple("CREATE TABLE late (n BIGINT)")
            // Here the first one fails, and the other isn't even looked at.
            let division = #expect(throws: PostgresError.self) {
                try connection.rows(of: [PostgresQuery("SELECT 1 / 0"), PostgresQuery(sql)])
            }
            #expect(division?.state == "22012")
            #expect(try preparations(of: sql, on: connection) == 0)
            let counts = try connection.rows(of: [PostgresQuery(sql), PostgresQuery(sql)])
            #expect(try counts.map { try $0.first?.integer("count") } == [0, 0])
            #expect(try preparations(of: sql, on: connection) == 1)
        }
    }

    @Test("One that was prepared in a transaction that is undone stays prepared")
    func undone() async throws {
        try await withConnection { connection in
            let sql = "SELECT 3::BIGINT AS three"
            connection.begin(["BEGIN"])
            #expect(try connection.row(sql)?.integer("three") == 3)
            #expect(throws: PostgresError.self) { try connection.rows("SELECT 1 / 0") }
            try connection.rollBack()
            #expect(try connection.row(sql)?.integer("three") == 3)
            #expect(try preparations(of: sql, on: connection) == 1)
        }
    }

    @Test("In a transaction that has failed nothing runs until it has ended, and its commit is an error")
    func failedTransaction() async throws {
        try await withConnection { connection in
            try connection.simple("CREATE TABLE t (n BIGINT)")
            connection.begin(["BEGIN"])
            try connection.execute("INSERT INTO t VALUES (1)")
            #expect(throws: PostgresError.self) { try connection.rows("SELECT 1 / 0") }
            #expect(connection.isInTransaction)
            let next = #expect(throws: PostgresError.self) { try connection.rows("SELECT n FROM t") }
            #expect(next?.state == "25P02" && next?.endsConnection == false)
            let commit = #expect(throws: PostgresError.self) { try connection.commit() }
            #expect(commit?.state == "25P02")
            #expect(!connection.isInTransaction)
            #expect(try connection.rows("SELECT n FROM t").isEmpty)
        }
    }

    @Test("The number of changes counts what may change something, whether it waits or not")
    func writes() async throws {
        try await withConnection { connection in
            let start = connection.writes
            _ = try connection.rows("SELECT 1")
            try connection.simple("CREATE TABLE t (n BIGINT)")
            #expect(connection.writes == start)
            try connection.execute("INSERT INTO t VALUES (1)")
            connection.later("INSERT INTO t VALUES (2)")
            #expect(connection.writes == start + 2)
            let changed = try connection.changing("UPDATE t SET n = n + 1 RETURNING n")
            #expect(changed.count == 2 && connection.writes == start + 3)
        }
    }

    // MARK: Connections that end

    private static let end = "SELECT pg_terminate_backend(pg_backend_pid()) AS is_ended"

    @Test("A read of one moment whose connection ends begins again on another one, and shows one moment")
    func lostSnapshot() async throws {
        try await withStore { store in
            let attempts = Atomic<Int>(0)
            let moments = try await store.snapshot { connection -> [String?] in
                let moment = "SELECT pg_current_snapshot()::TEXT || ' ' || now() AS moment"
                let first = try connection.row(moment)?.text("moment")
                if attempts.add(1, ordering: .relaxed).newValue == 1 { _ = try connection.row(Self.end) }
                return [first, try connection.row(moment)?.text("moment")]
            }
            #expect(moments.count == 2 && moments[0] == moments[1])
            #expect(attempts.load(ordering: .relaxed) == 2)
            #expect(store.traffic?.retries[.read] == 1)
        }
    }

    @Test("A read that ends every connection is refused after the second, and the next one is answered")
    func lostTwice() async throws {
        try await withStore { store in
            let attempts = Atomic<Int>(0)
            let error = await #expect(throws: StoreError.self) {
                try await store.read { connection in
                    attempts.add(1, ordering: .relaxed)
                    _ = try connection.row(Self.end)
                }
            }
            #expect(error?.code == .unavailable)
            #expect(error?.message.hasPrefix("The database can't be reached.") == true)
            #expect(attempts.load(ordering: .relaxed) == 2)
            #expect(store.traffic?.retries[.read] == 2)
            let one = try await store.read { try $0.row("SELECT 1::BIGINT AS one")?.integer("one") }
            #expect(one == 1)
        }
    }

    @Test("Connections that end while nothing is asked cost nobody an answer")
    func lostWhileIdle() async throws {
        try await withStore { store in
            for _ in 0..<3 {
                try await store.writer.write { _ in }
                let one = try await store.read { try $0.row("SELECT 1::BIGINT AS one")?.integer("one") }
                #expect(one == 1)
                // Those of the pool, the writer and the listener alike.
                let killer = try PostgresConnection(store.partitions.settings)
                _ = try killer.rows(
                    """
                    SELECT pg_terminate_backend(pid, 10000) AS is_ended FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """
                )
            }
            let written = try await store.writer.write { session in
                try session.connection.execute("INSERT INTO spent_forms (token, expires_at) VALUES ('', 0)")
            }
            #expect(written == 1)
        }
    }

    @Test("A body that refuses or fails by itself keeps its connection, and is run once")
    func ownErrors() async throws {
        try await withStore { store in
            let attempts = Atomic<Int>(0)
            let refusal = StoreError(.corrupt, "Refused.")
            let error = await #expect(throws: StoreError.self) {
                try await store.read { _ in
                    attempts.add(1, ordering: .relaxed)
                    throw refusal
                }
            }
            #expect(error == refusal)
            #expect(attempts.load(ordering: .relaxed) == 1)
            #expect(store.traffic?.retries[.read] == 0)
        }
    }
}
