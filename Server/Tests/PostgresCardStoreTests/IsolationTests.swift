import CardModel
import CardStore
import CardStoreConformance
import Foundation
import PostgresTesting
import Testing

@testable import PostgresCardStore

/// A role or a database can have stricter transactions by default.
///
/// What has waited for a lock would not see there what
/// others did in the meantime, and decide by what isn't so any more.
@Suite("PostgreSQL: a database with another isolation by default", .timeLimit(.minutes(20)))
struct IsolationTests {
    /// Runs a test with a database whose transactions are stricter by default.
    private func withStrictDatabase(_ body: (_ url: String) async throws -> Void) async throws {
        try await TemplateDatabase.withCopy { url in
            let database = try #require(URL(string: url)).lastPathComponent
            let setting = "ALTER DATABASE \(database) SET default_transaction_isolation = 'repeatable read'"
            try await PostgresCluster.shared().execute(setting)
            try await body(url)
        }
    }

    private func open(_ url: String) async throws -> PostgresCardStore {
        var options = PostgresCardStore.Options()
        // However busy the machine is.
        options.statementTimeout = .seconds(600)
        options.lockTimeout = .seconds(600)
        return try await PostgresCardStore.open(url: url, options: options)
    }

    @Test func `A group of writes sees what was done before it got its locks`() async throws {
        try await withStrictDatabase { url in
            let store = try await open(url)
            let level = try await store.writer.write { session in
                try session.connection.row("SELECT current_setting('transaction_isolation') AS level")?.text("level")
            }
            #expect(level == "read committed")
            try await store.close()
        }
    }

    @Test func `Of two administrators who are demoted on two nodes at once, one stays an administrator`() async throws {
        try await withStrictDatabase { url in
            let nodes = [try await open(url), try await open(url)]
            for email in ["ann@example.com", "ben@example.com"] {
                let member = TeamMember(email: email, role: .admin, passwordHash: "scrypt$1", createdAt: noon)
                try await nodes[0].insertMember(member, by: command)
            }
            var ben = try #require(try await nodes[1].member("ben@example.com"))
            ben.role = .viewer
            let demoted = ben
            let hold = HeldJob()
            async let holding: Void = nodes[0].writer.write { session in
                try MemberRow.lockAll(session.connection)
                hold.wait()
                try session.connection.execute(
                    "UPDATE members SET role = $1 WHERE email = 'ann@example.com'",
                    [Role.viewer.rawValue]
                )
            }
            while !hold.isHeld.load(ordering: .acquiring) { await Task.yield() }
            let second = Task {
                try await nodes[1].updateMember(demoted, action: "member.role", keeping: nil, at: noon, by: command)
            }
            let waits = """
                SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                """
            while try await nodes[1].read({ try $0.rows(waits).isEmpty }) { await Task.yield() }
            hold.end.signal()
            try await holding
            await expectFailure(StoreError.lastAdministrator.code) { try await second.value }
            #expect(try await nodes[0].members().filter { $0.role == .admin }.map(\.email) == ["ben@example.com"])
            for node in nodes { try await node.close() }
        }
    }
}
