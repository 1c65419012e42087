extension Sequence where Element: Hashable & Sendable {
    /// Reads what these IDs name, a hundred by one request of the database, which may be some way off.
    ///
    /// - Parameters:
    ///   - find: Reads some of it; isn't called where there are no IDs.
    ///   - value: What is kept of each, of which the rest may be large.
    /// - Returns: The values by the IDs, without those of what is gone.
    /// - Throws: What `find` throws.
    func lookedUp<Found, Value>(
        by find: ([Element]) async throws -> [Element: Found],
        _ value: (Found) -> Value
    ) async throws -> [Element: Value] {
        let readsAtOnce = 100
        var rest = Array(Set(self))[...]
        var values: [Element: Value] = [:]
        while !rest.isEmpty {
            let found = try await find(Array(rest.prefix(readsAtOnce)))
            values.merge(found.mapValues(value)) { $1 }
            rest = rest.dropFirst(readsAtOnce)
        }
        return values
    }
}
