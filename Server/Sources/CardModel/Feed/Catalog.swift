import WireJSON

/// Every campaign that a device may see something of, prepared for reading.
///
/// A catalog is a value of one generation: syncs that are under way keep theirs while the next one is made.
public struct Catalog: Sendable {
    /// A campaign with its cards encoded.
    ///
    /// A class, as is ``EncodedCard``: syncs pass them about, and a campaign is too much to copy each time.
    public final class Entry: Sendable {
        /// The campaign.
        public let campaign: Campaign
        /// The place among ``Catalog/active``, or `nil` where it reaches nobody new.
        let activeIndex: Int?
        /// The campaign's audience.
        public let audience: AudienceMatcher
        private let cards: [EncodedCard]

        fileprivate init(_ campaign: Campaign, activeIndex: Int?, segments: [SegmentID: Audience]) {
            self.campaign = campaign
            self.activeIndex = activeIndex
            audience = AudienceMatcher(campaign.content.audience, segments: segments)
            cards = campaign.content.variants.map { EncodedCard(variant: $0, of: campaign.id) }
        }

        /// The card of a delivery, or `nil` where the campaign took it back.
        func card(of delivery: Delivery) -> EncodedCard? {
            campaign.isWithdrawn ? nil : cards.first { $0.variant == delivery.variant }
        }
    }

    /// The generation that this catalog shows.
    public let generation: CatalogGeneration
    /// How many cards a user may have; see ``Settings``.
    public let cardLimit: Int
    /// Each campaign that was ever launched.
    public let entries: [CampaignID: Entry]
    /// Those that reach new users, in the order in which they were launched.
    public let active: [Entry]
    /// What has to be known of users' histories to tell who is in the audiences of the active campaigns.
    public let historyParts: UserHistory.Parts
    /// The IANA time zone of the workspace's days.
    public let timeZone: String
    private let starts: [UnixTime]

    /// Prepares campaigns.
    ///
    /// - Parameters:
    ///   - campaigns: Every campaign that was ever launched; drafts are passed over.
    ///   - generation: The generation of those campaigns.
    ///   - segments: The audiences of the saved segments.
    ///   - cardLimit: How many cards a user may have.
    ///   - timeZone: The IANA time zone of the workspace's days.
    public init(
        campaigns: [Campaign],
        generation: CatalogGeneration,
        segments: [SegmentID: Audience] = [:],
        cardLimit: Int = Settings().cardLimit,
        timeZone: String = Settings().timeZone
    ) {
        self.generation = generation
        self.cardLimit = cardLimit
        self.timeZone = timeZone
        let launched = campaigns.filter { $0.launchedAt != nil }
        active = launched.filter { $0.status == .active }
            .sorted { ($0.launchedAt ?? 0, $0.id.rawValue) < ($1.launchedAt ?? 0, $1.id.rawValue) }
            .enumerated().map { Entry($1, activeIndex: $0, segments: segments) }
        let others = launched.filter { $0.status != .active }
            .map { Entry($0, activeIndex: nil, segments: segments) }
        historyParts = active.reduce(into: []) { $0.formUnion($1.audience.parts) }
        entries = Dictionary((active + others).map { ($0.campaign.id, $0) }, uniquingKeysWith: { _, last in last })
        starts = active.compactMap(\.campaign.start).sorted()
    }

    /// The next moment after `now` at which a campaign starts to reach users, or `nil`.
    public func nextStart(after now: UnixTime) -> UnixTime? {
        starts.first { $0 > now }
    }
}

extension Campaign {
    /// When the schedule opens, or `nil` for it always was.
    var start: UnixTime? {
        switch content.delivery {
        case .scheduled(let start, _): start
        }
    }

    /// Whether the campaign's schedule is open.
    func isOpen(at now: UnixTime) -> Bool {
        switch content.delivery {
        case .scheduled(let start, let end): (start ?? -.infinity) <= now && now < (end ?? .infinity)
        }
    }

    private var cards: [VariantID: CardTemplate?] {
        Dictionary(content.variants.map { ($0.id, $0.card) }, uniquingKeysWith: { _, last in last })
    }

    /// Whether a device has something to see of the change from `old`.
    public func differsOnDevices(from old: Campaign) -> Bool {
        cards != old.cards || isWithdrawn != old.isWithdrawn
    }
}

/// A variant's card as the wire has it, encoded once for all of its users.
final class EncodedCard: Sendable {
    let variant: VariantID
    /// The members that are the same for everybody, each with a comma before it.
    let shared: [UInt8]
    let template: CardTemplate?

    var isPinned: Bool { template?.isPinned ?? false }
    var priority: Int { template?.priority ?? 0 }

    /// Whether a card that was given is in the user's feed at that moment.
    func isShown(_ delivery: Delivery, at now: UnixTime) -> Bool {
        !delivery.isDismissed && delivery.end == nil && (expiresAt(delivery) ?? .infinity) > now
    }

    func expiresAt(_ delivery: Delivery) -> UnixTime? {
        template?.expiresAt(deliveredAt: delivery.deliveredAt)
    }

    init(variant: Campaign.Variant, of campaign: CampaignID) {
        self.variant = variant.id
        template = variant.card
        var writer = JSONWriter(capacity: 512)
        writer.raw(#","type":"#)
        writer.string(variant.card?.layout.rawValue ?? "control")
        if let card = variant.card { Self.write(card, to: &writer) }
        writer.raw(#","pinned":"#)
        writer.bool(variant.card?.isPinned ?? false)
        writer.raw(#","dismissible":"#)
        writer.bool(variant.card?.isDismissible ?? false)
        writer.raw(#","priority":"#)
        writer.integer(variant.card?.priority ?? 0)
        writer.raw(#","test":false,"campaign_id":"#)
        writer.string(campaign.rawValue)
        writer.raw(#","variant_id":"#)
        writer.string(variant.id.rawValue)
        shared = writer.bytes
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

    /// Appends the card of one user.
    func write(_ delivery: Delivery, to writer: inout JSONWriter) {
        writer.raw(#"{"id":""#)
        writer.bytes.append(contentsOf: delivery.card.rawValue.utf8)
        writer.raw("\"")
        writer.raw(shared)
        writer.raw(#","created_at":"#)
        writer.number(delivery.deliveredAt)
        writer.raw(#","expires_at":"#)
        if let expiry = expiresAt(delivery) { writer.number(expiry) } else { writer.raw("null") }
        writer.raw(#","viewed":"#)
        writer.bool(delivery.isViewed)
        writer.raw(#","clicked":"#)
        writer.bool(delivery.isClicked)
        writer.raw(#","dismissed":"#)
        writer.bool(delivery.isDismissed)
        writer.raw("}")
    }
}
