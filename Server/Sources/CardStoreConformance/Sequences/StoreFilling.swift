import CardStore

/// Fills stores by random operations, and asks everything that there is to ask of them.
package enum StoreFilling {
    /// Does random operations on a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - seed: What the operations are made from.
    ///   - count: The number of operations.
    package static func fill(_ store: any CardStore, seed: UInt64, count: Int) async {
        for number in 0..<count { _ = await RandomOperation.make(seed: seed, number: number).answer(of: store) }
    }

    /// Returns every question whose answers two stores don't agree on, with both answers.
    package static func differences(_ store: any CardStore, _ other: any CardStore) async -> [String] {
        var differences: [String] = []
        for question in StoreQuestions.all {
            let (own, expected) = (await question.answer(of: store), await question.answer(of: other))
            if !own.agrees(with: expected) { differences.append("\(question): \(own), not \(expected)") }
        }
        return differences
    }
}
