import CardModel
import CardStore
import WireJSON

extension Audience {
    /// The audience in a sentence in the language of the request that is being answered.
    var localizedSummary: String { localizedSummary(AudienceLabels()) }

    /// Returns the audience in a sentence in the language of the request that is being answered.
    func localizedSummary(_ labels: AudienceLabels) -> String {
        AudienceFormatter(labels: labels, localized: localized).summary(self)
    }
}

extension AudienceLabels {
    /// The segments, and the campaigns, that are looked up for one page.
    private static let lookups = 500

    /// Reads the names of the segments and campaigns that audiences name; of very many, the first by their IDs.
    ///
    /// - Parameters:
    ///   - audiences: The audiences.
    ///   - store: The store.
    ///   - known: The segments that were read before, which aren't read once more.
    /// - Returns: The names.
    /// - Throws: What the store throws.
    static func read(
        _ audiences: some Sequence<Audience>,
        _ store: any CampaignStore & SegmentStore,
        known: [Segment] = []
    ) async throws -> AudienceLabels {
        var segments: Set<SegmentID> = []
        var campaigns: Set<CampaignID> = []
        for audience in audiences {
            segments.formUnion(audience.segments)
            campaigns.formUnion(audience.campaigns)
        }
        var labels = AudienceLabels()
        for segment in known where segments.contains(segment.id) {
            labels.segments[segment.id] = segment.content.name
            segments.remove(segment.id)
        }
        let others = segments.sorted().prefix(lookups)
        let names = try await store.segmentNames(others)
        labels.segments.merge(names) { $1 }
        labels.missingSegments.formUnion(others.filter { names[$0] == nil })
        let named = Array(campaigns.sorted().prefix(lookups))
        guard !named.isEmpty else { return labels }
        let found = try await store.findCampaigns(named)
        for id in named { labels.add(found[id], id) }
        return labels
    }

    private mutating func add(_ campaign: Campaign?, _ id: CampaignID) {
        guard let campaign else {
            missingCampaigns.insert(id)
            return
        }
        campaigns[id] = campaign.content.name
        for variant in campaign.content.variants where !variant.name.isEmpty {
            variants[id, default: [:]][variant.id] = variant.displayName
        }
    }
}

extension PageContext {
    /// Returns an audience in words, as far as the member may see it.
    func summary(of audience: Audience, _ labels: AudienceLabels) -> String {
        guard hidesPersonalData else { return audience.localizedSummary(labels) }
        return (try? Audience(json: shown(audience.json)))?.localizedSummary(labels) ?? PersonalData.hidden
    }

    /// Returns an audience in words, with the names of its segments and campaigns, as far as the member may see it.
    func summary(of audience: Audience) async throws -> String {
        summary(of: audience, try await AudienceLabels.read([audience], store))
    }

    /// Reads the names that audiences have in the JSON of campaigns or segments.
    func labels(of values: [JSONValue]) async throws -> AudienceLabels {
        try await AudienceLabels.read(values.compactMap { try? Audience(json: $0[.audience] ?? .null) }, store)
    }
}
