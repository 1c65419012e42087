import Synchronization
import Testing

@testable import Dashboard

@Suite("Dashboard: lookups of many things")
struct BatchedLookupTests {
    /// What was asked for, in parts.
    private final class NameSource: Sendable {
        private let parts = Mutex<[[Int]]>([])

        var sizes: [Int] { parts.withLock { $0.map(\.count) } }
        var asked: [Int] { parts.withLock { $0.flatMap(\.self) } }

        func find(_ ids: [Int]) async throws -> [Int: String] {
            parts.withLock { $0.append(ids) }
            return Dictionary(uniqueKeysWithValues: ids.filter { $0 >= 0 }.map { ($0, "name \($0)") })
        }
    }

    @Test("A hundred are read by one call, each once, and those that are gone are left out")
    func parts() async throws {
        let source = NameSource()

        let names = try await (Array(-50..<180) + Array(0..<180)).lookedUp(by: { try await source.find($0) }, \.count)

        #expect(source.sizes == [100, 100, 30])
        #expect(source.asked.sorted() == Array(-50..<180))
        #expect(names.count == 180 && names[7] == 6 && names[179] == 8)
    }

    @Test("Nothing is asked for nothing")
    func nothing() async throws {
        let source = NameSource()
        let names = try await [Int]().lookedUp(by: { try await source.find($0) }, \.self)
        #expect(names.isEmpty && source.sizes.isEmpty)
    }
}
