import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import PostgresTesting
import Testing

@Suite("PostgreSQL: whose history a database shows", .timeLimit(.minutes(20)))
struct HistoryTests {
    /// What an operator does with a database that no node has open, and whether events are lost, or may be.
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
    ]

    @Test("A database that was filled from a backup has another epoch, and goes on past all positions")
    func epochs() async throws {
        let server = try await PostgresServer.start()
        try await server.execute("CREATE DATABASE app")
        let url = "postgresql://placard@/app?host=\(server.folder)&port=\(server.port)"
        var former = try await visit(url, 0)
        for (number, deed) in Self.deeds.enumerated() {
            try await server.run(
                """
                place="-h $folder -p $port -U placard"
                sql() { "$programs/psql" -X -q -v ON_ERROR_STOP=1 $place -d "$1" -c "$2"; }
                sql postgres 'DROP DATABASE IF EXISTS former'
                \(deed.script)
                """
            )
            // safe: a few
            let now = try await visit(url, UInt64(number) + 1)
            #expect((now.epoch != former.epoch) == deed.isOther, "\(deed.name)")
            // Whoever remembers the largest position misses no event, also one that is recorded after a backup was
            // read.
            #expect(now.position > former.position, "\(deed.name)")
            #expect((now.position - former.position > 1_000) == deed.isOther, "\(deed.name)")
            former = now
        }
    }

    /// Opens a store, records an event and closes it; returns its epoch and the event's position.
    private func visit(_ url: String, _ number: UInt64) async throws -> (epoch: UInt64, position: Int64) {
        let store = try await PostgresCardStore.open(url: url)
        let first = store.epoch
        try await store.record([DeviceEvent(number, .custom(name: "visit"))])
        #expect(store.epoch == first)
        let position = try await store.eventPage(after: 0, EventFilter(), limit: 1_000).events.last?.position
        try await store.close()
        return (first, try #require(position))
    }
}
