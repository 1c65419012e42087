import CardStore
import PostgresTesting
import Synchronization
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: migrations that are interrupted, wait or are refused", .timeLimit(.minutes(20)))
struct InterruptedMigrationTests {
    private static let all = Schema.migrations.map(\.identifier)

    /// Runs a test with an empty database, of which it can make more connections.
    private func withDatabase(
        _ body: @Sendable @escaping (PostgresConnection, ConnectionSettings) throws -> Void
    ) async throws {
        try await PostgresCluster.shared().withDatabase { url in
            let settings = ConnectionSettings(url: url)
            let pool = ConnectionPool(ConnectionSource(settings) { _ in }, settings, size: 1)
            try await pool.read { try body($0, settings) }
            pool.close()
        }
    }

    private func isThere(_ table: String, on connection: PostgresConnection) throws -> Bool {
        try connection.row("SELECT to_regclass($1) IS NOT NULL AS is_there", [table])?.flag("is_there") ?? false
    }

    @Test("A node waits for another that migrates as long as it may, and changes nothing in the meantime")
    func otherNode() async throws {
        try await withDatabase { connection, settings in
            let other = try PostgresConnection(settings)
            try other.simple("BEGIN")
            _ = try other.row("SELECT pg_advisory_xact_lock(\(0x504C_4344)) IS NULL AS is_locked")
            var migrator = Migrator(connection: connection, settings: settings)
            migrator.patience = .zero
            let error = #expect(throws: StoreError.self) { try migrator.migrate(isAllowed: true) }
            #expect(error?.code == .unavailable)
            #expect(error?.message.hasPrefix("Another node is migrating the database.") == true)
            #expect(!connection.isInTransaction)
            #expect(try !isThere("placard_migrations", on: connection))
            try other.simple("ROLLBACK")
            let done = try migrator.migrate(isAllowed: true)
            #expect(done == Self.all)
        }
    }

    @Test("Where the connection ends in the middle, nothing is left, and the next node does all of it")
    func lostConnection() async throws {
        try await withDatabase { connection, settings in
            let ending = try PostgresConnection(settings)
            var migrator = Migrator(connection: ending, settings: settings)
            migrator.migrations.append(
                SchemaMigration(
                    identifier: "9999-half",
                    statements: ["CREATE TABLE half (n BIGINT)"],
                    fill: { _ = try $0.rows("SELECT pg_terminate_backend(pg_backend_pid()) AS is_ended") }
                )
            )
            let failure = #expect(throws: PostgresError.self) { try migrator.migrate(isAllowed: true) }
            #expect(failure?.endsConnection == true)
            #expect(try !isThere("placard_migrations", on: connection))
            #expect(try !isThere("users", on: connection))
            var next = Migrator(connection: connection, settings: settings)
            next.migrations.append(
                SchemaMigration(identifier: "9999-half", statements: ["CREATE TABLE half (n BIGINT)"])
            )
            let done = try next.migrate(isAllowed: true)
            #expect(done == Self.all + ["9999-half"])
            #expect(try isThere("half", on: connection))
        }
    }

    @Test("A step that met a node that writes is done once, with all before it, as long as there is time")
    func victim() async throws {
        let attempts = Atomic<Int>(0)
        let fill: @Sendable (PostgresConnection) throws -> Void = { _ in
            if attempts.add(1, ordering: .relaxed).newValue < 3 { throw PostgresError(state: "40P01") }
        }
        try await withDatabase { connection, settings in
            let step = SchemaMigration(
                identifier: "9999-met",
                statements: ["CREATE TABLE met (n BIGINT)", "INSERT INTO met VALUES (1)"],
                fill: fill
            )
            var impatient = Migrator(connection: connection, settings: settings)
            impatient.patience = .zero
            impatient.migrations.append(step)
            let failure = #expect(throws: PostgresError.self) { try impatient.migrate(isAllowed: true) }
            #expect(failure?.state == "40P01")
            #expect(!connection.isInTransaction)
            #expect(try !isThere("met", on: connection))
            var migrator = Migrator(connection: connection, settings: settings)
            migrator.migrations.append(step)
            let done = try migrator.migrate(isAllowed: true)
            #expect(done == Self.all + ["9999-met"])
            #expect(try connection.row("SELECT count(*) AS count FROM met")?.integer("count") == 1)
            let rows = try connection.row("SELECT count(*) AS count FROM placard_migrations")
            #expect(try rows?.integer("count") == Int64(Self.all.count + 1))
        }
        #expect(attempts.load(ordering: .relaxed) == 3)
    }

