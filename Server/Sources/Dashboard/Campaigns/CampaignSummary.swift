import CardModel

/// The summary of what a campaign delivers, when and to which users, as its review and its report show it.
struct CampaignSummary {
    struct CampaignFact {
        let name: String
        let value: String
    }

    /// A variant with the address of its preview.
    struct VariantSummary {
        let name: String
        let share: String
        let isControl: Bool
        let cardAddress: String
    }

    let facts: [CampaignFact]
    let variants: [VariantSummary]

    /// Creates the summary of a campaign.
    ///
    /// - Parameters:
    ///   - campaign: The campaign.
    ///   - context: What the page is answered with.
    ///   - request: The ID of the request for approval that has the cards, or `nil` where they are the campaign's.
    ///   - isAhead: Whether it is about a launch that is still to come, so that an earlier stop ends nothing.
    /// - Throws: What the store throws.
    init(_ campaign: Campaign, _ context: PageContext, request: String? = nil, isAhead: Bool = false) async throws {
        facts = try await Self.facts(campaign, context, isAhead: isAhead)
        variants = Self.variants(
            campaign.content,
            "\(CampaignPages.address(of: campaign.id))/card?"
                + PageFormatter.shown(request.map { "request=\(FormData.escape($0))&" })
                + (Theme(context.request) == .dark ? "preview_look=dark&" : "")
        )
    }

    private static func facts(
        _ campaign: Campaign,
        _ context: PageContext,
        isAhead: Bool
    ) async throws -> [CampaignFact] {
        let content = campaign.content
        let audience = try await context.summary(of: content.audience)
        let last = try await RecordedStop.find(campaign, context.store)
        let stop = isAhead ? nil : last
        let (now, timeZone) = (context.now, context.timeZone)
        let schedule = ScheduleText(campaign, at: now, timeZone: timeZone, stoppedAt: last?.at)
        let conversions = content.conversions.map(\.displayName)
        var facts = [
            CampaignFact(name: localized("Delivery"), value: content.delivery.displayName),
            CampaignFact(name: localized("Start"), value: schedule.start),
            CampaignFact(name: localized("End"), value: try await end(stop, context) ?? schedule.end),
        ]
        if let stop {
            facts.append(CampaignFact(name: localized("Ran"), value: stop.run(of: campaign, in: timeZone)))
        }
        return facts + [
            CampaignFact(
                name: localized("Target audience"),
                value: content.audience == .everyone ? localized("All users") : audience
            ),
            CampaignFact(
                name: localized("Conversion events"),
                value: conversions.isEmpty ? localized("None") : PageFormatter.list(conversions)
            ),
        ]
    }

    /// Returns when a campaign was stopped and who did it, or `nil` for one that wasn't.
    private static func end(_ stop: RecordedStop?, _ context: PageContext) async throws -> String? {
        guard let stop else { return nil }
        let names = try await NameBook([], context)
        return stop.sentence(in: context.timeZone, by: stop.actor.map(names.actor))
    }

    private static func variants(_ content: Campaign.Content, _ address: String) -> [VariantSummary] {
        // A sum as a number with a fraction: two weights may be more than an integer holds.
        let total = content.variants.reduce(0.0) { $0 + Double($1.weight) }
        return content.variants.map { variant in
            VariantSummary(
                name: variant.displayName,
                share: total > 0 ? PageFormatter.percent(Double(variant.weight) / total) : "–",
                isControl: variant.isControl,
                cardAddress: "\(address)variant=\(FormData.escape(variant.id.rawValue))"
            )
        }
    }
}

extension Campaign.DeliveryMode {
    /// The name in the editor.
    var displayName: String {
        switch self {
        case .scheduled, .scheduledLocally: localized("Scheduled")
        case .action(let action): localized("Action-based: \(action.trigger.displayName)")
        case .apiTriggered: localized("API-triggered")
        }
    }
}

extension EventCondition {
    /// The name in a sentence.
    var displayName: String {
        switch subject {
        case .event(let name): name.text
        case .purchase(let product): product.map { localized("purchase of \($0.text)") } ?? localized("any purchase")
        }
    }
}

extension Campaign.Variant {
    /// The name, or the id of a variant that has none; the name that the API gives is in the language of the page.
    var displayName: String {
        guard !name.isEmpty else { return id.rawValue }
        guard name.hasSameBytes(as: Self.standardName(of: id, isControl: isControl)) else { return name }
        return isControl ? localized("Control") : localized("Variant \(id.rawValue)")
    }
}

extension Campaign.Conversion {
    /// The name, or the id of a conversion that has none.
    var displayName: String { name.isEmpty ? id : name }
}
