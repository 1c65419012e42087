public import CardModel

/// Keeps campaigns.
public protocol CampaignStore: Sendable {
    /// Reads one campaign, or returns `nil`.
    func campaign(_ id: CampaignID) async throws -> Campaign?

    /// Reads campaigns by their IDs, without those that there aren't; of the first 1000 IDs.
    func findCampaigns(_ ids: [CampaignID]) async throws -> [CampaignID: Campaign]

    /// Reads campaigns, those last changed first.
    ///
    /// Only those of `status`, or all but the archived where it is `nil`; `limit` at most, 1 to 1000, after `offset`
    /// others.
    func listCampaigns(status: Campaign.Status?, limit: Int, offset: Int) async throws -> [Campaign]

    /// Reads campaigns in the order in which they were created, the oldest first unless the page says otherwise.
    func pageCampaigns(_ page: CampaignPage) async throws -> [Campaign]

    /// Searches campaigns, those last changed first: `limit` at most, 1 to 1000.
    ///
    /// Reads as much as it returns, however many there are; the list goes on after the last one shown.
    func searchCampaigns(
        matching filter: CampaignFilter,
        after place: CampaignPlace?,
        limit: Int
    ) async throws -> [Campaign]

    /// Counts the campaigns of each status.
    func campaignCountsByStatus() async throws -> [Campaign.Status: Int]

    /// Reads the tags that campaigns have, by name: `limit` at most, 1 to 1000.
    func campaignTags(limit: Int) async throws -> [String]

    /// Adds a campaign.
    ///
    /// - Throws: `StoreError.exists` where there is one of that id, `limitReached` where there are 100,000.
    func insertCampaign(_ campaign: Campaign, by actor: Actor) async throws

    /// Saves a changed campaign, gives it the next generation where devices have something to see of the change, and
    /// the catalog the next generation where it was ever launched.
    ///
    /// - Parameters:
    ///   - campaign: The campaign as it is to be.
    ///   - version: The version that the change was made from.
    ///   - action: What was done, for the audit log.
    ///   - actor: Who did it.
    /// - Returns: The campaign as saved.
    /// - Throws: `StoreError.notFound`, or `StoreError.conflict` where the version is another by now.
    func updateCampaign(
        _ campaign: Campaign,
        from version: Int64,
        action: String,
        by actor: Actor
    ) async throws -> Campaign
}

/// The part of the list of campaigns that is asked for.
public struct CampaignPage: Sendable, Hashable {
    /// Whether the newest comes first.
    public var isNewestFirst = false
    /// Whether archived campaigns are in it.
    public var includesArchived = false
    /// Leaves only those changed after that moment, if there is one.
    public var changedAfter: UnixTime?
    /// The maximum number of campaigns, 1 to 1000.
    public var limit = 100
    /// The number of campaigns to pass over.
    public var offset = 0

    /// Creates the first page of a hundred.
    public init() {}
}

/// The campaigns that are looked for.
public struct CampaignFilter: Sendable, Hashable {
    /// Only those of that status; `nil` for all but the archived.
    public var status: Campaign.Status?
    /// Only those with that tag.
    public var tag: String?
    /// Only those whose name and id have every word of that text, in any case, with accents or without.
    public var text: String?

    /// Creates a filter.
    public init(status: Campaign.Status? = nil, tag: String? = nil, text: String? = nil) {
        self.status = status
        self.tag = tag
        self.text = text
    }
}

/// The place where a list of campaigns goes on.
public struct CampaignPlace: Sendable, Hashable {
    /// The time at which the last one shown was changed.
    public var updatedAt: UnixTime
    /// Its id.
    public var id: CampaignID

    /// Creates a place.
    public init(updatedAt: UnixTime, id: CampaignID) {
        self.updatedAt = updatedAt
        self.id = id
    }
}
