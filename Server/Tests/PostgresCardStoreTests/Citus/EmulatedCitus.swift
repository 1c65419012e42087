import CardStore
import CardStoreConformance
import Foundation
import PostgresTesting
import Synchronization

@testable import PostgresCardStore

/// A server of PostgreSQL on which the functions of Citus divide tables into partitions by a hash of the same key.
///
/// So its planner finds out which statements concern the rows of one user only, and refuses indexes that are unique
/// over several. It logs the plan of each statement.
final class EmulatedCitus: Sendable {
    /// The number of partitions of a table.
    static let partitions = 8
    private static let template = "distributed"

    private let server: PostgresServer
    private let count = Atomic<Int>(0)

    private init(_ server: PostgresServer) { self.server = server }

    /// Starts a server, and divides the tables of a database as a script says.
    static func start(applying script: String) async throws -> EmulatedCitus {
        let server = try await PostgresServer.start(settings: [
            "shared_preload_libraries = 'auto_explain'", "auto_explain.log_min_duration = 0",
            "plan_cache_mode = force_custom_plan", "log_line_prefix = ''", "max_connections = 200",
        ])
        let citus = EmulatedCitus(server)
        try await server.execute("CREATE DATABASE \(template)")
        let store = try await PostgresCardStore.open(url: citus.url(of: template))
        try await store.close()
        try await server.execute(functions, in: template)
        try await server.execute(script, in: template)
        return citus
    }

    /// Runs a statement with the tables as they are divided.
    func run(_ sql: String) async throws { try await server.execute(sql, in: Self.template) }

    /// The log so far.
    func log() throws -> String { try String(contentsOfFile: server.folder + "/server.log", encoding: .utf8) }

    private func url(of database: String) -> String {
        "postgresql://placard@/\(database)?host=\(server.folder)&port=\(server.port)"
    }

    private static let functions = """
        CREATE TABLE placements (name TEXT, key TEXT);
        CREATE FUNCTION create_reference_table(name REGCLASS) RETURNS VOID LANGUAGE plpgsql AS $body$
        BEGIN
            IF EXISTS (
                SELECT 1 FROM pg_constraint AS f JOIN placements AS p ON p.name = f.confrelid::regclass::TEXT
                WHERE f.contype = 'f' AND f.conrelid = create_reference_table.name
            ) THEN RAISE EXCEPTION 'a reference table can''t refer to a distributed one'; END IF;
        END $body$;
        CREATE FUNCTION create_distributed_table(name REGCLASS, key TEXT, colocate_with TEXT DEFAULT 'users')
        RETURNS VOID LANGUAGE plpgsql AS $body$
        DECLARE
            own TEXT := name::TEXT;
            foreign_key RECORD;
        BEGIN
            CREATE TEMPORARY TABLE foreign_keys ON COMMIT DROP AS
                SELECT f.conrelid::regclass::TEXT AS referring, f.conname, pg_get_constraintdef(f.oid) AS definition,
                    (SELECT array_agg(a.attname::TEXT) FROM pg_attribute AS a
                        WHERE a.attrelid = f.conrelid AND a.attnum = ANY (f.conkey)) AS columns
                FROM pg_constraint AS f
                WHERE f.contype = 'f' AND f.conparentid = 0 AND name IN (f.conrelid, f.confrelid);
            FOR foreign_key IN SELECT * FROM foreign_keys LOOP
                IF foreign_key.referring = own AND foreign_key.columns <> ARRAY[key] THEN
                    RAISE EXCEPTION 'the foreign key % isn''t of the distribution key', foreign_key.conname;
                END IF;
                EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', foreign_key.referring, foreign_key.conname);
            END LOOP;
            EXECUTE format('ALTER TABLE %I RENAME TO %I', own, own || '_whole');
            EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) PARTITION BY HASH (%I)', own, own || '_whole', key);
            EXECUTE format('DROP TABLE %I CASCADE', own || '_whole');
            FOR place IN 0..\(partitions - 1) LOOP
                EXECUTE format(
                    'CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS \(partitions), REMAINDER %s)',
                    own || '__' || place, own, place
                );
            END LOOP;
            FOR foreign_key IN SELECT * FROM foreign_keys LOOP
                EXECUTE format(
                    'ALTER TABLE %I ADD CONSTRAINT %I %s', foreign_key.referring, foreign_key.conname,
                    foreign_key.definition
                );
            END LOOP;
            DROP TABLE foreign_keys;
            INSERT INTO placements VALUES (own, key);
        END $body$
        """
}

extension EmulatedCitus: StoreFactory {
    func withPlace(_ body: (any ConformancePlace) async throws -> Void) async throws {
        let name = "place_\(count.add(1, ordering: .relaxed).newValue)"
        try await server.execute("CREATE DATABASE \(name) TEMPLATE \(Self.template)")
        do {
            try await body(PostgresPlace(url: url(of: name)))
        } catch {
            try? await server.execute("DROP DATABASE \(name) WITH (FORCE)")
            throw error
        }
        try await server.execute("DROP DATABASE \(name) WITH (FORCE)")
    }
}

/// A statement, and the partitions that its plan reads or changes.
struct LoggedPlan {
    /// The statement.
    let statement: String
    /// The partitions, by table.
    let partitions: [Substring: Set<Substring>]

    /// Whether the statement may need rows of several servers.
    var isSpread: Bool { partitions.values.contains { $0.count > 1 } }

    /// Reads the plans in a server's log.
    static func all(in log: String) -> [LoggedPlan] {
        // A line that belongs to the one before it begins with a tab.
        var entries: [[Substring]] = []
        for line in log.split(separator: "\n") {
            if line.hasPrefix("\t"), !entries.isEmpty {
                entries[entries.count - 1].append(line.dropFirst())
            } else {
                entries.append([line])
            }
        }
        return entries.compactMap(LoggedPlan.init)
    }

    private init?(_ lines: [Substring]) {
        guard lines.count > 1, lines[0].contains("plan:"), lines[1].hasPrefix("Query Text: ") else { return nil }
        let end = lines.firstIndex { $0.contains("  (cost=") } ?? lines.endIndex
        statement = lines[1..<end].joined(separator: "\n").dropFirst("Query Text: ".count).description
        let pattern = /([a-z_]+)__([0-9]+)\b/
        // Of a log of megabytes, few lines name a partition.
        partitions = lines[end...].lazy.filter { $0.contains("__") }.reduce(into: [:]) { partitions, line in
            for match in line.matches(of: pattern) { partitions[match.1, default: []].insert(match.2) }
        }
    }
}
