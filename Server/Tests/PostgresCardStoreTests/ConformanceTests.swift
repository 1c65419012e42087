import CardStore
import CardStoreConformance
import PostgresCardStore
import Testing

/// Stores in PostgreSQL, each in a database of its own.
struct PostgresStores: StoreFactory {
    func withPlace(_ body: (any ConformancePlace) async throws -> Void) async throws {
        try await TemplateDatabase.withCopy { url in try await body(PostgresPlace(url: url)) }
    }
}

/// A database that several stores can be opened on, as nodes do.
struct PostgresPlace: ConformancePlace {
    /// The key that all nodes have.
    private static let secretsKey = SecretsKeySource.keyring(SecretsKeyring([.random()]))

    let url: String

    func open(_ options: StoreOpeningOptions) async throws -> any CardStore {
        var own = PostgresCardStore.Options()
        own.listenerBuffer = options.listenerBuffer
        own.now = options.now
        own.secretsKey = Self.secretsKey
        own.readers = 2
        // However busy the machine is.
        own.statementTimeout = .seconds(600)
        return try await PostgresCardStore.open(url: url, options: own)
    }
}

@Suite("PostgreSQL: conformance", .timeLimit(.minutes(20)))
struct PostgresConformanceTests {
    @Test("Every check of the conformance suite", arguments: ConformanceCheck.all(for: PostgresStores()))
    func conforms(_ check: ConformanceCheck) async throws { try await check.run(with: PostgresStores()) }
}