    @Test("A table that a program uses for long is tried again and again, in short attempts, and said to be in its way")
    func usedTable() async throws {
        let step = SchemaMigration(
            identifier: "9999-wider",
            statements: ["ALTER TABLE users ADD COLUMN wider BIGINT"],
            fill: { connection in
                let row = try connection.row("SELECT current_setting('lock_timeout') AS time")
                #expect(try row?.text("time") == "1s")
            }
        )
        let messages = Mutex<[String]>([])
        try await withDatabase { connection, settings in
            var migrator = Migrator(connection: connection, settings: settings)
            _ = try migrator.migrate(isAllowed: true)
            var other = settings
            other.applicationName = "nightly dump"
            let reader = try PostgresConnection(other)
            try reader.simple("BEGIN; LOCK TABLE users IN ACCESS SHARE MODE")
            migrator.migrations.append(step)
            (migrator.tablePatience, migrator.tablePause) = (.zero, 0...0)
            let error = #expect(throws: StoreError.self) { try migrator.migrate(isAllowed: true) }
            #expect(error?.code == .unavailable && !connection.isInTransaction)
            let text = "A migration waits for a table that nightly dump (process "
            #expect(error?.message.hasPrefix(text) == true, "\(error?.message ?? "")")
            migrator.tablePatience = .seconds(600)
            migrator.onWait = { message in
                messages.withLock { $0.append(message) }
                try? reader.simple("ROLLBACK")
            }
            let done = try migrator.migrate(isAllowed: true)
            #expect(done == ["9999-wider"])
        }
        let told = messages.withLock { $0 }
        #expect(told.count == 1 && told.first?.hasPrefix("A migration waits for a table that nightly dump ") == true)
    }

    @Test("Another step changes neither the name of the history nor the key of pseudonyms")
    func ownRow() async throws {
        try await withDatabase { connection, settings in
            var migrator = Migrator(connection: connection, settings: settings)
            _ = try migrator.migrate(isAllowed: true)
            func own() throws -> ([UInt8], Int64) {
                let row = try #require(try connection.row("SELECT epoch, user_hash_key FROM store"))
                return (try row.bytes("user_hash_key"), try row.integer("epoch"))
            }
            let before = try own()
            #expect(before.0.count == 32 && before.1 >= 0)
            migrator.migrations.append(SchemaMigration(identifier: "9999-more", statements: []))
            let done = try migrator.migrate(isAllowed: true)
            #expect(done == ["9999-more"])
            let after = try own()
            #expect(after.0 == before.0 && after.1 == before.1)
        }
    }

    @Test("A refusal to migrate says how many steps are missing, and which is the first", arguments: 1...3)
    func older(missing: Int) async throws {
        try await withDatabase { connection, settings in
            let migrator = Migrator(connection: connection, settings: settings)
            _ = try migrator.migrate(isAllowed: true)
            let last = Array(Self.all.suffix(missing))
            try connection.execute("DELETE FROM placard_migrations WHERE identifier = ANY ($1)", [last])
            let error = #expect(throws: StoreError.self) { try migrator.migrate(isAllowed: false) }
            #expect(error?.code == .incompatible)
            let words = missing == 1 ? "1 migration is" : "\(missing) migrations are"
            let text = "The database is of an older version: \(words) missing, from \(last[0]) on."
            #expect(error?.message.hasPrefix(text) == true)
            #expect(try migrator.pendingSteps().map(\.identifier) == last)
        }
    }

    @Test("A copy that isn't finished is refused by whoever opens it, whether they migrate or not")
    func unfinishedCopy() async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try PostgresConnection(ConnectionSettings(url: url))
            try connection.execute(
                "INSERT INTO placard_migrations (identifier) VALUES ($1)",
                [UnfinishedCopy.mark]
            )
            for migrates in [true, false] {
                var options = PostgresCardStore.Options()
                options.migrates = migrates
                let fixed = options
                let error = await #expect(throws: StoreError.self) {
                    _ = try await PostgresCardStore.open(url: url, options: fixed)
                }
                #expect(error == UnfinishedCopy.refusal)
            }
        }
    }

    @Test("A database of a newer version is opened by nobody, and stays as it is")
    func newer() async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try PostgresConnection(ConnectionSettings(url: url))
            let step = try #require(Self.all.last)
            try connection.execute("DELETE FROM placard_migrations WHERE identifier = $1", [step])
            try connection.execute("INSERT INTO placard_migrations (identifier) VALUES ('9999-newer')")
            let error = await #expect(throws: StoreError.self) { _ = try await PostgresCardStore.open(url: url) }
            #expect(error == StoreError.newerVersion)
            // Not even the step that is missing was done.
            let row = try connection.row(
                "SELECT count(*) AS count FROM placard_migrations WHERE identifier = $1",
                [step]
            )
            #expect(try row?.integer("count") == 0)
        }
    }

    @Test("A database that isn't in UTF-8 is refused before anything is written")
    func encoding() async throws {
        let cluster = try await PostgresCluster.shared()
        let name = "ascii_\(UInt32.random(in: 0 ... .max))"
        try await cluster.execute("CREATE DATABASE \(name) ENCODING 'SQL_ASCII' TEMPLATE template0")
        let url = cluster.url(of: name)
        let error = await #expect(throws: StoreError.self) { _ = try await PostgresCardStore.open(url: url) }
        #expect(error?.code == .incompatible)
        #expect(error?.message.contains("ENCODING 'UTF8'") == true)
        do {
            let connection = try PostgresConnection(ConnectionSettings(url: url))
            #expect(try !isThere("placard_migrations", on: connection))
        }
        try await cluster.execute("DROP DATABASE \(name) WITH (FORCE)")
    }
}
