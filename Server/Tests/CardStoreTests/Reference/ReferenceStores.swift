import CardStore
import CardStoreConformance
import ReferenceCardStore
import Testing

/// Makes reference stores for the conformance suite.
struct ReferenceStores: StoreFactory {
    func withPlace(_ body: (any ConformancePlace) async throws -> Void) async throws {
        try await body(ReferencePlace(database: ReferenceDatabase()))
    }
}

/// What reference stores of one place have in common.
struct ReferencePlace: ConformancePlace {
    let database: ReferenceDatabase

    func open(_ options: StoreOpeningOptions) async throws -> any CardStore {
        ReferenceCardStore(database, listenerBuffer: options.listenerBuffer, now: options.now)
    }
}

@Suite("Reference store: conformance", .timeLimit(.minutes(10)))
struct ReferenceConformanceTests {
    @Test("Every check of the conformance suite", arguments: ConformanceCheck.all(for: ReferenceStores()))
    func conforms(_ check: ConformanceCheck) async throws { try await check.run(with: ReferenceStores()) }
}
