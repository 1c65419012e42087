package import CardStore
package import CardStoreConformance

/// Makes reference stores for the conformance suite.
package struct ReferenceStores: StoreFactory {
    /// Creates a factory.
    package init() {}

    /// Runs a test against a place of its own.
    package func withPlace(_ body: (any ConformancePlace) async throws -> Void) async throws {
        try await body(ReferencePlace(database: ReferenceDatabase()))
    }
}

/// The data that reference stores of one place have in common.
package struct ReferencePlace: ConformancePlace {
    let database: ReferenceDatabase

    /// Opens a store of the place.
    package func open(_ options: StoreOpeningOptions) async throws -> any CardStore {
        ReferenceCardStore(database, listenerBuffer: options.listenerBuffer, now: options.now)
    }
}
