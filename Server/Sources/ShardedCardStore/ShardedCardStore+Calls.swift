import PostgresCardStore

extension ShardedCardStore {
    /// Calls all databases at once, each with a value of its own, and returns what each of them says, by their numbers.
    func onAll<Argument: Sendable, Value: Sendable>(
        with arguments: [Argument],
        _ body: @escaping @Sendable (PostgresCardStore, Argument) async throws -> Value
    ) async throws -> [Value] {
        let stores = stores
        return try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            for (place, (store, argument)) in zip(stores, arguments).enumerated() {
                group.addTask { (place, try await body(store, argument)) }
            }
            var values: [Int: Value] = [:]
            for try await (place, value) in group { values[place] = value }
            return stores.indices.compactMap { values[$0] }
        }
    }
}
