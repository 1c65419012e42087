import CardModel
import CardStore

extension PageContext {
    /// The campaigns that are read at the same time.
    private static let readsAtOnce = 8

    /// Reads campaigns, several at a time, since a database may be some way off.
    ///
    /// - Parameters:
    ///   - ids: Their IDs; each is looked up once.
    ///   - value: What is kept of a campaign, of which the rest may be large.
    /// - Returns: The values by the campaigns' IDs, without those that are gone.
    /// - Throws: What the store throws.
    func campaigns<Value: Sendable>(
        _ ids: some Sequence<CampaignID>,
        _ value: @escaping @Sendable (Campaign) -> Value
    ) async throws -> [CampaignID: Value] {
        let asked = Set(ids)
        return try await withThrowingTaskGroup(of: (CampaignID, Value?).self) { group in
            var found: [CampaignID: Value] = [:]
            for (index, id) in asked.enumerated() {
                if index >= Self.readsAtOnce, let (known, value) = try await group.next() { found[known] = value }
                group.addTask { [store] in (id, try await store.campaign(id).map(value)) }
            }
            for try await (known, value) in group { found[known] = value }
            return found
        }
    }
}
