import WireJSON

/// A condition on what a user had to do with a campaign.
public struct ContactClause: Sendable, Hashable {
    /// A kind of contact between a user and a campaign.
    public enum Contact: String, Sendable, CaseIterable {
        /// The user was given a card, the control's empty one included.
        case received
        /// A card was seen.
        case viewed
        /// A card was clicked.
        case clicked
        /// A card was dismissed.
        case dismissed
    }

    /// The campaign.
    public var campaign: CampaignID
    /// The variants that count; all where empty.
    public var variants: Set<VariantID>
    /// The kind of contact.
    public var contact: Contact
    /// The time within which the last such contact has to lie, or `nil` for any time.
    public var window: TimeWindow?

    /// Creates a clause.
    public init(
        _ contact: Contact,
        _ campaign: CampaignID,
        variants: Set<VariantID> = [],
        within window: TimeWindow? = nil
    ) {
        self.campaign = campaign
        self.variants = variants
        self.contact = contact
        self.window = window
    }
}

extension ContactClause: AudienceFilter {
    static let shapes = [FilterShape("campaign", label: "Campaign", .other(schema))]

    private static var schema: JSONValue {
        var properties: JSONObject = [
            "id": FilterSchema.text, "variants": FilterSchema.texts,
            "contact": FilterSchema.choice(Contact.allCases.map(\.rawValue)),
        ]
        properties.merge(TimeWindow.schema) { first, _ in first }
        return FilterSchema.object(properties, required: ["id"])
    }

    /// The maximum number of variants that a clause may list; those of earlier versions of a campaign count too.
    static let maximumVariants = 100

    static func audience(from json: JSONValue, named name: String, at path: String) throws(ModelError) -> Audience {
        .contact(try ContactClause(json: json, at: path))
    }

    private init(json: JSONValue, at path: String) throws(ModelError) {
        let fields = try JSONFields(
            json,
            at: path,
            known: ["id", "variants", "contact", "within_days", "within_calendar_days"]
        )
        guard let id = CampaignID(checking: try fields.requiredString("id")) else {
            throw fields.invalid("id", "The id of a campaign is expected.")
        }
        var variants: Set<VariantID> = []
        let texts = try fields.strings("variants") ?? []
        guard texts.count <= Self.maximumVariants else {
            throw fields.invalid("variants", "At most \(Self.maximumVariants) variants are expected.")
        }
        for (index, text) in texts.enumerated() {
            guard let variant = VariantID(checking: text) else {
                throw fields.invalid("variants[\(index)]", "The id of a variant is expected.")
            }
            variants.insert(variant)
        }
        guard let contact = Contact(rawValue: try fields.string("contact") ?? Contact.received.rawValue) else {
            let known = Contact.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.invalid("contact", "There is no such contact. Known: \(known).")
        }
        self.init(contact, id, variants: variants, within: try TimeWindow(fields))
    }

    var condition: String { "campaign" }

    var json: JSONValue {
        var members: JSONObject = [
            "id": .string(campaign.rawValue), "contact": .string(contact.rawValue),
        ]
        if !variants.isEmpty { members["variants"] = .array(variants.sorted().map { .string($0.rawValue) }) }
        window?.write(to: &members)
        return ["campaign": .object(members)]
    }

    var test: any FilterTest { ContactTest(clause: self) }
    var needs: AudienceNeeds { AudienceNeeds(parts: .contacts, campaigns: [campaign], window: window) }

    func summary(_ formatter: AudienceFormatter) -> String {
        let words =
            switch contact {
            case .received: formatter.localized("received")
            case .viewed: formatter.localized("viewed")
            case .clicked: formatter.localized("clicked")
            case .dismissed: formatter.localized("dismissed")
            }
        let named = variants.sorted().map { formatter.variant($0, of: campaign) }
        let names = named.joined(separator: formatter.localized(" or "))
        let some = names.isEmpty ? "" : formatter.localized(" (variant \(names))")
        let name = formatter.campaign(campaign)
        return formatter.localized("\(words) campaign \(name)\(some)\(formatter.window(window))")
    }
}

/// A clause on what a user had to do with a campaign, compiled.
private struct ContactTest: FilterTest {
    let clause: ContactClause

    var cost: Int { 10 }
    var requirements: Set<AudienceRequirement>? { [.card(clause.campaign)] }

    func holds(_ facts: UserFacts, _ until: inout UnixTime) -> Bool {
        guard let last = last(facts) else { return false }
        guard clause.window != nil else { return true }
        let window = OpenWindow(clause.window, of: facts)
        if window.awaits(last) { until = min(until, last) }
        guard window.includes(last) else { return false }
        until = min(until, window.end(of: last))
        return true
    }

    func found(_ facts: UserFacts) -> JSONValue? { last(facts).map(JSONValue.init(number:)) }

    /// Returns the time of the last such contact, or `nil` where there was none, or looking took too much work.
    private func last(_ facts: UserFacts) -> UnixTime? {
        var last: UnixTime?
        let isKnown = facts.look(atCardsOf: clause.campaign) { delivery in
            guard clause.variants.isEmpty || clause.variants.contains(delivery.variant),
                let time = delivery.lastContact(clause.contact)
            else { return }
            last = max(last ?? -.infinity, time)
        }
        return isKnown ? last : nil
    }
}

extension Delivery {
    /// Returns the time of the last such contact with the card, or `nil` where there was none.
    ///
    /// Of what happened before times were kept, the time of delivery is known.
    fileprivate func lastContact(_ contact: ContactClause.Contact) -> UnixTime? {
        switch contact {
        case .received: deliveredAt
        case .viewed: isViewed ? lastViewedAt ?? deliveredAt : nil
        case .clicked: isClicked ? lastClickedAt ?? deliveredAt : nil
        case .dismissed: isDismissed ? dismissedAt ?? deliveredAt : nil
        }
    }
}
