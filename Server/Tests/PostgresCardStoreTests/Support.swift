import CardModel
import CardStore
import PostgresTesting

@testable import PostgresCardStore

/// A moment in November 2026, at noon in UTC.
let testTime: UnixTime = 1_795_262_400
let testUser = UserID(rawValue: "user-1")

/// A database that has the tables already, of which each test gets a copy.
enum TemplateDatabase {
    private static let name = "placard_template"
    private static let creation = Task {
        let cluster = try await PostgresCluster.shared()
        try await cluster.execute("CREATE DATABASE \(name)")
        let store = try await PostgresCardStore.open(url: cluster.url(of: name))
        try await store.close()
    }

    /// Runs a test with a database of its own.
    static func withCopy(_ body: (_ url: String) async throws -> Void) async throws {
        try await creation.value
        try await PostgresCluster.shared().withDatabase(like: name, body)
    }
}

/// Runs a test with a store of its own, which is closed and removed afterwards.
func withStore(_ body: (PostgresCardStore) async throws -> Void) async throws {
    try await TemplateDatabase.withCopy { url in
        var options = PostgresCardStore.Options()
        options.now = { testTime }
        let store = try await PostgresCardStore.open(url: url, options: options)
        do {
            try await body(store)
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
    }
}

/// Runs a test with an empty database and a connection to it.
func withConnection(_ body: @Sendable @escaping (PostgresConnection) throws -> Void) async throws {
    try await PostgresCluster.shared().withDatabase { url in
        let source = ConnectionSource(ConnectionSettings(url: url)) { _ in }
        let pool = ConnectionPool(source, ConnectionSettings(url: url), size: 1)
        try await pool.read(body)
        pool.close()
    }
}
