/// The parts of a catalog that its store can't read: nobody new is reached by what depends on them.
public struct CatalogGaps: Sendable, Hashable {
    /// The campaigns that were left out; their cards count for frequency caps as if every cap was of them.
    public var campaigns: Set<CampaignID>
    /// The segments of which it isn't known who is in them, with those that they are part of.
    public var segments: Set<SegmentID>

    /// Creates gaps.
    public init(campaigns: Set<CampaignID> = [], segments: Set<SegmentID> = []) {
        self.campaigns = campaigns
        self.segments = segments
    }

    /// Compiles an audience; one that names a segment which can't be read means nobody, also where it excludes that.
    func matcher(of audience: Audience, segments: [SegmentID: Audience]) -> AudienceMatcher {
        guard self.segments.isDisjoint(with: audience.segments) else { return AudienceMatcher(.users([])) }
        return AudienceMatcher(audience, segments: segments)
    }
}
