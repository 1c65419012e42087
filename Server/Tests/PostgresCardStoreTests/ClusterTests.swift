import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: the server of the tests", .timeLimit(.minutes(20)))
struct ClusterTests {
    @Test func `Databases are copies of those that were asked for, and go after their test, also after one that fails`()
        async throws
    {
        struct Stop: Error {}
        let cluster = try await PostgresCluster.shared()
        let watch = try PostgresConnection(ConnectionSettings(url: cluster.url(of: "postgres")))
        var names: [String] = []
        try await TemplateDatabase.withCopy { url in
            let template = try PostgresConnection(ConnectionSettings(url: url)).database()
            try await cluster.withDatabases(like: [template, "template1"]) { urls in
                let copies = try urls.map { try PostgresConnection(ConnectionSettings(url: $0)) }
                let tables = "SELECT to_regclass('users') IS NOT NULL AS are_there"
                let isFull = try copies.map { try $0.row(tables)?.flag("are_there") }
                #expect(isFull == [true, false])
                names += try copies.map { try $0.database() }
            }
        }
        await #expect(throws: Stop.self) {
            try await cluster.withDatabase { url in
                names.append(try PostgresConnection(ConnectionSettings(url: url)).database())
                throw Stop()
            }
        }
        #expect(Set(names).count == 3)
        let left = "SELECT 1 AS found FROM pg_database WHERE datname = ANY ($1)"
        while try watch.row(left, [names]) != nil { await Task.yield() }
    }

    @Test func `A statement that fails says why, and the next one is run`() async throws {
        let cluster = try await PostgresCluster.shared()
        for _ in 0..<3 {
            let failure = await #expect(throws: PostgresCluster.Failure.self) {
                try await cluster.execute("BEGIN; SELECT 1 / 0")
            }
            #expect(failure?.description.contains("division by zero") == true)
            // Refused in a transaction.
            try await cluster.execute("VACUUM pg_class")
        }
    }
}

extension PostgresConnection {
    /// The name of the database.
    fileprivate func database() throws -> String {
        try #require(try row("SELECT current_database()::TEXT AS name")).text("name")
    }
}
