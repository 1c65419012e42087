import CardStoreConformance
import ReferenceCardStore
import Testing

@Suite("Reference store: conformance", .timeLimit(.minutes(20)))
struct ReferenceConformanceTests {
    @Test("Every check of the conformance suite", arguments: ConformanceCheck.all(for: ReferenceStores()))
    func conforms(_ check: ConformanceCheck) async throws { try await check.run(with: ReferenceStores()) }
}
