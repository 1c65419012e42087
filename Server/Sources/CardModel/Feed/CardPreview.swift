import WireJSON

/// A card as a user would see it, without any campaign having given it.
public struct CardPreview: Sendable {
    private let campaign: Campaign
    private let card: CatalogCard
    private let properties: [UInt8]?
    private let platform: CardTemplate.Platform?
    private let engine: TemplateEngine

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
        self.init(variant, campaign, properties: properties, platform: platform, isTest: false, engine: engine)
    }

    private init(
        _ variant: Campaign.Variant,
        _ campaign: Campaign?,
        properties: [UInt8]?,
        platform: CardTemplate.Platform?,
        isTest: Bool,
        engine: TemplateEngine
    ) {
        let id = campaign?.id ?? CampaignID(rawValue: "preview")
        var content = campaign?.content ?? Campaign.Content(name: "", variants: [])
        content.variants = [variant]
        self.campaign = Campaign(id: id, content: content, createdAt: 0)
        self.card = CatalogCard(variant: variant, of: self.campaign, isTest: isTest, engine: engine)
        self.properties = properties
        self.platform = platform
        self.engine = engine
    }

    /// Prepares a test of a campaign.
    ///
    /// - Parameters:
    ///   - variant: The variant to try.
    ///   - language: The language to try, one of the card's, or `nil` for each user's.
    ///   - campaign: The campaign.
    ///   - properties: What templates read of a trigger or event, a JSON object.
    ///   - engine: What renders it.
    public init(
        testing variant: Campaign.Variant,
        language: String?,
        of campaign: Campaign,
        properties: [UInt8]?,
        engine: TemplateEngine
    ) {
        var variant = variant
        if let language, var card = variant.card?.translated(to: language) {
            card.translations = [:]
            variant.card = card
        }
        self.init(variant, campaign, properties: properties, platform: nil, isTest: true, engine: engine)
    }

    /// Returns the card as a user gets it to try.
    ///
    /// - Parameters:
    ///   - id: The id of the card.
    ///   - language: The language that was asked for.
    ///   - user: The user.
    ///   - timeZone: The time zone of the workspace.
    ///   - now: The time.
    /// - Returns: The card.
    /// - Throws: `TemplateFailure` where the template keeps it from the user.
    public func testCard(
        _ id: CardID,
        language: String?,
        for user: UserProfile,
        timeZone: String,
        at now: UnixTime
    ) throws(TemplateFailure) -> TestCard {
        let viewer = viewer(user, timeZone: timeZone, at: now)
        let expiry = card.expiresAt(deliveredAt: now, for: viewer) ?? .infinity
        return TestCard(
            card: id,
            campaign: campaign.id,
            variant: card.variant,
            language: language,
            members: try card.members(of: DeliveryOrigin(trigger: nil, properties: properties), for: viewer),
            isPinned: card.isPinned,
            priority: card.priority,
            sentAt: now,
            expiresAt: min(expiry, now + TestCard.lifetime)
        )
    }

    private func viewer(_ user: UserProfile, timeZone: String, at now: UnixTime) -> CardViewer {
        var settings = Settings()
        settings.timeZone = timeZone
        let catalog = Catalog(campaigns: [], generation: 0, settings: settings, engine: engine)
        return CardViewer(UserState(profile: user), in: catalog, at: now, platform: platform)
    }

    /// The card in JSON, as a device would get it.
    ///
    /// - Throws: `TemplateFailure` where the template keeps it from the user.
    public func render(for user: UserProfile, timeZone: String, at now: UnixTime) throws(TemplateFailure) -> [UInt8] {
        let viewer = viewer(user, timeZone: timeZone, at: now)
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
