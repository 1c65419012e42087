/// One card that one user was given, and what became of it.
public struct Delivery: Sendable, Hashable {
    /// The reason why a card left for good.
    public enum End: String, Sendable {
        /// The user had more cards than the limit, and this was the oldest.
        case limit
        /// The user did something after which the campaign takes its cards away.
        case removalEvent = "removal_event"
    }

    /// The card's id.
    public var card: CardID
    /// The campaign that gave it.
    public var campaign: CampaignID
    /// The number of cards that the campaign had given the user before.
    public var ordinal: Int
    /// The variant, fixed at first delivery.
    public var variant: VariantID
    /// The time at which it was given.
    public var deliveredAt: UnixTime
    /// Whether it was seen.
    public var isViewed = false
    /// Whether it was clicked.
    public var isClicked = false
    /// Whether it was dismissed.
    public var isDismissed = false
    /// The time at which it was last seen, or `nil` where that is not known.
    public var lastViewedAt: UnixTime?
    /// The time at which it was last clicked, or `nil` where that is not known.
    public var lastClickedAt: UnixTime?
    /// The time at which it was last dismissed, or `nil` where that is not known.
    public var dismissedAt: UnixTime?
    /// The reason why it left for good, or `nil` where it has not.
    public var end: End?
    /// The user's version at which any of this last changed.
    public var changedAt: UserVersion
    /// The event that the card was given for and what was kept of it, or `nil` where there is nothing to say.
    public var origin: DeliveryOrigin?

    /// Creates a card that has just been given.
    public init(
        card: CardID,
        campaign: CampaignID,
        ordinal: Int,
        variant: VariantID,
        deliveredAt: UnixTime,
        changedAt: UserVersion = 0,
        origin: DeliveryOrigin? = nil
    ) {
        self.card = card
        self.campaign = campaign
        self.ordinal = ordinal
        self.variant = variant
        self.deliveredAt = deliveredAt
        self.changedAt = changedAt
        self.origin = origin
    }
}

/// The event that a card was given for, and what was kept of it.
///
/// A class, since most cards have none and all are passed about.
public final class DeliveryOrigin: Sendable, Hashable {
    /// The send or event, or `nil` where the campaign's schedule gave the card.
    public let trigger: TriggerID?
    /// The properties that templates can read, a JSON object; `nil` for nothing.
    public let properties: [UInt8]?
    /// The members of the card that were frozen when it was given, each with a comma before it; `nil` where it is live.
    public let rendered: [UInt8]?

    /// Creates an origin, or returns `nil` where there is nothing to say.
    public init?(trigger: TriggerID?, properties: [UInt8]? = nil, rendered: [UInt8]? = nil) {
        guard trigger != nil || properties != nil || rendered != nil else { return nil }
        self.trigger = trigger
        self.properties = properties
        self.rendered = rendered
    }

    /// Whether both say the same.
    public static func == (left: DeliveryOrigin, right: DeliveryOrigin) -> Bool {
        left === right
            || (left.trigger, left.properties, left.rendered) == (right.trigger, right.properties, right.rendered)
    }

    /// Hashes what it says.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(trigger)
        hasher.combine(properties)
        hasher.combine(rendered)
    }
}

/// Everything about a user that decides their feed.
public struct UserState: Sendable, Hashable {
    /// The user's profile.
    public var profile: UserProfile
    /// The version of all of this; 0 for a user the store does not know.
    public var version: UserVersion
    /// Every card the user was given, the oldest first.
    public var deliveries: [Delivery]
    /// The triggers that wait to give the user a card.
    public var triggers: [Trigger]
    /// The user's history, as far as it was asked for.
    public var history: UserHistory
    /// The cards that members sent to the user to try them.
    public var testCards: [TestCard] = []

    /// Creates a state.
    public init(
        profile: UserProfile,
        version: UserVersion = 0,
        deliveries: [Delivery] = [],
        triggers: [Trigger] = [],
        history: UserHistory = UserHistory()
    ) {
        self.profile = profile
        self.version = version
        self.deliveries = deliveries
        self.triggers = triggers
        self.history = history
    }
}
