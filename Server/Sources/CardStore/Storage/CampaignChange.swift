package import CardModel

/// The change that saving a campaign writes; a store loads the campaign that it has, asks for this, and writes it.
package struct CampaignChange: Sendable, Hashable {
    /// The bytes by which the contents of launched campaigns grow; 0 where they don't.
    package let growth: Int64
    /// Whether the catalog gets the next generation: once a campaign was launched, every change of it counts.
    package let advancesCatalog: Bool

    private let campaign: Campaign
    private let isSeenByDevices: Bool

    /// Creates what adding a campaign writes.
    package init(adding campaign: Campaign) {
        self.campaign = campaign
        growth = campaign.launchedGrowth(from: nil)
        advancesCatalog = campaign.launchedAt != nil
        isSeenByDevices = advancesCatalog
    }

    /// Creates what saving a changed campaign writes, or returns `nil` where nothing is different.
    ///
    /// - Parameters:
    ///   - old: The campaign as it is stored.
    ///   - campaign: The campaign as it is to be; its generation doesn't matter.
    ///   - version: The version that the change was made from.
    /// - Throws: `StoreError.conflict` where the version is another by now.
    package init?(of old: Campaign, to campaign: Campaign, from version: Int64) throws(StoreError) {
        guard old.version == version else { throw .campaignChanged }
        var next = campaign
        next.generation = old.generation
        guard next != old else { return nil }
        // safe: versions go up by one
        next.version = max(campaign.version, version + 1)
        self.campaign = next
        growth = next.launchedGrowth(from: old)
        advancesCatalog = next.launchedAt != nil
        isSeenByDevices = advancesCatalog && next.differsOnDevices(from: old)
    }

    /// Returns the campaign as it is stored.
    ///
    /// - Parameter generation: The catalog's generation with the change, or `nil` where ``advancesCatalog`` is false.
    /// - Returns: The campaign, of that generation where devices have something to see of the change.
    package func campaign(in generation: CatalogGeneration?) -> Campaign {
        var saved = campaign
        if isSeenByDevices, let generation { saved.generation = generation }
        return saved
    }
}

extension StoreError {
    /// Says that there is no campaign of an id.
    package static let noCampaign = StoreError(.notFound, "There is no campaign of that id.")
    /// Says that there is a campaign of an id.
    package static let campaignExists = StoreError(
        .exists,
        "A campaign with this ID already exists. Choose another ID."
    )

    fileprivate static let campaignChanged = StoreError(
        .conflict,
        "The campaign was changed in between. Read it again and repeat the change."
    )
}
