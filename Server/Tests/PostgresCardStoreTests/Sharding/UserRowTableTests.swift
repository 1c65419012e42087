import CardStore
import SQLiteCardStore
import Testing

@testable import PostgresCardStore

/// A table that `UserRows` forgets is lost with each user who moves to another database.
@Suite("Sharded: the tables whose rows go with a user", .timeLimit(.minutes(20)))
struct UserRowTableTests {
    /// The tables about users whose rows don't go with them, with the reason.
    private static let exempt = [
        "alias_claims": "is used at the home alone",
        "departed_users": "goes with the range of places, as it is about users who are gone",
        "departures": "is about users who are merged into one of another database, and go by that",
        "erased_users": "goes with the range of places, as it is about users who are gone",
        "events": "is a log, and its readers would get what is moved a second time or never",
        "merged_logs": "says whose the events of the log beside it are",
        "test_codes": "is used at the home alone",
        "test_users": "is used at the home alone",
        "user_signals": "tells the nodes that listen to this database",
    ]
    private static let listed = Set(UserRows.tables.map(\.0))

    @Test func `Every table of PostgreSQL with a column for a user is listed, or says why not`() async throws {
        try await withStore { store in
            let found = try await store.read { connection in
                try connection.rows(
                    """
                    SELECT DISTINCT c.relname::TEXT AS name
                    FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0
                    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
                        AND NOT c.relispartition AND NOT a.attisdropped
                        AND (
                            c.relname = 'users' OR a.attname IN ('user_id', 'sample_rank')
                            OR EXISTS (
                                SELECT 1 FROM pg_constraint AS f
                                WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid = 'users'::regclass
                            )
                        )
                    """
                ).map { try $0.text("name") }
            }
            #expect(Set(found).subtracting(Self.listed).subtracting(Self.exempt.keys).sorted() == [])
            // What is no longer there needs no line, and no reason.
            #expect(Self.listed.union(Self.exempt.keys).subtracting(found).sorted() == [])
            #expect(Self.listed.intersection(Self.exempt.keys).sorted() == [])
        }
    }

    @Test func `Every listed column names the user in its table`() async throws {
        try await withStore { store in
            let columns = try await store.read { try UserRows.columns(on: $0) }
            for (table, column) in UserRows.tables {
                #expect(columns[table, default: []].contains { $0.name == column }, "\(table).\(column)")
            }
        }
    }

    @Test func `Every table of SQLite with a column for a user is known to PostgreSQL as one`() throws {
        let folder = TemporaryFolder()
        let tables = try SQLiteTransfer.target(path: folder.path("empty.sqlite")).tables()
        let found = tables.filter { $0.columns.contains { ["user_id", "sample_rank"].contains($0.name) } }.map(\.name)
        #expect(found.contains("deliveries") && found.contains("users"))
        #expect(Set(found).subtracting(Self.listed).subtracting(Self.exempt.keys).sorted() == [])
    }
}
