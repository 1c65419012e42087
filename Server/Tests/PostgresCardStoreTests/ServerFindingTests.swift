import CardStore
import Foundation
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: what an operator is told of a server", .timeLimit(.minutes(20)))
struct ServerFindingTests {
    private func finding(_ subject: String, at url: String) async throws -> StoreFinding {
        let findings = await PostgresCardStore.diagnose(url: url, secretsKey: .keyring(SecretsKeyring()))
        return try #require(findings.first { $0.subject == subject })
    }

    /// Runs a test with a database that has the tables, and its name.
    private func withTables(_ body: (_ url: String, _ database: String) async throws -> Void) async throws {
        try await TemplateDatabase.withCopy { url in
            try await body(url, try #require(URL(string: url)).lastPathComponent)
        }
    }

    @Test("A database that may have few connections is told so, with the command that raises its limit")
    func limitOfDatabase() async throws {
        try await withTables { url, database in
            try await PostgresCluster.shared().execute("ALTER DATABASE \(database) CONNECTION LIMIT 3")
            let found = try await finding("connections", at: url)
            #expect(found.level == .bad && found.message.contains(" of 3 are free"), "\(found.message)")
            #expect(found.command?.contains("ALTER DATABASE \(database) CONNECTION LIMIT ") == true)
            try await PostgresCluster.shared().execute("ALTER DATABASE \(database) CONNECTION LIMIT -1")
            let later = try await finding("connections", at: url)
            #expect(!later.message.contains(" of 3 are free"), "\(later.message)")
        }
    }

    @Test("An index that PostgreSQL doesn't use is named, with the command that builds it again")
    func invalidIndex() async throws {
        try await withTables { url, database in
            let cluster = try await PostgresCluster.shared()
            let change = "UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = 'users_by_email'::regclass"
            try await cluster.execute(change, in: database)
            let found = try await finding("objects", at: url)
            #expect(found.level == .bad && found.message == "The index users_by_email can't be used.")
            #expect(found.command?.hasSuffix("--command \"REINDEX INDEX users_by_email\"") == true)
            try await cluster.execute("REINDEX INDEX users_by_email", in: database)
            let later = try await finding("objects", at: url)
            #expect(later.level == .good)
        }
    }

    @Test("Many events without a partition are a warning, as the server estimates them")
    func crowdedRest() async throws {
        try await withTables { url, database in
            let cluster = try await PostgresCluster.shared()
            let estimate = "UPDATE pg_class SET reltuples ="
            try await cluster.execute("\(estimate) 999999 WHERE relname = 'events_other'", in: database)
            let few = try await finding("partitions", at: url)
            #expect(few.level == .good, "\(few.message)")
            try await cluster.execute("\(estimate) 2000000 WHERE relname = 'events_other'", in: database)
            let found = try await finding("partitions", at: url)
            #expect(found.level == .warning && found.message.hasPrefix("About 2000000 events are in none"))
            #expect(found.command?.contains("FROM events_other") == true)
        }
    }

    @Test("A database in another encoding is told so, also where it is empty")
    func encoding() async throws {
        let cluster = try await PostgresCluster.shared()
        let name = "latin_\(UInt32.random(in: 0 ... .max))"
        try await cluster.execute(
            "CREATE DATABASE \(name) ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0"
        )
        let found = try await finding("encoding", at: cluster.url(of: name))
        #expect(found.level == .bad && found.message == "The database is in LATIN1.")
        #expect(found.command?.contains("--encoding UTF8") == true)
        try await cluster.execute("DROP DATABASE \(name) WITH (FORCE)")
    }

    @Test("What a statement has that a shell would read is escaped in a command")
    func commands() {
        #expect(StoreFinding.psql("SELECT 1") == #"psql "$PLACARD_DATABASE" --command "SELECT 1""#)
        let odd = StoreFinding.psql(#"SELECT "a`b$c\d""#)
        #expect(odd == #"psql "$PLACARD_DATABASE" --command "SELECT \"a\`b\$c\\d\"""#)
        let several = StoreFinding.psql(["SELECT 1", "SELECT 2"])
        #expect(several.hasSuffix(#" --command "SELECT 1" --command "SELECT 2""#))
        #expect(StoreFinding.psql([String]()) == #"psql "$PLACARD_DATABASE""#)
    }
}
