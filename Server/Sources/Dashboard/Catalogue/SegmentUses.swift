import CardModel

/// The active campaigns that a change of a segment reaches, those that name it through other segments included.
struct SegmentUses {
    /// The most campaigns that are named.
    private static let limit = 20

    let campaigns: [ContentBlockPages.BlockUse]
    let isUsed: Bool
    let more: String?

    /// Finds the campaigns; none where the segment is new.
    init(of segment: SegmentID?, _ context: PageContext) async throws {
        var found: [Campaign] = []
        if let segment {
            let segments = try await context.store.segmentAudiences()
            found = context.site.server.activeCampaigns().filter { campaign in
                CampaignState(campaign, at: context.now) != .ended
                    && campaign.content.audience.reaches(segment, through: segments)
            }
        }
        let sorted = found.sorted { ($1.updatedAt, $1.id) < ($0.updatedAt, $0.id) }
        campaigns = sorted.prefix(Self.limit).map {
            ContentBlockPages.BlockUse(name: $0.content.name, address: CampaignPages.address(of: $0.id))
        }
        isUsed = !sorted.isEmpty
        more = ContentBlockPages.more(sorted.count, beyond: Self.limit)
    }
}
