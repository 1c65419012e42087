import CardModel

// The feed as a user meets it: one card of each kind.
extension SampleCampaign {
    static var pinnedWelcome: SampleCampaign {
        var card = CardTemplate(layout: .classic)
        card.title = "Welcome to the shop"
        card.description = "Members get free delivery this month. Your card is in your profile."
        card.url = "shop://membership"
        card.domain = "Open your profile"
        card.isPinned = true
        return SampleCampaign("demo-welcome", content("Welcome, pinned", card))
    }

    static var summerBanner: SampleCampaign {
        var card = CardTemplate(layout: .banner)
        card.imageAspectRatio = 4
        card.url = "shop://sale/summer"
        card.priority = 10
        return SampleCampaign("demo-banner", content("Summer sale banner", card), picture: .sale)
    }

    static var newRange: SampleCampaign {
        var card = CardTemplate(layout: .captionedImage)
        card.title = "The new range is here"
        card.description = "Thirty pieces for autumn, made of recycled wool. See them before everybody else does."
        card.imageAspectRatio = 1.33
        card.url = "shop://range/autumn"
        card.domain = "See the range"
        return SampleCampaign("demo-range", content("New range", card), picture: .jacket)
    }

    static var fastDelivery: SampleCampaign {
        var card = CardTemplate(layout: .classic)
        card.title = "Today only: delivery by tonight"
        card.description = "Order within three hours and it arrives this evening."
        card.imageAspectRatio = 1
        card.expiry = .afterDelivery(seconds: 3 * 3600)
        let content = content("Delivery tonight, leaves after three hours", card)
        return SampleCampaign("demo-delivery", content, picture: .parcel)
    }

    static func content(_ name: String, _ card: CardTemplate, tags: [String] = []) -> Campaign.Content {
        Campaign.Content(
            name: name,
            tags: ["demo"] + tags,
            variants: [Campaign.Variant(id: VariantID(rawValue: "a"), name: "Variant a", card: card)]
        )
    }
}
