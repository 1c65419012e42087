import CardModel
import CardStore
import PostgresCardStore
import PostgresTesting
import Testing

@Suite("PostgreSQL: whose history a database shows", .timeLimit(.minutes(5)))
struct HistoryTests {
    /// What an operator does with a database that no node has open, and whether devices have to load their feeds again.
    private static let deeds: [(name: String, script: String, isOther: Bool)] = [
        ("opened again", "", false),
        ("vacuumed", "sql app 'VACUUM FULL'", false),
        (
            "dumped and read into another database",
            """
            "$programs/pg_dump" $place -d app -f dump.sql
            sql postgres 'ALTER DATABASE app RENAME TO former'
            sql postgres 'CREATE DATABASE app'
            "$programs/psql" -X -q -v ON_ERROR_STOP=1 $place -d app -f dump.sql
            """, true
        ),
        (
            "dumped and read in its place",
            """
            "$programs/pg_dump" $place -d app -Fc -f dump
            "$programs/pg_restore" $place -d app --clean --exit-on-error dump
            """, true
        ),
        (
            "copied",
            """
            sql postgres 'ALTER DATABASE app RENAME TO former'
            sql postgres 'CREATE DATABASE app TEMPLATE former'
            """, true
        ),
        ("given another name", "sql app 'UPDATE store SET epoch = (random() * 9e15)::BIGINT'", true),
    ]

    @Test("A database that was filled from a backup has another epoch, and one that is only opened again keeps its own")
    func epochs() async throws {
        let server = try await PostgresServer.start()
        try await server.execute("CREATE DATABASE app")
        let url = "postgresql://placard@/app?host=\(server.folder)&port=\(server.port)"
        var former = try await epoch(url)
        for deed in Self.deeds {
            try await server.run(
                """
                place="-h $folder -p $port -U placard"
                sql() { "$programs/psql" -X -q -v ON_ERROR_STOP=1 $place -d "$1" -c "$2"; }
                sql postgres 'DROP DATABASE IF EXISTS former'
                \(deed.script)
                """
            )
            let epoch = try await epoch(url)
            #expect((epoch != former) == deed.isOther, "\(deed.name)")
            former = epoch
        }
    }

    /// The epoch of a store that is opened and closed, at once and after it has written something.
    private func epoch(_ url: String) async throws -> UInt64 {
        let store = try await PostgresCardStore.open(url: url)
        let first = store.epoch
        _ = await store.healthChecks()
        #expect(store.epoch == first)
        try await store.close()
        return first
    }
}
