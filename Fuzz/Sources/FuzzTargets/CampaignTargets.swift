import WireJSON

@testable import CardModel

extension FuzzTarget {
    /// A campaign as people write it.
    static let campaign = FuzzTarget("campaign") { input in
        guard let json = try? JSONValue(parsing: input) else { return }
        if let segment = try? Segment.SegmentContent(json: json) {
            let again = try Segment.SegmentContent(json: .object(segment.json))
            try requireSame(again, segment, "A segment is read back")
        }
        guard let content = try? Campaign.Content(json: json) else { return }
        let again = try Campaign.Content(json: .object(content.json))
        try requireSame(again, content, "A campaign is read back")
        try require(content.fields(differentFrom: again).isEmpty, "Two same campaigns do not differ")
        _ = content.checks(types: [ContentSchema(json: json)], at: 1_800_000_000)
        try tell(of: content)
    }

    /// Gives the campaign to a user, and tells the user's device.
    private static func tell(of content: Campaign.Content) throws {
        let now = 1_800_000_000.0
        let draft = Campaign(id: CampaignID(rawValue: "c"), content: content, createdAt: now)
        let campaign = try draft.applying(.launch, at: now)
        let catalog = Catalog(campaigns: [campaign], generation: 1, timeZone: "Europe/Berlin")
        var user = user(Array(#"{"attributes":{"country":"JP"}}"#.utf8), [])
        user.profile.device = DeviceContext(locale: "ja-JP", timeZone: "Asia/Tokyo", appVersion: "2.10")
        let decision = FeedDecision(for: user, in: catalog, at: now, explains: true)
        for (ordinal, addition) in decision.additions.enumerated() {
            let card = CardID(rawValue: "card\(ordinal)")
            user.deliveries.append(
                Delivery(
                    card: card,
                    campaign: addition.campaign,
                    ordinal: addition.ordinal,
                    variant: addition.variant,
                    deliveredAt: now,
                    origin: addition.origin
                )
            )
        }
        for time in [now, now + 86_400, now + 1e9] {
            let reply = FeedReply(for: user, in: catalog, since: nil, epoch: 1, at: time)
            var writer = JSONWriter()
            reply.writeCards(to: &writer)
            _ = try JSONValue(parsing: writer.bytes)
            try requireSame(FeedCursor(reply.cursor.text), reply.cursor, "A cursor is read back")
        }
        let event = DeviceEvent(id: EventID(high: 1, low: 1), kind: .custom(name: "e"), at: now)
        _ = catalog.eventRules.consequences(of: event, at: now)
    }

    /// A card's template, and after a zero byte what is known of its user.
    static let card = FuzzTarget("card") { input in
        let parts = Parts(input, count: 2)
        guard let json = try? JSONValue(parsing: parts[0]) else { return }
        guard let card = try? CardTemplate(json: json, at: "card") else { return }
        try requireSame(try CardTemplate(json: card.json, at: "card"), card, "A card is read back")
        let preview = CardPreview(card: card, engine: TemplateEngine())
        let user = user(parts[1], []).profile
        guard let text = try? preview.render(for: user, timeZone: "UTC", at: 1_800_000_000) else { return }
        _ = try JSONValue(parsing: text)
    }

    /// The settings of a workspace.
    static let settings = FuzzTarget("settings") { input in
        guard let json = try? JSONValue(parsing: input), let settings = try? Settings(json: json) else { return }
        try requireSame(try Settings(json: settings.json), settings, "Settings are read back")
        _ = Catalog(campaigns: [], generation: 1, settings: settings)
        for group in RateLimit.Group.allCases {
            var window = RateWindow(startingAt: 0)
            _ = window.take(settings.rateLimits[group] ?? group.standard, at: 1)
        }
        _ = settings.quietHours?.end(at: 1_800_000_000, in: .utc)
    }
}
