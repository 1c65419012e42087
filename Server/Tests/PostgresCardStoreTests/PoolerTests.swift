import CardModel
import CardStore
import CardStoreConformance
import Foundation
import PostgresTesting
import Synchronization
import Testing

@testable import PostgresCardStore

/// A server behind pgbouncer, in transaction mode, with fewer connections than a node has.
private enum PooledServer {
    private static let count = Atomic<Int>(0)
    private static let starting = Task {
        let server = try await PostgresServer.start(settings: ["max_connections = 100"])
        try await server.startPooler(connections: 2)
        return server
    }

    /// Runs a test with an empty database.
    static func withDatabase(
        _ body: (_ server: PostgresServer, _ database: String) async throws -> Void
    ) async throws {
        let server = try await starting.value
        let name = "test_\(count.add(1, ordering: .relaxed).newValue)"
        try await server.execute("CREATE DATABASE \(name)")
        do {
            try await body(server, name)
        } catch {
            try? await server.execute("DROP DATABASE \(name) WITH (FORCE)")
            throw error
        }
        // The pooler keeps connections to a database for as long as there is one.
        try await server.execute("DROP DATABASE \(name) WITH (FORCE)")
    }
}

/// Databases behind pgbouncer, for the conformance suite.
private struct PooledStores: StoreFactory {
    func withPlace(_ body: (any ConformancePlace) async throws -> Void) async throws {
        try await PooledServer.withDatabase { server, database in
            try await body(PostgresPlace(url: server.pooledURL(of: database)))
        }
    }
}

@Suite("PostgreSQL: through pgbouncer in transaction mode", .timeLimit(.minutes(20)))
struct PoolerTests {
    /// Runs a test with two nodes that open an empty database at the same time.
    private func withNodes(
        _ body: (_ first: PostgresCardStore, _ second: PostgresCardStore, _ server: PostgresServer, _ name: String)
            async throws -> Void
    ) async throws {
        try await PooledServer.withDatabase { server, database in
            var options = PostgresCardStore.Options()
            options.now = { noon }
            let (url, fixed) = (server.pooledURL(of: database), options)
            async let one = PostgresCardStore.open(url: url, options: fixed)
            async let other = PostgresCardStore.open(url: url, options: fixed)
            let (first, second) = try await (one, other)
            try await body(first, second, server, database)
            try await first.close()
            try await second.close()
        }
    }

    @Test("The pooler is found out, and nothing is prepared, listened for or set beyond a transaction")
    func nothingStays() async throws {
        try await withNodes { first, second, server, database in
            try await first.launch(.sample())
            try await first.give("card-1")
            for number in 1...20 { try await second.record([.impression(UInt64(number))]) }
            let prepares = try await first.read { $0.usesPreparedStatements }
            #expect(!prepares)
            // Both connections that the pooler has are asked, from within a transaction each.
            let ends = try (0..<2).map { _ in
                try PostgresConnection(ConnectionSettings(url: server.pooledURL(of: database)))
            }
            for end in ends { try end.simple("BEGIN") }
            for end in ends {
                let row = try #require(
                    try end.row(
                        """
                        SELECT current_setting('statement_timeout') AS statement,
                            current_setting('lock_timeout') AS lock,
                            (SELECT count(*) FROM pg_prepared_statements) AS prepared,
                            (SELECT count(*) FROM pg_listening_channels()) AS channels,
                            (SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                                WHERE l.locktype = 'advisory' AND d.datname = current_database()) AS locks
                        """
                    )
                )
                #expect(try row.text("statement") == "0")
                #expect(try row.text("lock") == "0")
                #expect(try row.integer("prepared") == 0)
                #expect(try row.integer("channels") == 0)
                #expect(try row.integer("locks") == 0)
                try end.simple("ROLLBACK")
            }
        }
    }

    @Test("Writes have their timeouts within the transaction")
    func timeouts() async throws {
        try await withNodes { first, _, _, _ in
            let timeouts = try await first.writer.write { session in
                try session.connection.row(
                    "SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock"
                ).map { [try $0.text("statement"), try $0.text("lock")] }
            }
            #expect(timeouts == ["30s", "5s"])
        }
    }

    @Test("Another history behind the pooler is noticed with the next transaction, though connections stay")
    func otherHistory() async throws {
        try await withNodes { first, second, server, database in
            try await first.record([DeviceEvent(1, .custom(name: "open"))])
            let (epoch, position) = (first.epoch, try await first.lastEventPosition())
            _ = try await second.loadCatalog(since: nil)
            // As where a dump was read in the place of the database.
            try await server.execute(
                """
                ALTER TABLE store RENAME TO former;
                CREATE TABLE store (LIKE former INCLUDING ALL);
                INSERT INTO store SELECT * FROM former
                """,
                in: database
            )
            try await first.record([DeviceEvent(2, .custom(name: "open"))])
            #expect(first.epoch != epoch)
            // Positions go on past all that were given out.
            #expect(try await first.lastEventPosition() > position + 1_000)
            let source = try await second.loadCatalog(since: nil)
            #expect(source.epoch == first.epoch && second.epoch == first.epoch)
        }
    }

    @Test("What one node launches, the other hears of by looking alone")
    func polling() async throws {
        try await withNodes { first, second, _, _ in
            var changes = second.changes().makeAsyncIterator()
            try await first.launch(.sample())
            var change = await changes.next()
            while change != nil, change != .catalog { change = await changes.next() }
            #expect(change == .catalog)
        }
    }

    @Test("Events of two nodes count once, and a lost server is found again", .timeLimit(.minutes(20)))
    func events() async throws {
        try await withNodes { first, second, server, database in
            try await first.launch(.sample())
            try await first.give("card-1")
            await withTaskGroup { group in
                for number in 1...40 {
                    for node in [first, second] {
                        group.addTask { _ = try? await node.record([.impression(UInt64(number))]) }
                    }
                }
            }
            // The pooler's connections end, as when the server is restarted behind it.
            try await server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database)'"
            )
            try await first.record((1...40).map { .impression($0) })
            let counts = try await second.counts()
            #expect(counts.impressions == 40)
        }
    }

    @Test("The doctor says that there is a pooler")
    func doctor() async throws {
        try await withNodes { _, _, server, database in
            let findings = await PostgresCardStore.diagnose(
                url: server.pooledURL(of: database),
                secretsKey: .keyring(SecretsKeyring())
            )
            let pooler = try #require(findings.first { $0.subject == "pooler" })
            #expect(pooler.level == .warning)
            #expect(findings.first { $0.subject == "schema" }?.level == .good)
        }
    }

    @Test(
        "Every check of the conformance suite",
        .enabled(if: LongTests.areWanted),
        arguments: ConformanceCheck.all(for: PooledStores())
    )
    func conforms(_ check: ConformanceCheck) async throws { try await check.run(with: PooledStores()) }
}
