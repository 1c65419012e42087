import CardModel
import WireJSON

extension SampleCampaign {
    /// The campaigns that the simulation's users meet: cards for everybody, a control, three variants, and three
    /// audiences.
    package static let simulation: [SampleCampaign] = [
        SampleCampaign("sim-everybody", content("For everybody", clickable("For everybody"))),
        SampleCampaign("sim-pinned", content("Pinned", pinned)),
        SampleCampaign("sim-control", split("Half of it control", cards: 1, hasControl: true)),
        SampleCampaign("sim-three", split("Three variants and a control", cards: 3, hasControl: true)),
        SampleCampaign("sim-plan", audience("Plan is pro", .attribute(plan("pro")))),
        SampleCampaign("sim-score", audience("Score of 50 or more", .attribute(score(50)))),
        SampleCampaign(
            "sim-nested",
            audience("Pro, or a low score", .any([.attribute(plan("pro")), .none([.attribute(score(20))])]))
        ),
    ]

    private static func clickable(_ title: String) -> CardTemplate {
        var card = CardTemplate(layout: .classic)
        card.title = title
        card.description = "Seen, clicked and dismissed by programs."
        card.url = "shop://simulation"
        return card
    }

    private static var pinned: CardTemplate {
        var card = clickable("Pinned")
        card.isPinned = true
        return card
    }

    private static func split(_ name: String, cards: Int, hasControl: Bool) -> Campaign.Content {
        var variants = (1...cards).map { number in
            Campaign.Variant(id: VariantID(rawValue: "v\(number)"), card: clickable("\(name), \(number)"))
        }
        if hasControl { variants.append(Campaign.Variant(id: VariantID(rawValue: "control"), card: nil)) }
        return Campaign.Content(name: name, variants: variants)
    }

    private static func audience(_ name: String, _ audience: Audience) -> Campaign.Content {
        var content = content(name, clickable(name))
        content.audience = audience
        return content
    }

    private static func plan(_ value: String) -> AttributeClause {
        AttributeClause(.custom("plan"), .equals, .string(value))
    }

    private static func score(_ least: Int64) -> AttributeClause {
        AttributeClause(.custom("score"), .greaterThanOrEqual, .integer(least))
    }
}
