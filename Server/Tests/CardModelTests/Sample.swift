import CardModel
import WireJSON

/// Campaigns that tests start from.
enum Sample {
    static func variant(_ id: String, weight: Int = 1, expiry: CardTemplate.CardExpiry = .never) -> Campaign.Variant {
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
        variants: [Campaign.Variant] = [variant("a")],
        rules: Campaign.Rules = Campaign.Rules(),
        tags: [String] = []
    ) -> Campaign {
        let content = Campaign.Content(
            name: id,
            tags: tags,
            delivery: delivery,
            audience: audience,
            variants: variants,
            rules: rules
        )
        return Campaign(id: CampaignID(rawValue: id), content: content, createdAt: 0)
    }

    static func launched(
        _ id: String,
        at time: UnixTime = 0,
        delivery: Campaign.DeliveryMode = .scheduled(start: nil, end: nil),
        audience: Audience = .everyone,
        variants: [Campaign.Variant] = [variant("a")],
        rules: Campaign.Rules = Campaign.Rules(),
        tags: [String] = []
    ) throws -> Campaign {
        try campaign(id, delivery: delivery, audience: audience, variants: variants, rules: rules, tags: tags)
            .applying(.launch, at: time)
    }

    static func trigger(
        _ id: String,
        of campaign: String = "c",
        at time: UnixTime = 0,
        due: PlannedTime? = nil,
        until: UnixTime = .greatestFiniteMagnitude,
        properties: JSONValue? = nil
    ) -> Trigger {
        Trigger(
            id: TriggerID(rawValue: id),
            campaign: CampaignID(rawValue: campaign),
            at: time,
            due: due ?? .at(time),
            until: until,
            properties: properties?.bytes
        )
    }

    /// A user with a profile, and nothing else that is known.
    static func facts(_ profile: UserProfile, at now: UnixTime = 0) -> UserFacts {
        UserFacts(UserState(profile: profile), at: now)
    }

    static func user(_ id: String = "u") -> UserState {
        UserState(profile: UserProfile(id: UserID(rawValue: id), createdAt: 0))
    }
}
