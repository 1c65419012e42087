import CardModel
import CardStore
import CardStoreConformance
import Foundation
import PostgresTesting
import ShardedCardStore
import Testing

@testable import PostgresCardStore

/// Stores whose users are spread over three databases.
struct ShardedStores: StoreFactory {
    func withPlace(_ body: (any ConformancePlace) async throws -> Void) async throws {
        try await ShardedTemplate.withCopies { urls in
            let place = ShardedPlace(home: urls[0])
            // A store that has done nothing yet, as the checks expect it.
            try await place.forgetAudit()
            try await body(place)
        }
    }
}

/// A home and two shards of it, of which each test gets copies.
private enum ShardedTemplate {
    private static let names = (0..<3).map { "placard_sharded_\($0)" }
    private static let creation = Task {
        try await TemplateDatabase.create(names)
        let cluster = try await PostgresCluster.shared()
        let urls = names.map(cluster.url(of:))
        let place = ShardedPlace(home: urls[0])
        for shard in urls.dropFirst() { #expect(try await place.add(shard)) }
        // A copy shows another history. It isn't a backup that was restored, but a database that has given out nothing.
        for url in urls { try await ShardedPlace.execute("UPDATE store SET history = NULL", in: url) }
    }

    /// Runs a test with the addresses of a home and its shards.
    static func withCopies(_ body: (_ urls: [String]) async throws -> Void) async throws {
        try await creation.value
        try await PostgresCluster.shared().withDatabases(like: names) { urls in
            var options = ShardedPlace(home: urls[0]).options
            options.leavesUsers = true
            let home = try await PostgresCardStore.open(url: urls[0], options: options)
            for (shard, url) in urls.enumerated().dropFirst() {
                let address = ShardAddress(shard: Int64(shard), url: url)
                try await home.saveShard(address, ranges: nil, at: noon, by: .command)
                // A history that says nothing yet, as that of a database which has just become a shard.
                let connection = try PostgresConnection(ConnectionSettings(url: url))
                let epoch = Int64(bitPattern: connection.history.number)
                try connection.execute("UPDATE store SET epoch = $1", [epoch])
            }
            try await home.close()
            try await body(urls)
        }
    }
}

/// Databases that several stores can be opened on, as nodes do.
struct ShardedPlace: ConformancePlace {
    /// The key that all nodes have.
    private static let secretsKey = SecretsKeySource.keyring(SecretsKeyring([.random()]))

    let home: String

    var options: PostgresCardStore.Options {
        var options = PostgresCardStore.Options()
        options.secretsKey = Self.secretsKey
        options.readers = 2
        // However busy the machine is.
        options.statementTimeout = .seconds(600)
        return options
    }

    /// Adds a shard, and returns whether it gets users without being told.
    @discardableResult
    func add(_ url: String) async throws -> Bool {
        try await ShardedCardStore.addShard(url, to: home, options: options, at: noon, by: .command).isUsed
    }

    /// An address at which nothing answers.
    static let away = "postgresql://placard@127.0.0.1:1/cards"

    /// Says where a shard is, whether it is there or not.
    func setShard(_ shard: Int64, to url: String) async throws {
        var options = options
        options.leavesUsers = true
        let store = try await PostgresCardStore.open(url: home, options: options)
        try await store.saveShard(ShardAddress(shard: shard, url: url), ranges: nil, at: noon, by: .command)
        try await store.close()
    }

    /// Forgets what the audit log says of the shards.
    func forgetAudit() async throws {
        try await Self.execute(
            """
            DELETE FROM audit;
            UPDATE audit_chain SET last_count = 0, last_position = 0, last_hash = '', anchor_count = 0,
                anchor_position = 0, anchor_hash = ''
            """,
            in: home
        )
    }

    /// Runs statements on the database at an address.
    static func execute(_ sql: String, in url: String) async throws {
        let database = try #require(url.components(separatedBy: "@/").last?.split(separator: "?").first)
        try await PostgresCluster.shared().execute(sql, in: String(database))
    }

    func open(_ opening: StoreOpeningOptions) async throws -> any CardStore {
        var options = options
        options.listenerBuffer = opening.listenerBuffer
        options.now = opening.now
        return try await ShardedCardStore.open(url: home, options: options)
    }
}

@Suite("Sharded: conformance", .timeLimit(.minutes(30)))
struct ShardedConformanceTests {
    @Test("Every check of the conformance suite", arguments: ConformanceCheck.all(for: ShardedStores()))
    func conforms(_ check: ConformanceCheck) async throws { try await check.run(with: ShardedStores()) }
}
