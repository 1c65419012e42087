import CardModel
import CardStore
import PostgresTesting
import Synchronization
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: schema", .timeLimit(.minutes(20)))
struct MigratorTests {
    @Test("Nodes that open a new database at once make its tables once")
    func atOnce() async throws {
        try await PostgresCluster.shared().withDatabase { url in
            let stores = try await withThrowingTaskGroup(of: PostgresCardStore.self) { group in
                for _ in 0..<4 { group.addTask { try await PostgresCardStore.open(url: url) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(stores.filter { $0.migration == Schema.migrations.map(\.identifier) }.count == 1)
            #expect(stores.filter { $0.migration.isEmpty }.count == 3)
            #expect(Set(stores.map(\.epoch)).count == 1)
            for store in stores { try await store.close() }
        }
    }

    @Test("A database with another program's tables is refused and stays as it is")
    func foreignTables() async throws {
        try await withConnection { connection in
            try connection.simple("CREATE TABLE theirs (id BIGINT)")
            let migrator = Migrator(connection: connection, settings: ConnectionSettings(url: ""))
            let error = #expect(throws: StoreError.self) { try migrator.migrate(isAllowed: true) }
            #expect(error?.code == .incompatible)
            let row = try connection.row("SELECT to_regclass('users') IS NULL AS is_absent")
            #expect(try row?.flag("is_absent") == true)
        }
    }

    @Test("A database of a newer version is refused, and one of an older version where migrating isn't allowed")
    func otherVersions() async throws {
        try await withConnection { connection in
            var migrator = Migrator(connection: connection, settings: ConnectionSettings(url: ""))
            let refusal = #expect(throws: StoreError.self) { try migrator.migrate(isAllowed: false) }
            #expect(refusal?.code == .incompatible)

            #expect(try migrator.migrate(isAllowed: true) == Schema.migrations.map(\.identifier))
            #expect(try migrator.migrate(isAllowed: true).isEmpty)

            try connection.execute("INSERT INTO placard_migrations (identifier) VALUES ('9999-future')")
            let error = #expect(throws: StoreError.self) { try migrator.migrate(isAllowed: true) }
            #expect(error?.code == .incompatible)

            migrator.migrations.append(SchemaMigration(identifier: "9999-future", statements: []))
            #expect(try migrator.migrate(isAllowed: true).isEmpty)
        }
    }

    @Test("A database with later steps that lacks one between them gets it")
    func between() async throws {
        try await withConnection { connection in
            var migrator = Migrator(connection: connection, settings: ConnectionSettings(url: ""))
            let step = Migration0091.migration.identifier
            migrator.migrations.removeAll { $0.identifier == step }
            let done = try migrator.migrate(isAllowed: true)
            #expect(done.last == Schema.migrations.last?.identifier && !done.contains(step))
            migrator.migrations = Schema.migrations
            #expect(try migrator.migrate(isAllowed: true) == [step])
            #expect(try migrator.migrate(isAllowed: true).isEmpty)
            #expect(try connection.rows("SELECT id FROM saved_filters").isEmpty)
        }
    }

    @Test("Users of before are found without the accents of their names")
    func foldedNames() async throws {
        try await withConnection { connection in
            var migrator = Migrator(connection: connection, settings: ConnectionSettings(url: ""))
            migrator.migrations.removeAll { $0.identifier == Migration0108.migration.identifier }
            _ = try migrator.migrate(isAllowed: true)
            try connection.simple(
                """
                INSERT INTO users (id, version, device, created_at, sample_rank, folded)
                SELECT 'u-' || n, 1, 1, 0, n, 'u-' || n || chr(31) || 'andré groß' || chr(31)
                FROM generate_series(1, 1001) AS s (n);
                INSERT INTO users (id, version, device, created_at, sample_rank, folded)
                VALUES ('v-1', 1, 1, 0, 0, 'v-1' || chr(31) || 'anna lind' || chr(31)),
                    ('v-2', 1, 1, 0, 0, 'v-2' || chr(31) || 'か' || chr(32) || chr(12441) || chr(31)),
                    ('v-3', 1, 1, 0, 0, 'v-3' || chr(31) || 'か' || chr(12443) || chr(31))
                """
            )
            migrator.migrations = Schema.migrations
            #expect(try migrator.migrate(isAllowed: true) == [Migration0108.migration.identifier])
            let others = try connection.rows(
                "SELECT id FROM users WHERE folded NOT LIKE id || chr(31) || 'andre gross' || chr(31)"
            )
            #expect(try others.map { try $0.text("id") }.sorted() == ["v-1", "v-2", "v-3"])
            let joined = try connection.rows("SELECT id FROM users WHERE folded = id || chr(31) || 'が' || chr(31)")
            #expect(try joined.map { try $0.text("id") }.sorted() == ["v-2", "v-3"])
        }
    }

    @Test("Users of before are found by their addresses, which some of them claim")
    func addresses() async throws {
        try await withConnection { connection in
            var migrator = Migrator(connection: connection, settings: ConnectionSettings(url: ""))
            let step = Migration0174.migration.identifier
            migrator.migrations.removeAll { $0.identifier == step }
            _ = try migrator.migrate(isAllowed: true)
            try connection.simple(
                """
                INSERT INTO users
                    (id, version, device, created_at, sample_rank, standard, email, folded_email, phone, updated_at)
                VALUES ('v-1', 1, 1, 0, 0, '{"email":"Ann@b.c","phone":"1"}', 'Ann@b.c', 'ann@b.c', '1', 5),
                    ('v-2', 1, 1, 0, 0, '{"email":"ann@b.c","email_from_device":true}', 'ann@b.c', 'ann@b.c', NULL, 9),
                    ('v-3', 1, 1, 0, 0, '{"phone":"1","phone_from_device":true}', NULL, NULL, '1', 9)
                """
            )
            migrator.migrations = Schema.migrations
            #expect(try migrator.migrate(isAllowed: true) == [step])
            let found = try [UserReference.email("ANN@b.c", .usual), .phone("1", .usual)].map { reference in
                try UserLookup.matches(of: reference, on: connection)
            }
            #expect(found.map { $0.map(\.id.rawValue) } == [["v-2", "v-1"], ["v-3", "v-1"]])
            #expect(found.map { $0.map(\.isClaimed) } == [[true, false], [true, false]])
        }
    }

    @Test("Pictures of before get the text in which they are looked for")
    func foldedPictures() async throws {
        try await withConnection { connection in
            var migrator = Migrator(connection: connection, settings: ConnectionSettings(url: ""))
            migrator.migrations.removeAll { $0.identifier == Migration0113.migration.identifier }
            _ = try migrator.migrate(isAllowed: true)
            try connection.simple(
                """
                INSERT INTO media (id, name, alt, format, width, height, frames, widths, bytes, created_at, created_by)
                VALUES ('a', 'Été.png', 'Deux Chaises', 'png', 9, 9, 1, '9', 3, 1, 'anna@example.com')
                """
            )
            migrator.migrations = Schema.migrations
            #expect(try migrator.migrate(isAllowed: true) == [Migration0113.migration.identifier])
            let folded = try connection.rows("SELECT folded FROM media").map { try $0.text("folded") }
            #expect(folded == ["ete.png deux chaises"])
        }
    }

    /// The places that the parts of a step have begun at.
    private final class Places: Sendable {
        private let all = Mutex<[String?]>([])

        var seen: [String?] { all.withLock { $0 } }

        /// Adds a place, and returns how many there are.
        func add(_ place: String?) -> Int {
            all.withLock { all in
                all.append(place)
                return all.count
            }
        }
    }

    private struct Stopped: Error {}

    @Test("A step in parts keeps each, goes on where it was stopped, and tries again what was in the way")
    func parts() async throws {
        let places = Places()
        try await withConnection { connection in
            var migrator = Migrator(connection: connection, settings: ConnectionSettings(url: ""))
            _ = try migrator.migrate(isAllowed: true)
            let step = SchemaMigration(
                identifier: "9998-parts",
                statements: [],
                part: { _, place in
                    let count = places.add(place)
                    if count == 3 { throw Stopped() }
                    if count == 4 { throw PostgresError(state: "40P01") }
                    return count < 6 ? "\(count)" : nil
                }
            )
            let last = SchemaMigration(identifier: "9999-last", statements: ["CREATE TABLE after_parts (id BIGINT)"])
            migrator.migrations += [step, last]
            #expect(throws: Stopped.self) { try migrator.migrate(isAllowed: true) }
            #expect(places.seen == [nil, "1", "2"] && !connection.isInTransaction)
            #expect(try migrator.pendingSteps().map(\.identifier) == ["9998-parts", "9999-last"])
            #expect(try migrator.migrate(isAllowed: true) == ["9998-parts", "9999-last"])
            #expect(places.seen == [nil, "1", "2", "2", "2", "5"])
            let row = try connection.row("SELECT to_regclass('placard_migration_places') IS NULL AS is_absent")
            #expect(try row?.flag("is_absent") == true)
        }
    }

    @Test("A step that fails leaves nothing behind")
    func failure() async throws {
        try await withConnection { connection in
            var migrator = Migrator(connection: connection, settings: ConnectionSettings(url: ""))
            migrator.migrations.append(SchemaMigration(identifier: "0002-wrong", statements: ["SELECT nonsense"]))
            #expect(throws: (any Error).self) { try migrator.migrate(isAllowed: true) }
            let row = try connection.row("SELECT to_regclass('placard_migrations') IS NULL AS is_absent")
            #expect(try row?.flag("is_absent") == true)
            #expect(!connection.isInTransaction)
        }
    }

    @Test("Every column of text compares bytes")
    func collations() async throws {
        try await withStore { store in
            let others = try await store.read { connection in
                try connection.rows(
                    """
                    SELECT c.relname AS name FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
                    JOIN pg_collation AS l ON l.oid = a.attcollation
                    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0
                        AND l.collname <> 'C'
                    """
                ).map { try $0.text("name") }
            }
            #expect(others.isEmpty)
        }
    }
}
