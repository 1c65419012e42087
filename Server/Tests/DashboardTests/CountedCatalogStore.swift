import CardModel
import CardStore
import Synchronization

/// The campaigns and segments of a store, with a count of the calls that read them.
final class CountedCatalogStore: CampaignStore, SegmentStore {
    typealias Source = any CampaignStore & SegmentStore

    private let source: Source
    private let counts = Mutex<[String: Int]>([:])

    init(_ source: Source) { self.source = source }

    /// The number of calls of each function that was called.
    var calls: [String: Int] { counts.withLock { $0 } }

    private func counted(_ function: String = #function) -> Source {
        counts.withLock { $0[function, default: 0] += 1 }
        return source
    }

    // MARK: Campaigns

    func campaign(_ id: CampaignID) async throws -> Campaign? { try await counted().campaign(id) }

    func findCampaigns(_ ids: [CampaignID]) async throws -> [CampaignID: Campaign] {
        try await counted().findCampaigns(ids)
    }

    func listCampaigns(status: Campaign.Status?, limit: Int, offset: Int) async throws -> [Campaign] {
        try await counted().listCampaigns(status: status, limit: limit, offset: offset)
    }

    func pageCampaigns(_ page: CampaignPage) async throws -> [Campaign] { try await counted().pageCampaigns(page) }

    func searchCampaigns(
        matching filter: CampaignFilter,
        after place: CampaignPlace?,
        limit: Int
    ) async throws -> [Campaign] {
        try await counted().searchCampaigns(matching: filter, after: place, limit: limit)
    }

    func campaignCountsByStatus() async throws -> [Campaign.Status: Int] {
        try await counted().campaignCountsByStatus()
    }

    func campaignTags(limit: Int) async throws -> [String] { try await counted().campaignTags(limit: limit) }

    func insertCampaign(_ campaign: Campaign, by actor: Actor) async throws {
        try await counted().insertCampaign(campaign, by: actor)
    }

    func updateCampaign(
        _ campaign: Campaign,
        from version: Int64,
        action: String,
        by actor: Actor
    ) async throws -> Campaign {
        try await counted().updateCampaign(campaign, from: version, action: action, by: actor)
    }

    // MARK: Segments

    func segments(includingArchived: Bool, limit: Int, offset: Int) async throws -> [Segment] {
        try await counted().segments(includingArchived: includingArchived, limit: limit, offset: offset)
    }

    func segment(_ id: SegmentID) async throws -> Segment? { try await counted().segment(id) }

    func findSegments(_ ids: [SegmentID]) async throws -> [SegmentID: Segment] {
        try await counted().findSegments(ids)
    }

    func segmentAudiences() async throws -> [SegmentID: Audience] { try await counted().segmentAudiences() }

    func audienceReach(
        of audience: AudienceMatcher,
        at now: UnixTime,
        exactly isExact: Bool
    ) async throws -> AudienceReach {
        try await counted().audienceReach(of: audience, at: now, exactly: isExact)
    }

    func audienceOverlap(of audiences: [AudienceMatcher], at now: UnixTime) async throws -> AudienceOverlap {
        try await counted().audienceOverlap(of: audiences, at: now)
    }

    func insertSegment(_ segment: Segment, by actor: Actor) async throws {
        try await counted().insertSegment(segment, by: actor)
    }

    func updateSegment(
        _ segment: Segment,
        from version: Int64,
        action: String,
        by actor: Actor
    ) async throws -> Segment {
        try await counted().updateSegment(segment, from: version, action: action, by: actor)
    }
}
