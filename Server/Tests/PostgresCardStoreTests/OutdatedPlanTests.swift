import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import PostgresCardStore

/// The effect of a newer node on the connections of those that run beside it.
///
/// A statement that is prepared has the columns of its rows for good: where a table gets another one, PostgreSQL
/// refuses `SELECT *` on every connection that has it prepared.
@Suite("PostgreSQL: tables that another node changes", .timeLimit(.minutes(20)))
struct OutdatedPlanTests {
    private static let addColumn = "ALTER TABLE spent_forms ADD COLUMN later TEXT"
    private static let insert = "INSERT INTO spent_forms (token, expires_at) VALUES ($1, 0)"
    private static let select = "SELECT * FROM spent_forms"

    /// Changes a table as the migration of another node does.
    private func addColumn(at store: PostgresCardStore) throws {
        try PostgresConnection(store.partitions.settings).simple(Self.addColumn)
    }

    @Test("A connection never runs such a statement again, and is told from a server that can't do something")
    func failure() async throws {
        try await withConnection { connection in
            try connection.simple("CREATE TABLE t (n BIGINT)")
            #expect(try connection.rows("SELECT * FROM t").isEmpty)
            try connection.simple("ALTER TABLE t ADD COLUMN m BIGINT")
            for _ in 0..<2 {
                let failure = #expect(throws: PostgresError.self) { try connection.rows("SELECT * FROM t") }
                #expect(failure?.state == "0A000")
                #expect(failure?.isPlanOutdated == true && failure?.endsConnection == true)
                #expect(failure?.isConnectionLost == false)
            }
            // So it is among statements that are sent together.
            let together = #expect(throws: PostgresError.self) {
                try connection.rows(of: [PostgresQuery("SELECT 1"), PostgresQuery("SELECT * FROM t")])
            }
            #expect(together?.isPlanOutdated == true)
            let unsupported = #expect(throws: PostgresError.self) {
                try connection.rows("SELECT count(*) FROM t FOR UPDATE")
            }
            #expect(unsupported?.state == "0A000")
            #expect(unsupported?.isPlanOutdated == false && unsupported?.endsConnection == false)
            // Others go on, also those that name their columns.
            #expect(try connection.rows("SELECT n FROM t").isEmpty)
        }
    }

    @Test("A read of every column goes on with a new connection, on each of them once")
    func reading() async throws {
        try await withOneReader { store in
            let select = Self.select
            #expect(try await store.read { try $0.rows(select).count } == 0)
            try addColumn(at: store)
            #expect(try await store.read { try $0.rows(select).count } == 0)
            #expect(store.traffic?.retries[.read] == 1)
            #expect(try await store.read { try $0.rows(select).count } == 0)
            #expect(store.traffic?.retries[.read] == 1)
        }
    }

    @Test("So does a read of one moment, from its beginning")
    func snapshot() async throws {
        try await withOneReader { store in
            let select = Self.select
            _ = try await store.snapshot { try $0.rows(select).count }
            try addColumn(at: store)
            let counts = try await store.snapshot { [try $0.rows("SELECT 1").count, try $0.rows(select).count] }
            #expect(counts == [1, 0])
            #expect(store.traffic?.retries[.read] == 1)
            let isOpen = try await store.read { $0.isInTransaction }
            #expect(!isOpen)
        }
    }

    @Test("Reads that went to the server together each get their answer")
    func sharedReading() async throws {
        try await withOneReader { store in
            let select = Self.select
            let reads = SharedReads<Int, Int>(store.pool, groups: 1, size: 8) { connection, numbers in
                let count = try connection.rows(select).count
                return numbers.map { .success($0 + count) }
            }
            #expect(try await reads.read(1) == 1)
            try addColumn(at: store)
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<8 { group.addTask { try await reads.read(number) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.sorted() == Array(0..<8))
            #expect(store.traffic?.retries[.read] == 1)
        }
    }

    @Test("A change is written once, in another transaction")
    func writing() async throws {
        try await withStore { store in
            let (select, insert) = (Self.select, Self.insert)
            try await store.writer.write { _ = try $0.connection.rows(select) }
            try addColumn(at: store)
            let counts = try await store.writer.write { session -> [Int] in
                try session.connection.execute(insert, [[1] as [UInt8]])
                return [try session.connection.rows(select).count]
            }
            #expect(counts == [1])
            #expect(store.traffic?.retries[.connection] == 1)
            #expect(try await store.read { try $0.rows(select).count } == 1)
        }
    }

    @Test("Pictures, members and campaigns are read while their tables get columns")
    func tables() async throws {
        try await withOneReader { store in
            try await store.launch(.sample())
            func readAll() async throws -> Int {
                let campaigns = try await store.searchCampaigns(matching: CampaignFilter(), after: nil, limit: 9)
                let keys = try await store.apiKeys()
                return campaigns.count + keys.count
            }
            #expect(try await readAll() == 1)
            let connection = try PostgresConnection(store.partitions.settings)
            for table in ["campaigns", "keys"] {
                try connection.simple("ALTER TABLE \(table) ADD COLUMN later TEXT")
                #expect(try await readAll() == 1)
            }
            #expect(store.traffic?.retries[.read] == 2)
        }
    }

    /// Runs a test with a store of a single connection that reads.
    private func withOneReader(_ body: (PostgresCardStore) async throws -> Void) async throws {
        try await TemplateDatabase.withCopy { url in
            var options = PostgresCardStore.Options()
            options.readers = 1
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
