import CardModel
import CardStore
import CardStoreConformance
import Foundation
import PostgresTesting
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: what an operator is told", .timeLimit(.minutes(20)))
struct ServerDiagnosisTests {
    private static let key = SecretsKeySource.keyring(SecretsKeyring([.random()]))

    private func diagnose(_ url: String) async -> [String: StoreFinding] {
        let findings = await PostgresCardStore.diagnose(url: url, secretsKey: Self.key)
        return Dictionary(findings.map { ($0.subject, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Runs a test with a database that has the tables.
    private func withTables(_ body: (_ url: String, _ name: String) async throws -> Void) async throws {
        try await TemplateDatabase.withCopy { url in
            let name = try #require(URL(string: url)).lastPathComponent
            try await body(url, name)
        }
    }

    @Test("A database is in use while a server has it open")
    func inUse() async throws {
        try await withTables { url, _ in
            #expect(await !PostgresCardStore.isInUse(url: url))
            var options = PostgresCardStore.Options()
            options.secretsKey = Self.key
            let store = try await PostgresCardStore.open(url: url, options: options)
            #expect(await PostgresCardStore.isInUse(url: url))
            try await store.close()
        }
    }

    @Test("Of a database as it should be nothing is bad but the settings of the tests' server")
    func healthy() async throws {
        try await withTables { url, _ in
            let findings = await diagnose(url)
            #expect(findings.values.filter { $0.level == .bad }.map(\.subject) == ["durability"])
            #expect(findings["durability"]?.message.contains("fsync") == true)
            #expect(findings["tls"]?.level == .good)
            #expect(findings["objects"]?.level == .good)
            #expect(findings["slots"]?.message == "64 of 64 are free")
            // The tests' user is a superuser, and there is no standby.
            #expect(findings.values.filter { $0.level == .warning }.map(\.subject).sorted() == ["rights", "standby"])
            for finding in findings.values where finding.level != .good { #expect(finding.command != nil) }
        }
    }

    @Test(
        "What is missing from the schema is named",
        arguments: [
            ("DROP INDEX users_by_email", "the index users_by_email"),
            ("ALTER TABLE histories DROP CONSTRAINT histories_pkey", "the primary key of histories"),
            ("ALTER TABLE deliveries DROP CONSTRAINT deliveries_user_id_fkey", "a foreign key of deliveries"),
            ("ALTER TABLE members DROP CONSTRAINT members_link_hash_key", "a unique constraint of members"),
            ("DROP TABLE spent_forms", "the table spent_forms"),
        ]
    )
    func missingObjects(statement: String, name: String) async throws {
        try await withTables { url, database in
            try await PostgresCluster.shared().execute(statement, in: database)
            let finding = await diagnose(url)["objects"]
            #expect(finding?.level == .bad)
            #expect(finding?.message.hasPrefix(name) == true)
            #expect(finding?.command?.hasPrefix(name.hasPrefix("the index") ? "psql" : "pg_restore --clean") == true)
        }
    }

    @Test("The command for missing indexes creates them, also those of a table in parts")
    func missingIndexes() async throws {
        try await withTables { url, database in
            let cluster = try await PostgresCluster.shared()
            let names = ["users_by_email", "approvals_pending", "events_by_position"]
            try await cluster.execute("DROP INDEX \(names.joined(separator: ", "))", in: database)
            let finding = try #require(await diagnose(url)["objects"])
            #expect(names.sorted().allSatisfy { finding.message.contains("the index \($0)") })
            let command = try #require(finding.command)
            #expect(
                command.hasPrefix(
                    "psql \"$PLACARD_DATABASE\" --command \"CREATE UNIQUE INDEX CONCURRENTLY approvals_pending"
                )
            )
            // What a shell would make of it.
            for part in command.components(separatedBy: " --command ").dropFirst() {
                try await cluster.execute(String(part.dropFirst().dropLast()), in: database)
            }
            #expect(await diagnose(url)["objects"]?.level == .good)
        }
    }

    @Test("A plan of a migration names the steps that are pending, and an empty database is called empty")
    func plan() async throws {
        try await PostgresCluster.shared().withDatabase { url in
            let plan = try await PostgresCardStore.migrationPlan(url: url)
            #expect(plan.steps == Schema.migrations.map(\.identifier) && plan.databaseBytes > 0)
            #expect(await diagnose(url)["schema"]?.message.hasPrefix("The database is empty") == true)
            var options = PostgresCardStore.Options()
            options.migrates = false
            let kept = options
            let error = await #expect(throws: StoreError.self) {
                _ = try await PostgresCardStore.open(url: url, options: kept)
            }
            #expect(error?.message.hasPrefix("The database is empty") == true)
        }
        try await withTables { url, database in
            #expect(try await PostgresCardStore.migrationPlan(url: url).steps.isEmpty)
            let step = try #require(Schema.migrations.last?.identifier)
            let undo = "DELETE FROM placard_migrations WHERE identifier = '\(step)'"
            try await PostgresCluster.shared().execute(undo, in: database)
            #expect(try await PostgresCardStore.migrationPlan(url: url).steps == [step])
            #expect(await diagnose(url)["schema"]?.message.hasPrefix("1 migration is missing") == true)
        }
    }

    @Test("Pending migrations, newer versions, unfinished copies and absent servers are told apart")
    func schema() async throws {
        try await PostgresCluster.shared().withDatabase { url in
            #expect(await diagnose(url)["schema"]?.command == "placard migrate")
        }
        try await withTables { url, database in
            let insert = "INSERT INTO placard_migrations (identifier) VALUES"
            try await PostgresCluster.shared().execute("\(insert) ('9999-later')", in: database)
            #expect(await diagnose(url)["schema"]?.command == "placard --version")
            try await PostgresCluster.shared().execute("\(insert) ('\(UnfinishedCopy.mark)')", in: database)
            #expect(await diagnose(url)["schema"]?.command?.hasPrefix("placard copy") == true)
        }
        let absent = await diagnose("postgresql://someone:secret@/x?host=/nonexistent")
        #expect(absent.keys.sorted() == ["database"])
        #expect(absent["database"]?.level == .bad)
        #expect(absent["database"]?.message.contains("secret") == false)
    }

    @Test("Rows that nodes need, prepared transactions and another key are found")
    func contents() async throws {
        try await withTables { url, database in
            var options = PostgresCardStore.Options()
            let other = SecretsKeySource.keyring(SecretsKeyring([.random()]))
            options.secretsKey = other
            let store = try await PostgresCardStore.open(url: url, options: options)
            try await store.close()
            let own = await PostgresCardStore.diagnose(url: url, secretsKey: other)
            #expect(own.first { $0.subject == "secrets" }?.level == .good)
            #expect(await diagnose(url)["secrets"]?.level == .bad)
            try await PostgresCluster.shared().execute("DELETE FROM signals WHERE slot > 60", in: database)
            #expect(await diagnose(url)["slots"]?.level == .bad)
            let lease = "UPDATE signals SET owner = 1, leased_until = extract(epoch FROM clock_timestamp()) + 60"
            let fill = "INSERT INTO signals (slot) SELECT * FROM generate_series(61, 63); \(lease)"
            try await PostgresCluster.shared().execute(fill, in: database)
            #expect(await diagnose(url)["slots"]?.level == .warning)
        }
    }

    @Test("Campaigns and segments that can't be read are named, beyond the first page of them")
    func unreadable() async throws {
        try await withTables { url, database in
            #expect(await diagnose(url)["contents"]?.level == .good)
            let insert = """
                INSERT INTO segments (id, content, archived, version, created_at, updated_at)
                SELECT 's' || n, '{}', false, 1, 0, 0 FROM generate_series(1, 120) AS n;
                INSERT INTO campaigns (id, name, folded_name, content, status, withdrawn, has_segments, has_conversions,
                    version, generation, created_at, updated_at)
                VALUES ('sale', '', '', '{}', 'draft', false, false, false, 1, 0, 0, 0)
                """
            try await PostgresCluster.shared().execute(insert, in: database)
            let finding = await diagnose(url)["contents"]
            #expect(finding?.level == .bad)
            #expect(finding?.message.contains("the campaign “sale”, the segment “s1”") == true)
            #expect(finding?.message.contains("and 116 more") == true)
        }
    }

    @Test("Events that were deleted by other means, and rows that can't be right, are named")
    func missingEvents() async throws {
        try await withTables { url, database in
            var options = PostgresCardStore.Options()
            options.secretsKey = Self.key
            let store = try await PostgresCardStore.open(url: url, options: options)
            try await store.launch(.sample())
            try await store.give("card-1")
            try await store.record((1...400).map { DeviceEvent.impression(UInt64($0)) })
            try await store.close()
            func finding(_ subject: String) async -> StoreFinding? {
                await PostgresCardStore.diagnose(url: url, secretsKey: Self.key, isFull: true, at: noon + 60)
                    .first { $0.subject == subject }
            }
            #expect(await finding("events")?.level == .good)
            #expect(await finding("rows")?.level == .good)
            let cluster = try await PostgresCluster.shared()
            let half = "DELETE FROM events WHERE position > (SELECT min(position) + 199 FROM events)"
            try await cluster.execute(half, in: database)
            let events = await finding("events")
            #expect(events?.level == .warning && events?.command?.hasPrefix("pg_restore") == true)
            for sql in [
                "UPDATE events SET type = 'zzz' WHERE position = (SELECT min(position) FROM events)",
                "UPDATE users SET version = -3",
                "UPDATE users SET sample_rank = sample_rank + 1",
            ] {
                try await cluster.execute(sql, in: database)
                let rows = try #require(await finding("rows"))
                #expect(rows.level == .bad, "\(sql)")
                let command = try #require(rows.command)
                for part in command.components(separatedBy: " --command ").dropFirst() {
                    try await cluster.execute(String(part.dropFirst().dropLast()), in: database)
                }
                #expect(await finding("rows")?.level == .good, "\(sql)")
            }
        }
    }

    @Test("A user without rights to the tables is told which")
    func rights() async throws {
        try await withTables { url, database in
            let cluster = try await PostgresCluster.shared()
            let role = "reader_\(database)"
            let grant = "GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(role)"
            try await cluster.execute("CREATE ROLE \(role) LOGIN; \(grant)", in: database)
            let findings = await diagnose(url.replacing("placard@", with: "\(role)@"))
            #expect(findings["rights"]?.level == .bad)
            #expect(findings["rights"]?.message.contains("aliases") == true)
            #expect(findings["schema"]?.level == .good)
            try await cluster.execute("DROP OWNED BY \(role); DROP ROLE \(role)", in: database)
        }
    }

    @Test("The command for a user without rights names them as they are called, whatever that is")
    func oddRole() async throws {
        try await withTables { url, database in
            let cluster = try await PostgresCluster.shared()
            let role = #""odd-\#(database) $HOME""#
            try await cluster.execute("CREATE ROLE \(role) LOGIN", in: database)
            let own = url.replacing("placard@", with: "odd-\(database)%20%24HOME@")
            let found = try #require(await diagnose(own)["rights"])
            #expect(found.level == .bad)
            let command = try #require(found.command)
            let quoted = try #require(command.components(separatedBy: " --command ").last)
            // What a shell would make of it.
            #expect(!quoted.replacing("\\$", with: "").contains("$"))
            let statement = String(quoted.dropFirst().dropLast()).replacing("\\$", with: "$")
            try await cluster.execute(statement.replacing("\\\"", with: "\""), in: database)
            #expect(await diagnose(own)["rights"]?.message.contains("can't use the tables") == false)
            try await cluster.execute("DROP OWNED BY \(role); DROP ROLE \(role)", in: database)
        }
    }
}
