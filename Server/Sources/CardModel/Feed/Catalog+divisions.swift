extension Catalog {
    /// By which weights a user got the variants of their first cards of campaigns.
    public func trafficSplits(of additions: [Delivery]) -> [CampaignID: TrafficSplit] {
        var trafficSplits: [CampaignID: TrafficSplit] = [:]
        for addition in additions where addition.ordinal == 0 {
            trafficSplits[addition.campaign] = entries[addition.campaign]?.trafficSplit
        }
        return trafficSplits
    }
}
