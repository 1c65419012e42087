import CardStore
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: connections that read", .timeLimit(.minutes(20)))
struct PoolTests {
    /// Runs a test with a pool on an empty database.
    private func withPool(
        size: Int,
        waitingLimit: Int = ConnectionPool.waitingLimit,
        _ body: (ConnectionPool, ConnectionSettings) async throws -> Void
    ) async throws {
        try await PostgresCluster.shared().withDatabase { url in
            let settings = ConnectionSettings(url: url)
            let source = ConnectionSource(settings) { _ in }
            let pool = ConnectionPool(source, settings, size: size, waitingLimit: waitingLimit)
            try await body(pool, settings)
            pool.close()
        }
    }

    /// The number of the server's process that answers.
    private func backend(of pool: ConnectionPool) async throws -> Int64 {
        try await pool.read { try $0.row("SELECT pg_backend_pid() AS pid")?.integer("pid") ?? 0 }
    }

    @Test("A read that leaves a transaction open keeps its connection from the next, whatever became of it")
    func openTransaction() async throws {
        try await withPool(size: 1) { pool, _ in
            let first = try await backend(of: pool)
            #expect(try await backend(of: pool) == first)
            try await pool.read { try $0.simple("BEGIN") }
            let second = try await backend(of: pool)
            #expect(second != first)
            await #expect(throws: StoreError.self) {
                try await pool.read { connection in
                    try connection.simple("BEGIN")
                    try connection.simple("SELECT 1 / 0")
                }
            }
            let third = try await backend(of: pool)
            #expect(third != second)
            // An error outside of a transaction costs no connection.
            await #expect(throws: StoreError.self) { try await pool.read { try $0.simple("SELECT 1 / 0") } }
            #expect(try await backend(of: pool) == third)
        }
    }

    @Test("Reads one after another have one connection, also after one that fails")
    func successive() async throws {
        try await withPool(size: 4) { pool, _ in
            let first = try await backend(of: pool)
            for _ in 0..<200 {
                #expect(try await backend(of: pool) == first)
                await #expect(throws: StoreError.self) { try await pool.read { try $0.simple("SELECT 1 / 0") } }
            }
        }
    }

    @Test("A snapshot shows one moment, whatever is written in the meantime, and ends with it")
    func snapshot() async throws {
        try await withPool(size: 1) { pool, settings in
            try await pool.read { try $0.simple("CREATE TABLE t (n BIGINT); INSERT INTO t VALUES (1)") }
            let counts = try await pool.snapshot { connection -> [Int64?] in
                let count = "SELECT count(*) AS count FROM t"
                let before = try connection.row(count)?.integer("count")
                try PostgresConnection(settings).execute("INSERT INTO t VALUES (2)")
                return [before, try connection.row(count)?.integer("count")]
            }
            #expect(counts == [1, 1])
            let now = try await pool.snapshot { try $0.row("SELECT count(*) AS count FROM t")?.integer("count") }
            #expect(now == 2)
            let isOpen = try await pool.read { $0.isInTransaction }
            #expect(!isOpen)
        }
    }

    @Test("A snapshot that fails leaves nothing open, and says what the body said")
    func failedSnapshot() async throws {
        try await withPool(size: 1) { pool, _ in
            let first = try await backend(of: pool)
            let refusal = StoreError(.notFound, "There is no such thing.")
            let error = await #expect(throws: StoreError.self) {
                try await pool.snapshot { _ -> Int in throw refusal }
            }
            #expect(error == refusal)
            #expect(try await backend(of: pool) == first)
            // A snapshot only reads, so that whoever writes in it looks for another server.
            await #expect(throws: StoreError.self) {
                try await pool.snapshot { try $0.simple("CREATE TABLE t (n BIGINT)") }
            }
            #expect(try await backend(of: pool) != first)
            let row = try await pool.read { try $0.row("SELECT to_regclass('t') IS NULL AS is_absent") }
            #expect(try row?.flag("is_absent") == true)
        }
    }

    @Test("Reads that wait when a pool is closed are refused, those under way end, and none begins")
    func closed() async throws {
        try await withPool(size: 1) { pool, _ in
            let hold = HeldJob()
            let held = Task {
                try await pool.read { _ in
                    hold.wait()
                    return 1
                }
            }
            while !hold.isHeld.load(ordering: .acquiring) { await Task.yield() }
            let waiting = (0..<3).map { number in Task { try await pool.read { _ in number } } }
            while pool.load.waiting < 3 { await Task.yield() }
            pool.close()
            for task in waiting {
                let error = await #expect(throws: StoreError.self) { try await task.value }
                #expect(error == .closed)
            }
            hold.end.signal()
            let value = try await held.value
            #expect(value == 1)
            let error = await #expect(throws: StoreError.self) { try await pool.read { _ in 2 } }
            #expect(error == .closed)
            #expect(pool.load.waiting == 0)
        }
    }

    @Test("Reads beyond those that may wait are refused, and those that wait are answered in their order")
    func waiting() async throws {
        try await withPool(size: 1, waitingLimit: 2) { pool, _ in
            let hold = HeldJob()
            let held = Task { try await pool.read { _ in hold.wait() } }
            while !hold.isHeld.load(ordering: .acquiring) { await Task.yield() }
            var waiting: [Task<Int64, any Error>] = []
            for number in 0..<2 {
                waiting.append(
                    Task {
                        try await pool.read { connection in
                            connection.later("CREATE TEMPORARY SEQUENCE IF NOT EXISTS turns MINVALUE 0")
                            return try connection.row("SELECT nextval('turns') AS turn")?.integer("turn") ?? -1
                        }
                    }
                )
                while pool.load.waiting <= number { await Task.yield() }
            }
            let error = await #expect(throws: StoreError.self) { try await pool.read { _ in 3 } }
            #expect(error == .busy)
            hold.end.signal()
            try await held.value
            for (turn, task) in waiting.enumerated() { #expect(try await task.value == Int64(turn)) }
            #expect(pool.load.waits == 2)
        }
    }
}
