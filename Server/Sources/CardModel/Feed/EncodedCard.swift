import WireJSON

/// The card of one language, encoded for each platform on which it differs.
struct EncodedCard: Sendable {
    private let members: [UInt8]
    private let platforms: [CardTemplate.Platform: [UInt8]]

    /// Encodes a card, or of the control what an app needs to know where its card would stand.
    init(_ card: CardTemplate?, of variant: Campaign.Variant, of campaign: CampaignID) {
        members = Self.encode(card, variant, campaign)
        var platforms: [CardTemplate.Platform: [UInt8]] = [:]
        for platform in variant.card?.platformURLs.keys ?? [] {
            platforms[platform] = Self.encode(card?.adapted(to: platform), variant, campaign)
        }
        self.platforms = platforms
    }

    func members(on platform: CardTemplate.Platform?) -> [UInt8] {
        guard !platforms.isEmpty, let platform else { return members }
        return platforms[platform] ?? members
    }

    /// Encodes the members that do not depend on the delivery, each with a comma before it.
    static func encode(_ card: CardTemplate?, _ variant: Campaign.Variant, _ campaign: CampaignID) -> [UInt8] {
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
        writer.raw(#","test":false,"campaign_id":"#)
        writer.string(campaign.rawValue)
        writer.raw(#","variant_id":"#)
        writer.string(variant.id.rawValue)
        return writer.bytes
    }

    private static func writeClassType(of card: CardTemplate, to writer: inout JSONWriter) {
        guard let classType = card.extras["class_type"] else { return }
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
