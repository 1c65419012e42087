extension Catalog {
    /// Returns the weights by which a user got the variants of their first cards of campaigns.
    public func allocations(of additions: [Delivery]) -> [CampaignID: VariantAllocation] {
        var allocations: [CampaignID: VariantAllocation] = [:]
        for addition in additions where addition.ordinal == 0 {
            allocations[addition.campaign] = entries[addition.campaign]?.allocation
        }
        return allocations
    }
}
