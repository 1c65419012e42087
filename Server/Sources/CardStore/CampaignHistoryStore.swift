public import CardModel

/// Keeps the history of campaigns: every version that there was, with who made it.
///
/// A store appends to it in the transaction of the change itself. It removes versions by
/// ``pruneCampaignVersions(before:)``, and those of a campaign that has more than ``CampaignVersion/limit``.
public protocol CampaignHistoryStore: Sendable {
    /// Reads the versions of a campaign, the newest first: `limit` at most, 1 to 1000, of those before `number`.
    func campaignVersions(
        of campaign: CampaignID,
        before number: Int64?,
        limit: Int
    ) async throws -> [CampaignVersion]

    /// Reads the newest versions of several campaigns at once, the newest first: `limit` at most of each, 1 to 1000.
    ///
    /// - Returns: The versions of the first 1000 of the campaigns, without those that have none.
    func latestCampaignVersions(
        of campaigns: [CampaignID],
        limit: Int
    ) async throws -> [CampaignID: [CampaignVersion]]

    /// Reads a campaign as one of its versions was, or returns `nil` where there was none of that number.
    func campaignVersion(_ number: Int64, of campaign: CampaignID) async throws -> PastCampaign?

    /// Removes the versions of campaigns from before a moment, but for the last one of then and those after it.
    ///
    /// - Returns: How many were removed.
    func pruneCampaignVersions(before time: UnixTime) async throws -> Int
}

/// One change of a campaign.
public struct CampaignVersion: Sendable, Hashable {
    /// The maximum number of versions of a campaign that are kept: the newest, and whatever older one they take their
    /// content from.
    public static let limit: Int64 = 500

    /// The version that it made.
    public var number: Int64
    /// The time of the change.
    public var at: UnixTime
    /// The name of the actor; see ``Actor/name``.
    public var actor: String
    /// The action, such as `campaign.launch`; the audit log has the same.
    public var action: String
    /// The campaign's status since then.
    public var status: Campaign.Status
    /// The fields of the content that became different; empty for the first version.
    public var changedFields: [String]
    /// The newest version of the same content, where the change brought an older one back.
    public var restores: Int64?

    /// Creates a version.
    public init(
        number: Int64,
        at: UnixTime,
        actor: String,
        action: String,
        status: Campaign.Status,
        changedFields: [String] = [],
        restores: Int64? = nil
    ) {
        self.number = number
        self.at = at
        self.actor = actor
        self.action = action
        self.status = status
        self.changedFields = changedFields
        self.restores = restores
    }
}

/// A campaign as it was.
public struct PastCampaign: Sendable, Hashable {
    /// The change that made it so.
    public var version: CampaignVersion
    /// The campaign since then; its generation is 0.
    public var campaign: Campaign

    /// Creates a past campaign.
    public init(version: CampaignVersion, campaign: Campaign) {
        self.version = version
        self.campaign = campaign
    }
}
