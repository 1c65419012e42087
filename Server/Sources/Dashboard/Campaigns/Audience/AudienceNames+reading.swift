import CardModel
import CardStore
import WireJSON

extension AudienceNames {
    /// The segments that are offered, those changed last first.
    private static let offeredSegments = 500
    /// The campaigns that are offered, those changed last first.
    private static let offeredCampaigns = 100
    /// The segments, and the campaigns, that are looked up because an audience names them.
    private static let lookups = 50

    /// Reads the segments and the campaigns that were changed last, and those that the fields of an audience name.
    static func read(_ context: PageContext, for audience: JSONValue) async throws -> AudienceNames {
        let segments = try await context.store.segments(includingArchived: false, limit: offeredSegments, offset: 0)
        let campaigns = try await context.store.searchCampaigns(matching: .init(), after: nil, limit: offeredCampaigns)
        var names = AudienceNames(
            segments: segments.map { Named(id: $0.id.rawValue, name: $0.content.name) },
            campaigns: campaigns.map { Named(id: $0.id.rawValue, name: $0.content.name) }
        )
        var chosen = Chosen()
        chosen.add(audience)
        let former = chosen.segments.subtracting(names.segments.map(\.id)).sorted().prefix(lookups)
        let formerNames = try await context.store.segmentNames(former.map { SegmentID(rawValue: $0) })
        names.otherSegments += former.compactMap { id in
            formerNames[SegmentID(rawValue: id)].map { Named(id: id, name: $0) }
        }
        let others = chosen.campaigns.subtracting(names.campaigns.map(\.id)).sorted().prefix(lookups)
        guard !others.isEmpty else { return names }
        let found = try await context.store.findCampaigns(others.map { CampaignID(rawValue: $0) })
        for id in others {
            guard let campaign = found[CampaignID(rawValue: id)] else { continue }
            names.otherCampaigns.append(Named(id: id, name: campaign.content.name))
        }
        return names
    }

    /// The ids that an audience has.
    private struct Chosen {
        var segments: Set<String> = []
        var campaigns: Set<String> = []

        /// Adds the ids of a node of the form and of those in it, which forms have no deeper than they can be drawn.
        mutating func add(_ fields: JSONValue) {
            switch fields.text(.kind) {
            case "segment": if let id = fields.text(.value) { segments.insert(id) }
            case "campaign": if let id = fields.text(.name) { campaigns.insert(id) }
            default: for item in fields.rows(.items) { add(item) }
            }
        }
    }
}
