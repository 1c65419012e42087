/// Finds where a store answers differently from another one to the same operations.
package struct StoreComparison: Sendable {
    private let store: any StoreFactory
    private let reference: any StoreFactory

    /// Creates a comparison of two kinds of store.
    package init(of store: any StoreFactory, with reference: any StoreFactory) {
        self.store = store
        self.reference = reference
    }

    /// Returns the first difference that random operations show, after as few operations as still show it, or `nil`.
    ///
    /// - Parameters:
    ///   - seed: What the operations are made from.
    ///   - count: The number of operations.
    /// - Returns: A text with the operations and both answers.
    /// - Throws: An error that keeps a store from being opened.
    package func difference(seed: UInt64, count: Int) async throws -> String? {
        let all = (0..<count).map { RandomOperation.make(seed: seed, number: $0) }
        guard let found = try await difference(of: all) else { return nil }
        let (operations, difference) = try await shrunk(Array(all.prefix(found.place + 1)), found)
        let steps = operations.enumerated().map { "\($0). \($1)" }.joined(separator: "\n")
        return "\(steps)\n\(difference.text)"
    }

    private struct Difference {
        let place: Int
        let text: String
    }

    /// Leaves out operations, many at once and then fewer, for as long as there is a difference without them.
    private func shrunk(
        _ operations: [StoreOperation],
        _ difference: Difference
    ) async throws -> (operations: [StoreOperation], difference: Difference) {
        var (operations, difference) = (operations, difference)
        var size = operations.count / 2
        while size > 0 {
            var start = 0
            while start < operations.count {
                var fewer = operations
                fewer.removeSubrange(start..<min(start + size, operations.count))
                if let found = try await self.difference(of: fewer) {
                    (operations, difference) = (Array(fewer.prefix(found.place + 1)), found)
                } else {
                    start += size
                }
            }
            size /= 2
        }
        return (operations, difference)
    }

    private func difference(of operations: [StoreOperation]) async throws -> Difference? {
        var found: Difference?
        try await store.withStore { store in
            try await reference.withStore { reference in
                for (place, operation) in operations.enumerated() where found == nil {
                    for question in [operation] + StoreQuestions.after(place, of: operations.count) {
                        let (own, expected) = (
                            await question.answer(of: store), await question.answer(of: reference)
                        )
                        guard !own.agrees(with: expected) else { continue }
                        let text = "\(question)\n  answers   \(own)\n  expected  \(expected)"
                        found = Difference(place: place, text: text)
                        break
                    }
                }
            }
        }
        return found
    }
}
