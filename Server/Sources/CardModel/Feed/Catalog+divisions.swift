extension Catalog {
    /// By which weights a user got the variants of their first cards of campaigns.
    public func divisions(of additions: [Delivery]) -> [CampaignID: Division] {
        var divisions: [CampaignID: Division] = [:]
        for addition in additions where addition.ordinal == 0 {
            divisions[addition.campaign] = entries[addition.campaign]?.division
        }
        return divisions
    }
}
