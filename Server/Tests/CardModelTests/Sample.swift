import CardModel

/// Campaigns that tests start from.
enum Sample {
    static func variant(_ id: String, weight: Int = 1, expiry: CardTemplate.Expiry = .never) -> Campaign.Variant {
        var card = CardTemplate(layout: .classic)
        card.title = "Title"
        card.description = "Text"
        card.expiry = expiry
        return Campaign.Variant(id: VariantID(rawValue: id), weight: weight, card: card)
    }

    static func campaign(
        _ id: String,
        delivery: Campaign.DeliveryMode = .scheduled(start: nil, end: nil),
        audience: Audience = .everyone,
        variants: [Campaign.Variant] = [variant("a")]
    ) -> Campaign {
        let content = Campaign.Content(name: id, delivery: delivery, audience: audience, variants: variants)
        return Campaign(id: CampaignID(rawValue: id), content: content, createdAt: 0)
    }

    static func launched(
        _ id: String,
        at time: UnixTime = 0,
        delivery: Campaign.DeliveryMode = .scheduled(start: nil, end: nil),
        audience: Audience = .everyone,
        variants: [Campaign.Variant] = [variant("a")]
    ) throws -> Campaign {
        try campaign(id, delivery: delivery, audience: audience, variants: variants).applying(.launch, at: time)
    }

    /// A user of whom only the profile is known.
    static func facts(_ profile: UserProfile, at now: UnixTime = 0) -> UserFacts {
        UserFacts(UserState(profile: profile), at: now)
    }

    static func user(_ id: String = "u") -> UserState {
        UserState(profile: UserProfile(id: UserID(rawValue: id), createdAt: 0))
    }
}
