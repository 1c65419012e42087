import CardModel

/// A campaign to try things with: always the same id and content.
package struct SampleCampaign: Sendable {
    /// The id, `demo-…`.
    package let id: CampaignID
    /// The content.
    package let content: Campaign.Content

    init(_ id: String, _ content: Campaign.Content) {
        self.id = CampaignID(rawValue: id)
        self.content = content
    }

    /// What the demo shows: three uses of cards in an app, and each kind of card.
    package static let demo: [SampleCampaign] = [
        .pinnedWelcome, .summerBanner, .newRange, .fastDelivery,
        .returnsAd, .shoesTile, .jacketTile, .goldTile, .triggeredTile, .fullPageMessage, .webMessage, .coupon,
    ]

    /// The same as drafts of one moment, launched.
    package static func launched(_ samples: [SampleCampaign], at now: UnixTime) throws(ModelError) -> [Campaign] {
        var campaigns: [Campaign] = []
        for sample in samples {
            let draft = Campaign(id: sample.id, content: sample.content, createdAt: now)
            campaigns.append(try draft.applying(.launch, at: now))
        }
        return campaigns
    }
}
