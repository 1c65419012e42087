import CardStore
import CardStoreConformance
import Foundation
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: a change of the tables by other means", .timeLimit(.minutes(20)))
struct ChangedTableTests {
    private func finding(_ subject: String, _ url: String) async throws -> StoreFinding {
        let findings = await PostgresCardStore.diagnose(url: url, secretsKey: .keyring(SecretsKeyring()))
        return try #require(findings.first { $0.subject == subject })
    }

    /// Runs the statements of a command as a shell would.
    private func run(_ command: String, in database: String) async throws {
        for part in command.components(separatedBy: " --command ").dropFirst() {
            var statement = String(part.dropFirst().dropLast())
            for character in ["\"", "$", "`", "\\"] {
                statement = statement.replacing("\\\(character)", with: character)
            }
            try await PostgresCluster.shared().execute(statement, in: database)
        }
    }

    @Test(
        "is found where it changes what is written, and undone by the command",
        arguments: [
            (
                """
                CREATE FUNCTION nothing() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
                CREATE TRIGGER "My `trigger` $(id)" BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION nothing()
                """, "trigger"
            ),
            ("ALTER TABLE spent_forms SET UNLOGGED", "logged"),
            ("DROP INDEX approvals_pending; CREATE INDEX approvals_pending ON approvals (id)", "unique"),
            ("ALTER TABLE events DETACH PARTITION events_other", "events_other"),
        ] as [(String, String)]
    )
    func changed(statement: String, words: String) async throws {
        try await TemplateDatabase.withCopy { url in
            let database = try #require(URL(string: url)).lastPathComponent
            try await PostgresCluster.shared().execute(statement, in: database)
            let found = try await finding("objects", url)
            #expect(found.level == .bad && found.message.contains(words), "\(found.message)")
            try await run(try #require(found.command), in: database)
            #expect(try await finding("objects", url).level == .good)
        }
    }

    @Test(
        "is nothing to find where it changes nothing of what the server reads and writes",
        arguments: [
            """
            CREATE FUNCTION nothing() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
            CREATE TRIGGER later AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION nothing()
            """,
            "ALTER TABLE users ENABLE ROW LEVEL SECURITY",
        ]
    )
    func harmless(statement: String) async throws {
        try await TemplateDatabase.withCopy { url in
            let database = try #require(URL(string: url)).lastPathComponent
            try await PostgresCluster.shared().execute(statement, in: database)
            #expect(try await finding("objects", url).level == .good)
        }
    }

    @Test("is found where row level security hides rows from the server itself")
    func hidden() async throws {
        try await TemplateDatabase.withCopy { url in
            let database = try #require(URL(string: url)).lastPathComponent
            let role = "owner_\(database)"
            try await PostgresCluster.shared().execute(
                """
                CREATE ROLE \(role) LOGIN;
                GRANT ALL ON ALL TABLES IN SCHEMA public TO \(role);
                ALTER TABLE users OWNER TO \(role);
                ALTER TABLE users ENABLE ROW LEVEL SECURITY
                """,
                in: database
            )
            let own = url.replacing("placard@", with: "\(role)@")
            #expect(try await finding("objects", own).level == .good)
            let force = "ALTER TABLE users FORCE ROW LEVEL SECURITY"
            try await PostgresCluster.shared().execute(force, in: database)
            let found = try await finding("objects", own)
            #expect(found.level == .bad && found.message.contains("Row level security"), "\(found.message)")
            try await run(try #require(found.command), in: database)
            #expect(try await finding("objects", own).level == .good)
            try await PostgresCluster.shared().execute("REASSIGN OWNED BY \(role) TO placard", in: database)
        }
    }

    @Test("shows in the count of users, which the command puts right")
    func counters() async throws {
        try await TemplateDatabase.withCopy { url in
            let database = try #require(URL(string: url)).lastPathComponent
            let store = try await PostgresCardStore.open(url: url)
            try await store.launch(.sample("first"))
            try await store.give("card-1", of: "first")
            #expect(try await finding("counters", url).message == "1 user")
            try await PostgresCluster.shared().execute("UPDATE user_counts SET users = users + 41", in: database)
            let found = try await finding("counters", url)
            #expect(found.level == .bad && found.message.contains("counts 42"), "\(found.message)")
            try await run(try #require(found.command), in: database)
            #expect(try await finding("counters", url).level == .good)
            #expect(try await store.userCount() == 1)
            try await store.close()
        }
    }
}
