import WireJSON

/// The card of one language, ready for each platform on which it differs.
///
/// A class, as is ``CatalogCard``: every card of every sync passes it about.
final class EncodedCard: Sendable {
    /// A card that is the same for all of its users, encoded, or one whose texts are rendered for each.
    private enum Form: Sendable {
        case fixed([UInt8])
        indirect case template(CompiledCard)
    }

    private let form: Form
    private let platforms: [CardTemplate.Platform: Form]
    private let variant: Campaign.Variant
    private let campaign: Campaign
    private let isTest: Bool

    /// Prepares a card, or of the control what an app needs to know where its card would stand.
    init(
        _ card: CardTemplate?,
        of variant: Campaign.Variant,
        of campaign: Campaign,
        isTest: Bool,
        engine: TemplateEngine
    ) {
        func form(_ card: CardTemplate?) -> Form {
            if let card, !variant.isControl, let compiled = CompiledCard(card, engine: engine) {
                return .template(compiled)
            }
            return .fixed(Self.encode(card, variant, campaign.id, isTest: isTest))
        }
        self.form = form(card)
        var platforms: [CardTemplate.Platform: Form] = [:]
        for platform in variant.card?.platformURLs.keys ?? [] {
            platforms[platform] = form(card?.adapted(to: platform))
        }
        self.platforms = platforms
        self.variant = variant
        self.campaign = campaign
        self.isTest = isTest
    }

    /// Whether its texts are rendered for each user.
    var isTemplate: Bool {
        ([form] + platforms.values).contains { if case .template = $0 { true } else { false } }
    }

    func members(for viewer: CardViewer, properties: [UInt8]?) throws(TemplateFailure) -> [UInt8] {
        try members(viewer.platform.flatMap { platforms[$0] } ?? form, viewer, properties)
    }

    /// Renders the card for all platforms, to be kept as it is; see ``FrozenCard``.
    ///
    /// What fails for another platform than the viewer's is as the viewer's.
    func frozen(
        for viewer: CardViewer,
        properties: [UInt8]?,
        _ place: FrozenCard.Place
    ) throws(TemplateFailure) -> [UInt8] {
        let shown = try members(for: viewer, properties: properties)
        guard !platforms.isEmpty else { return FrozenCard.text(shown, [], place) }
        let common = (try? members(form, viewer, properties)) ?? shown
        let others = CardTemplate.Platform.allCases.compactMap { platform in
            platforms[platform].map { (platform: platform, members: (try? members($0, viewer, properties)) ?? shown) }
        }
        return FrozenCard.text(common, others, place)
    }

    private func members(
        _ form: Form,
        _ viewer: CardViewer,
        _ properties: [UInt8]?
    ) throws(TemplateFailure) -> [UInt8] {
        switch form {
        case .fixed(let members): return members
        case .template(let card):
            let data = CardData(
                viewer.data,
                campaign,
                variant.id,
                properties: properties,
                clock: viewer.clock,
                at: viewer.now
            )
            let rendered = try card.render(data, with: viewer.engine, budget: viewer.budget)
            return Self.encode(rendered, variant, campaign.id, isTest: isTest)
        }
    }

    /// Encodes the members that do not depend on the delivery, each with a comma before it.
    private static func encode(
        _ card: CardTemplate?,
        _ variant: Campaign.Variant,
        _ campaign: CampaignID,
        isTest: Bool
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.raw(#","type":"#)
        writer.string(variant.card?.layout.rawValue ?? "control")
        if let card { variant.isControl ? writeClassType(of: card, to: &writer) : write(card, to: &writer) }
        writer.raw(#","pinned":"#)
        writer.bool(card?.isPinned ?? false)
        writer.raw(#","dismissible":"#)
        writer.bool(variant.isControl ? false : card?.isDismissible ?? false)
        writer.raw(#","priority":"#)
        writer.integer(card?.priority ?? 0)
        writer.raw(#","test":"#)
        writer.bool(isTest)
        writer.raw(#","campaign_id":"#)
        writer.string(campaign.rawValue)
        writer.raw(#","variant_id":"#)
        writer.string(variant.id.rawValue)
        return writer.bytes
    }

    private static func writeClassType(of card: CardTemplate, to writer: inout JSONWriter) {
        guard let classType = card.extras["class_type"], !TemplateEngine.isTemplate(classType) else { return }
        writer.raw(#","extras":"#)
        writer.write(.object(["class_type": .string(classType)]))
    }

    private static func write(_ card: CardTemplate, to writer: inout JSONWriter) {
        func member(_ name: StaticString, _ value: String?) {
            guard let value else { return }
            writer.raw(name)
            writer.string(value)
        }
        member(#","title":"#, card.title)
        member(#","description":"#, card.description)
        member(#","image":"#, card.image)
        if let ratio = card.imageAspectRatio {
            writer.raw(#","image_aspect_ratio":"#)
            writer.number(ratio)
        }
        member(#","image_alt":"#, card.imageAlt)
        member(#","domain":"#, card.domain)
        member(#","url":"#, card.url)
        writer.raw(#","open_url_in_web_view":"#)
        writer.bool(card.opensURLInWebView)
        member(#","language":"#, card.language)
        writer.raw(#","extras":"#)
        writer.write(.object(card.extras.mapValues(JSONValue.string)))
    }
}
