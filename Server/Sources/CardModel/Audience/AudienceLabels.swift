/// The names of the segments and campaigns that audiences name by their ids.
///
/// Nothing is said of an id that is neither named nor missing: sentences have it as it is.
package struct AudienceLabels: Sendable {
    /// The names of segments.
    package var segments: [SegmentID: String] = [:]
    /// The names of campaigns.
    package var campaigns: [CampaignID: String] = [:]
    /// The names of the variants of campaigns that have one.
    package var variants: [CampaignID: [VariantID: String]] = [:]
    /// The segments that don't exist.
    package var missingSegments: Set<SegmentID> = []
    /// The campaigns that don't exist.
    package var missingCampaigns: Set<CampaignID> = []

    /// Creates labels without a name.
    package init() {}
}

extension AudienceFormatter {
    /// Returns the condition on a segment in words.
    func segment(_ id: SegmentID) -> String {
        if let name = labels.segments[id] { return localized("in segment “\(name)”") }
        guard labels.missingSegments.contains(id) else { return localized("in segment \(id.rawValue)") }
        return localized("in a segment that doesn’t exist (ID: \(id.rawValue))")
    }

    /// Returns a campaign by its name in quotation marks, else by its id.
    func campaign(_ id: CampaignID) -> String {
        if let name = labels.campaigns[id] { return localized("“\(name)”") }
        guard labels.missingCampaigns.contains(id) else { return id.rawValue }
        return localized("\(id.rawValue) (doesn’t exist)")
    }

    /// Returns a variant of a campaign by its name, else by its id.
    func variant(_ id: VariantID, of campaign: CampaignID) -> String {
        labels.variants[campaign]?[id] ?? id.rawValue
    }
}

extension Audience {
    /// The campaigns that the audience names itself; not those of its segments.
    package var campaigns: Set<CampaignID> {
        switch structure {
        case .filter(let filter): filter.needs.campaigns
        case .all(let branches), .any(let branches), .none(let branches):
            branches.reduce(into: []) { $0.formUnion($1.campaigns) }
        case .everyone, .segment: []
        }
    }
}
