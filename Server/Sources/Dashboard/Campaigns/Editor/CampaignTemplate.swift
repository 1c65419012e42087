import WireJSON

/// The templates that a new campaign can begin with.
enum CampaignTemplate: String, CaseIterable {
    case announcement
    case coupon
    case survey
    case onboarding

    /// A link to the editor with a template, or with none.
    struct TemplateLink {
        let name: String
        let address: String
        let isCurrent: Bool
    }

    private static let day = 86_400.0

    /// The links to a blank editor and to all templates.
    ///
    /// - Parameter chosen: The template that the editor begins with, or `nil` for none.
    /// - Returns: The links, the blank editor's first.
    static func links(chosen: CampaignTemplate?) -> [TemplateLink] {
        let address = "/dashboard/campaigns/new"
        let blank = TemplateLink(name: localized("Blank"), address: address, isCurrent: chosen == nil)
        return [blank]
            + allCases.map { template in
                TemplateLink(
                    name: template.name,
                    address: "\(address)?template=\(template.rawValue)",
                    isCurrent: template == chosen
                )
            }
    }

    /// The display name of the template.
    var name: String {
        switch self {
        case .announcement: localized("Announcement")
        case .coupon: localized("Coupon")
        case .survey: localized("Survey")
        case .onboarding: localized("Onboarding")
        }
    }

    /// The campaign as the management API takes it, in the language of the request that is being answered.
    var campaign: JSONValue {
        var campaign: JSONObject = ["name": .string(name), "variants": [variant(weight: self == .coupon ? 90 : 100)]]
        switch self {
        case .announcement, .survey: break
        case .coupon:
            let control: JSONValue = [
                "id": "control", "name": .string(localized("Control")), "weight": 10, "control": true,
            ]
            campaign[.variants] = [variant(weight: 90), control]
            campaign[.conversions] = [
                [
                    "id": "purchase", "name": .string(localized("Purchase")), "on": ["purchase": true],
                    "window_seconds": .number(7 * Self.day), "from": "delivery",
                ]
            ]
            campaign[.rules] = ["remove_on": [["purchase": true]]]
        case .onboarding:
            campaign[.audience] = [
                "all": [["attribute": "first_seen_at", "comparison": "less_than_x_days_ago", "value": 7]]
            ]
        }
        return .object(campaign)
    }

    private func variant(weight: Int64) -> JSONValue {
        [
            "id": "a", "name": .string(localized("Card")), "weight": .integer(weight), "control": false,
            "card": .object(card),
        ]
    }

    private var card: JSONObject {
        let greeted = "{{${first_name} | default: '\(localized("there"))'}}"
        var card: JSONObject = ["type": "classic"]
        switch self {
        case .announcement:
            card[.title] = .string(localized("New in the app"))
            card[.description] = .string(localized("Hello \(greeted), tell your users here what is new."))
        case .coupon:
            let code = "WELCOME10"
            card[.title] = .string(localized("10% off for you"))
            card[.description] = .string(
                localized("Hello \(greeted), use the code \(code) at the checkout within 14 days.")
            )
            card[.extras] = ["code": .string(code)]
            card[.expiresAfter] = .number(14 * Self.day)
        case .survey:
            card[.title] = .string(localized("How do you like the app?"))
            card[.description] = .string(localized("Hello \(greeted), answer three questions in one minute."))
            card[.url] = "https://example.com/survey"
            card[.domain] = .string(localized("Take the survey"))
        case .onboarding:
            card[.title] = .string(localized("Welcome, \(greeted)"))
            card[.description] = .string(localized("Tell new users here what to do first."))
        }
        return card
    }
}
