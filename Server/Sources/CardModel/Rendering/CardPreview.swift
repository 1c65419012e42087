import WireJSON

/// A card as a user would see it, without any campaign having given it.
public struct CardPreview: Sendable {
    private let campaign: Campaign
    private let card: CatalogCard
    private let properties: [UInt8]?
    private let platform: CardTemplate.Platform?

    /// Prepares a preview.
    ///
    /// - Parameters:
    ///   - card: The card.
    ///   - campaign: What templates read of a campaign, or `nil` for one without a name.
    ///   - properties: What templates read of a trigger or event, a JSON object.
    ///   - platform: Where the app runs.
    ///   - engine: What renders it.
    public init(
        card: CardTemplate,
        campaign: Campaign? = nil,
        properties: [UInt8]? = nil,
        platform: CardTemplate.Platform? = nil,
        engine: TemplateEngine
    ) {
        let variant = Campaign.Variant(id: VariantID(rawValue: "a"), card: card)
        let id = campaign?.id ?? CampaignID(rawValue: "preview")
        var content = campaign?.content ?? Campaign.Content(name: "", variants: [])
        content.variants = [variant]
        self.campaign = Campaign(id: id, content: content, createdAt: 0)
        self.card = CatalogCard(variant: variant, of: self.campaign, engine: engine)
        self.properties = properties
        self.platform = platform
    }

    /// The card in JSON, as a device would get it.
    ///
    /// - Throws: `TemplateFailure` where the template keeps it from the user.
    public func render(for user: UserProfile, timeZone: String, at now: UnixTime) throws(TemplateFailure) -> [UInt8] {
        var settings = Settings()
        settings.timeZone = timeZone
        let catalog = Catalog(campaigns: [], generation: 0, settings: settings)
        let viewer = CardViewer(UserState(profile: user), in: catalog, at: now, platform: platform)
        let delivery = Delivery(
            card: CardID(rawValue: "preview"),
            campaign: campaign.id,
            ordinal: 0,
            variant: card.variant,
            deliveredAt: now,
            origin: DeliveryOrigin(trigger: nil, properties: properties)
        )
        var writer = JSONWriter(capacity: 1_024)
        let members = try card.members(of: delivery.origin, for: viewer)
        delivery.write(members, expiresAt: card.expiresAt(deliveredAt: now, for: viewer), to: &writer)
        return writer.bytes
    }
}
