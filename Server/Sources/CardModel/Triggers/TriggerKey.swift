/// Names a trigger among those of a user.
public struct TriggerKey: Sendable, Hashable {
    /// The campaign.
    public var campaign: CampaignID
    /// The trigger.
    public var trigger: TriggerID

    /// Creates a key.
    public init(campaign: CampaignID, trigger: TriggerID) {
        self.campaign = campaign
        self.trigger = trigger
    }
}
