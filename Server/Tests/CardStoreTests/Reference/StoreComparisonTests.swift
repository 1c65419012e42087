import CardStoreConformance
import ReferenceCardStore
import Testing

@Suite("Random operations: SQLite answers as the reference store does", .serialized)
struct StoreComparisonTests {
    @Test("Answers and readable state are the same after every sequence", arguments: 1...12 as ClosedRange<UInt64>)
    func agrees(seed: UInt64) async throws {
        let comparison = StoreComparison(of: SQLiteStores(), with: ReferenceStores())
        if let difference = try await comparison.difference(seed: seed, count: 60) { Issue.record("\(difference)") }
    }
}
