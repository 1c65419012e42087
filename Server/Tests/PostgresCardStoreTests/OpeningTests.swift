import CardModel
import CardStore
import CardStoreConformance
import Foundation
import PostgresTesting
import Testing

@testable import PostgresCardStore

/// Looks beside all stores at the connections that databases have.
struct ConnectionWatch {
    private let connection: PostgresConnection

    init() async throws {
        let url = try await PostgresCluster.shared().url(of: "postgres")
        connection = try PostgresConnection(ConnectionSettings(url: url))
    }

    /// The number of connections to some databases.
    func count(at urls: [String]) throws -> Int64 {
        let names = try urls.map { try #require(URL(string: $0)).lastPathComponent }
        let row = try connection.row(
            """
            SELECT count(*) AS count FROM pg_stat_activity
            WHERE datname = ANY ($1) AND backend_type = 'client backend'
            """,
            [names]
        )
        return try #require(row).integer("count")
    }

    /// Waits until databases have no more than so many connections: a server's process ends after its client has gone.
    func wait(for number: Int64 = 0, at urls: [String]) async throws {
        while try count(at: urls) > number { await Task.yield() }
    }
}

@Suite("PostgreSQL: opening and closing a store", .timeLimit(.minutes(20)))
struct OpeningTests {
    @Test func `A store that has done nothing has one connection, and none once it is closed`() async throws {
        try await TemplateDatabase.withCopy { url in
            let watch = try await ConnectionWatch()
            let store = try await PostgresCardStore.open(url: url)
            try await watch.wait(for: 1, at: [url])
            #expect(try watch.count(at: [url]) == 1)
            #expect(store.migration.isEmpty)
            try await store.close()
            try await watch.wait(at: [url])
        }
    }

    @Test func `The connection that found a database up to date is the one that listens`() async throws {
        try await TemplateDatabase.withCopy { url in
            let watch = try await ConnectionWatch()
            let connection = try #require(try Self.prepare(url).connection)
            let source = ConnectionSource(ConnectionSettings(url: url)) { _ in }
            var look = SignalLook(source, on: connection, writer: 7)
            let first = try look.look()
            #expect(first.isEmpty)
            #expect(try watch.count(at: [url]) == 1)
            // It hears what others say, which waits with it.
            let other = try PostgresConnection(ConnectionSettings(url: url))
            try other.simple("NOTIFY \(SignalListener.channel)")
            while try !connection.takeNotifications() { await Task.yield() }
        }
    }

    @Test func `A given connection that is lost by then is replaced`() async throws {
        try await TemplateDatabase.withCopy { url in
            let connection = try #require(try Self.prepare(url).connection)
            _ = try? connection.row("SELECT pg_terminate_backend(pg_backend_pid()) AS is_ended")
            #expect(!connection.isOpen)
            let source = ConnectionSource(ConnectionSettings(url: url)) { _ in }
            var look = SignalLook(source, on: connection, writer: 7)
            let first = try look.look()
            #expect(first.isEmpty)
        }
    }

    @Test func `A connection that is older than the tables isn't used again, and the store listens`() async throws {
        try await PostgresCluster.shared().withDatabase { url in
            let preparation = try Self.prepare(url)
            #expect(!preparation.migration.isEmpty)
            #expect(preparation.connection == nil)
        }
        try await PostgresCluster.shared().withDatabase { url in
            let store = try await PostgresCardStore.open(url: url)
            let other = try await PostgresCardStore.open(url: url)
            #expect(store.epoch == other.epoch)
            for node in [store, other] { try await node.close() }
        }
    }

    @Test func `What listening costs is counted without what opening has cost`() async throws {
        try await TemplateDatabase.withCopy { url in
            let trips = RoundTrips()
            var source = ConnectionSource(ConnectionSettings(url: url)) { _ in }
            source.roundTrips = trips
            let connection = try #require(try Self.prepare(url).connection)
            var look = SignalLook(source, on: connection, writer: 7)
            #expect(trips.count == 0)
            let first = try look.look()
            #expect(first.isEmpty)
            #expect(trips.count > 0)
        }
    }

    @Test(
        "An opening that fails leaves no connection, at whichever step",
        arguments: [
            "INSERT INTO placard_migrations (identifier) VALUES ('9999-of-a-later-version')",
            "ALTER TABLE store RENAME COLUMN user_hash_key TO aside", "ALTER TABLE signals RENAME TO aside",
        ]
    )
    func failing(change: String) async throws {
        try await TemplateDatabase.withCopy { url in
            let watch = try await ConnectionWatch()
            try PostgresConnection(ConnectionSettings(url: url)).simple(change)
            await #expect(throws: StoreError.self) { try await PostgresCardStore.open(url: url) }
            try await watch.wait(at: [url])
        }
    }

    @Test func `An opening without the key, and one of a shard as a home, leave no connection`() async throws {
        try await TemplateDatabase.withCopy { url in
            let watch = try await ConnectionWatch()
            var options = PostgresCardStore.Options()
            options.secretsKey = .keyring(SecretsKeyring([.random()]))
            let store = try await PostgresCardStore.open(url: url, options: options)
            try await store.close()
            options.secretsKey = .keyring(SecretsKeyring([.random()]))
            let (other, asHome) = (options, Self.home(options))
            await expectFailure(.locked) { try await PostgresCardStore.open(url: url, options: other) }
            await expectFailure(.locked) { try await PostgresCardStore.open(url: url, options: asHome) }
            try await watch.wait(at: [url])

            try PostgresConnection(ConnectionSettings(url: url)).simple("UPDATE store SET shard = 1")
            let keyless = Self.home(PostgresCardStore.Options())
            await expectFailure(.incompatible) { try await PostgresCardStore.open(url: url, options: keyless) }
            try await watch.wait(at: [url])
        }
    }

    @Test func `A server that refuses connections refuses the opening, although readers connect later`() async throws {
        try await TemplateDatabase.withCopy { url in
            let database = try #require(URL(string: url)).lastPathComponent
            let role = "refused_\(database)"
            try await PostgresCluster.shared().execute("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 0")
            let own = url.replacing("placard@", with: "\(role)@")
            await #expect(throws: StoreError.self) { try await PostgresCardStore.open(url: own) }
        }
    }

    /// Prepares a database as a store with the default options does.
    private static func prepare(_ url: String) throws -> StorePreparation {
        let settings = ConnectionSettings(url: url)
        return try StorePreparation(
            ConnectionSource(settings) { _ in },
            settings,
            StoreEpoch(),
            PostgresCardStore.Options(),
            PartitionKeeper(settings, now: { testTime })
        )
    }

    /// The options of a database that is to be the home.
    private static func home(_ options: PostgresCardStore.Options) -> PostgresCardStore.Options {
        var options = options
        options.homeRole = { _ in nil }
        return options
    }
}
