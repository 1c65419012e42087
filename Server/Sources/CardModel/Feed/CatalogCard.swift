import WireJSON

/// Whoever looks at a card, and when: what a card can depend on beside its delivery.
///
/// A class, since each step of a decision takes it along.
final class CardViewer {
    let facts: UserFacts
    let platform: CardTemplate.Platform?
    let workspaceClock: TimeZoneClock
    /// The engine that renders cards for the viewer, with the content blocks of the catalog.
    let engine: TemplateEngine
    /// The work that rendering for the viewer can take.
    let budget: RenderBudget
    /// The user's data that templates read, the same for all cards.
    private(set) lazy var data = ViewerData(profile)

    init(
        _ user: UserState,
        in catalog: Catalog,
        at now: UnixTime,
        platform: CardTemplate.Platform? = nil,
        budget: RenderBudget = .feed
    ) {
        var facts = UserFacts(user, at: now, workspaceZone: catalog.timeZone)
        facts.patterns = .shared(SharedPatternWork())
        facts.cardPlaces = CardPlaces()
        self.facts = facts
        self.platform = platform
        self.budget = budget
        workspaceClock = catalog.workspaceClock
        engine = catalog.engine
    }

    var profile: UserProfile { facts.profile }
    var now: UnixTime { facts.now }
    /// The clock where the user is.
    var clock: TimeZoneClock { profile.clock(orElse: workspaceClock) }
}

/// A variant's card as the wire has it, encoded once for all of its users.
///
/// A class: syncs pass it about, and it is too much to copy each time.
final class CatalogCard: Sendable {
    let variant: VariantID
    /// The card that it shows; for the control, the card that it stands for, whose place and time it takes.
    let template: CardTemplate?
    let isControl: Bool
    /// Whether something of it is different for different users, or for one user at different times.
    let isPersonal: Bool
    /// Whether its texts are rendered for each user.
    let isTemplate: Bool
    /// The template's own language first, then the translations.
    private let forms: [EncodedCard]
    private let languages: [String]

    let isPinned: Bool
    let priority: Int
    /// Whether it ever leaves by itself; most cards do not, and then nobody's clock has to be asked.
    private let expires: Bool

    init(variant: Campaign.Variant, of campaign: Campaign, isTest: Bool = false, engine: TemplateEngine) {
        self.variant = variant.id
        let template = variant.card ?? campaign.content.variants.lazy.compactMap(\.card).first
        self.template = template
        isPinned = template?.isPinned ?? false
        priority = template?.priority ?? 0
        expires = template.map { $0.expiry != .never } ?? false
        isControl = variant.isControl
        let translations = variant.card.map { Array($0.translations.keys) } ?? []
        languages = [variant.card?.language ?? ""] + translations
        forms = ([template] + translations.map { variant.card?.translated(to: $0) }).map {
            EncodedCard($0, of: variant, of: campaign, isTest: isTest, engine: engine)
        }
        isTemplate = forms.contains(where: \.isTemplate)
        isPersonal =
            isTemplate || campaign.content.rules.followsAudience || template?.isLocal == true
            || variant.card?.translations.isEmpty == false
    }

    /// Returns the time at which a card that was given expires, or `nil` for never.
    func expiresAt(deliveredAt: UnixTime, for viewer: CardViewer) -> UnixTime? {
        expires ? template?.expiresAt(deliveredAt: deliveredAt, clock: viewer.clock) : nil
    }

    /// Returns the place of a card that was given, and the time at which it expires: as it was frozen, or as it is by
    /// now.
    func place(of delivery: borrowing Delivery, for viewer: CardViewer) -> FrozenCard.Place {
        if let rendered = delivery.origin?.rendered, let place = FrozenCard.place(in: rendered) { return place }
        let expiresAt = expiresAt(deliveredAt: delivery.deliveredAt, for: viewer)
        return FrozenCard.Place(isPinned: isPinned, priority: priority, expiresAt: expiresAt)
    }

    /// The members that do not depend on what became of the card, each with a comma before it: as they were frozen, or
    /// rendered with what the card was given for.
    func members(of origin: DeliveryOrigin?, for viewer: CardViewer) throws(TemplateFailure) -> [UInt8] {
        if let rendered = origin?.rendered {
            let members = FrozenCard.members(in: rendered, on: viewer.platform)
            guard FrozenCard.isReadable(members: members) else { throw .unreadable }
            return members
        }
        return try form(for: viewer).members(for: viewer, properties: origin?.properties)
    }

    /// Returns the parts of the card that are kept where it stays as it was rendered when it was given.
    func frozen(for viewer: CardViewer, properties: [UInt8]?) throws(TemplateFailure) -> [UInt8] {
        let expiresAt = expiresAt(deliveredAt: viewer.now, for: viewer)
        let place = FrozenCard.Place(isPinned: isPinned, priority: priority, expiresAt: expiresAt)
        return try form(for: viewer).frozen(for: viewer, properties: properties, place)
    }

    private func form(for viewer: CardViewer) -> EncodedCard {
        guard forms.count > 1, let wanted = viewer.profile.languageTag,
            let index = LanguageTag.bestMatch(for: wanted, among: languages)
        else { return forms[0] }
        return forms[index]
    }
}

extension CardTemplate {
    /// Whether the user's own time counts.
    fileprivate var isLocal: Bool {
        if case .atLocal = expiry { true } else { false }
    }
}

extension Delivery {
    /// Appends a card: what it has in common with others, and what only this one has.
    borrowing func write(_ members: [UInt8], expiresAt: UnixTime?, to writer: inout JSONWriter) {
        writer.raw(#"{"id":""#)
        writer.bytes.append(contentsOf: card.rawValue.utf8)
        writer.raw("\"")
        writer.raw(members)
        writer.raw(#","created_at":"#)
        writer.number(deliveredAt)
        writer.raw(#","expires_at":"#)
        if let expiresAt { writer.number(expiresAt) } else { writer.raw("null") }
        writer.raw(#","viewed":"#)
        writer.bool(isViewed)
        writer.raw(#","clicked":"#)
        writer.bool(isClicked)
        writer.raw(#","dismissed":"#)
        writer.bool(isDismissed)
        writer.raw("}")
    }
}
