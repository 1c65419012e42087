import WireJSON

/// A card that events of a batch are about.
public struct RecordedCard: Sendable, Hashable {
    /// The card.
    public let id: CardID
    /// The campaign that gave it.
    public let campaign: CampaignID
    /// The variant.
    public let variant: VariantID
    /// The user's actions on the card.
    public internal(set) var marks: CardMarks
    /// The time at which it was first seen, however late that was told, or `nil` for not yet.
    public internal(set) var firstViewedAt: UnixTime?
    /// Whether the batch changed what a device is told of the card.
    public internal(set) var isMarked = false
    /// Whether the batch changed when the card was seen, clicked or dismissed.
    public internal(set) var isTouched = false

    /// Creates a card as a store has it.
    public init(
        id: CardID,
        campaign: CampaignID,
        variant: VariantID,
        marks: CardMarks = CardMarks(),
        firstViewedAt: UnixTime? = nil
    ) {
        self.id = id
        self.campaign = campaign
        self.variant = variant
        self.marks = marks
        self.firstViewedAt = firstViewedAt
    }

    /// Whether the card, seen at that time, was seen earlier than is known.
    func isFirstView(at time: UnixTime) -> Bool { time < firstViewedAt ?? .greatestFiniteMagnitude }
}

/// One of a user's cards of a campaign, as what else happens to the campaign's cards depends on it.
public struct CampaignCard: Sendable, Hashable {
    /// The values of the card that conversions depend on.
    public internal(set) var convertible: ConvertibleCard
    /// Whether it was seen.
    public internal(set) var isViewed: Bool
    /// Whether it was clicked.
    public internal(set) var isClicked: Bool
    /// The reason why it left for good, or `nil` where it didn't.
    public internal(set) var end: Delivery.End?

    /// Creates a card as a store has it.
    public init(_ convertible: ConvertibleCard, isViewed: Bool, isClicked: Bool, end: Delivery.End?) {
        self.convertible = convertible
        self.isViewed = isViewed
        self.isClicked = isClicked
        self.end = end
    }
}

/// One conversion of a campaign.
public struct ConversionPlace: Sendable, Hashable {
    /// The campaign.
    public let campaign: CampaignID
    /// The conversion's id.
    @Bytewise public private(set) var conversion: String

    /// Creates a place.
    public init(campaign: CampaignID, conversion: String) {
        self.campaign = campaign
        self.conversion = conversion
    }

    init(_ match: ConversionRules.ConversionMatch) {
        self.init(campaign: match.campaign, conversion: match.conversion.id)
    }
}

/// The triggers that wait to give a user a card of a campaign.
public struct WaitingTriggers: Sendable, Hashable {
    /// A trigger of the user, or of everybody.
    public struct Element: Sendable, Hashable {
        /// The trigger.
        public let id: TriggerID
        /// The time of the event.
        public let at: UnixTime
        /// The time from which it can give a card.
        public let due: PlannedTime
        /// The time until which it can give a card.
        public let until: UnixTime

        /// Creates an element.
        public init(id: TriggerID, at: UnixTime, due: PlannedTime, until: UnixTime) {
            self.id = id
            self.at = at
            self.due = due
            self.until = until
        }
    }

    /// The triggers of the user that wait.
    public var own: [Element]
    /// The broadcasts that may still give a card, but for those of which a trigger of the user has given it.
    public var broadcasts: [Element]

    /// Creates what a store has.
    public init(own: [Element] = [], broadcasts: [Element] = []) {
        self.own = own
        self.broadcasts = broadcasts
    }
}
