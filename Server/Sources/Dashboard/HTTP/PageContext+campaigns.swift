import CardModel
import CardStore

extension PageContext {
    /// The campaigns that are read at once: each may be large, and only a part of it is kept.
    private static let readsAtOnce = 100

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
        var rest = Array(Set(ids))[...]
        var found: [CampaignID: Value] = [:]
        while !rest.isEmpty {
            let campaigns = try await store.findCampaigns(Array(rest.prefix(Self.readsAtOnce)))
            found.merge(campaigns.mapValues(value)) { $1 }
            rest = rest.dropFirst(Self.readsAtOnce)
        }
        return found
    }
}
