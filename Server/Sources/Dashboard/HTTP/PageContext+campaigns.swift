import CardModel
import CardStore

extension PageContext {
    /// Reads campaigns, many by one request of the database, which may be some way off.
    ///
    /// - Parameters:
    ///   - ids: Their IDs; each is looked up once.
    ///   - value: What is kept of a campaign, of which the rest may be large.
    /// - Returns: The values by the campaigns' IDs, without those that are gone.
    /// - Throws: What the store throws.
    func campaigns<Value>(
        _ ids: some Sequence<CampaignID>,
        _ value: (Campaign) -> Value
    ) async throws -> [CampaignID: Value] {
        try await ids.lookedUp(by: { try await store.findCampaigns($0) }, value)
    }
}
