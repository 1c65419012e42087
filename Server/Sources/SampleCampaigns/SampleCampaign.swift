import CardModel

/// A campaign to try things with: always the same id and content, but for the address of its picture.
package struct SampleCampaign: Sendable {
    /// The id, `demo-…`.
    package let id: CampaignID
    /// The content.
    package let content: Campaign.Content
    /// The picture of its card, which has to be in the media library.
    private let picture: SamplePicture?

    init(_ id: String, _ content: Campaign.Content, picture: SamplePicture? = nil) {
        self.id = CampaignID(rawValue: id)
        self.content = content
        self.picture = picture
    }

    private static let unillustrated: [SampleCampaign] = [
        .pinnedWelcome, .summerBanner, .newRange, .fastDelivery,
        .returnsAd, .shoesTile, .jacketTile, .goldTile, .triggeredTile, .fullPageMessage, .webMessage, .coupon,
    ]

    /// Returns what the demo shows: three uses of cards in an app, and each kind of card.
    ///
    /// - Parameter address: Returns where a picture is, or `nil` where it isn't in the media library.
    /// - Returns: The samples. Without pictures, cards that have texts are classic ones, and banners are left out.
    package static func demo(pictures address: (SamplePicture) -> String?) -> [SampleCampaign] {
        unillustrated.compactMap { $0.illustrated(address) }
    }

    private func illustrated(_ address: (SamplePicture) -> String?) -> SampleCampaign? {
        guard let picture, var card = content.variants.first?.card else { return self }
        if let address = address(picture) {
            card.image = address
            card.imageAlt = picture.alt
        } else if card.layout == .banner {
            return nil
        } else {
            card.layout = .classic
            card.imageAspectRatio = nil
        }
        var content = content
        content.variants[0].card = card
        return SampleCampaign(id.rawValue, content, picture: picture)
    }

    /// Whether another content is this one with other pictures, such as those of an address that the server had before.
    package func differsByPictures(from other: Campaign.Content) -> Bool {
        guard other != content, other.variants.count == content.variants.count else { return false }
        var same = other
        for (index, variant) in content.variants.enumerated() {
            guard let image = variant.card?.image else { continue }
            same.variants[index].card?.image = image
            same.variants[index].card?.imageAlt = variant.card?.imageAlt
        }
        return same == content
    }

    /// The same as drafts of one moment, launched.
    package static func launched(_ samples: [SampleCampaign], at now: UnixTime) throws(ModelError) -> [Campaign] {
        var campaigns: [Campaign] = []
        for sample in samples {
            campaigns.append(try sample.launched(at: now))
        }
        return campaigns
    }

    /// Returns the campaign as a draft of one moment, launched.
    package func launched(at now: UnixTime) throws(ModelError) -> Campaign {
        try Campaign(id: id, content: content, createdAt: now).applying(.launch, at: now)
    }
}
