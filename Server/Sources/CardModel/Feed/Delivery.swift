/// One card that one user was given, and what became of it.
public struct Delivery: Sendable, Hashable {
    /// Why a card left for good.
    public enum End: String, Sendable {
        /// The user had more cards than the limit, and this was the oldest.
        case limit
    }

    /// The card's id.
    public var card: CardID
    /// The campaign that gave it.
    public var campaign: CampaignID
    /// How often the campaign had given the user a card before.
    public var ordinal: Int
    /// The variant, fixed at first delivery.
    public var variant: VariantID
    /// When it was given.
    public var deliveredAt: UnixTime
    /// Whether it was seen.
    public var isViewed = false
    /// Whether it was clicked.
    public var isClicked = false
    /// Whether it was dismissed.
    public var isDismissed = false
    /// When it was last seen, or `nil` where that is not known.
    public var lastViewedAt: UnixTime?
    /// When it was last clicked, or `nil` where that is not known.
    public var lastClickedAt: UnixTime?
    /// When it was last dismissed, or `nil` where that is not known.
    public var dismissedAt: UnixTime?
    /// Why it left for good, or `nil` for it has not.
    public var end: End?
    /// The user's version at which any of this last changed.
    public var changedAt: UserVersion

    /// Makes a card that has just been given.
    public init(
        card: CardID,
        campaign: CampaignID,
        ordinal: Int,
        variant: VariantID,
        deliveredAt: UnixTime,
        changedAt: UserVersion = 0
    ) {
        self.card = card
        self.campaign = campaign
        self.ordinal = ordinal
        self.variant = variant
        self.deliveredAt = deliveredAt
        self.changedAt = changedAt
    }
}

/// Everything about a user that decides their feed.
public struct UserState: Sendable, Hashable {
    /// What is known of the user.
    public var profile: UserProfile
    /// The version of all of this; 0 for a user the store does not know.
    public var version: UserVersion
    /// Every card the user was given, the oldest first.
    public var deliveries: [Delivery]
    /// What the user did, as far as it was asked for.
    public var history: UserHistory

    /// Makes a state.
    public init(
        profile: UserProfile,
        version: UserVersion = 0,
        deliveries: [Delivery] = [],
        history: UserHistory = UserHistory()
    ) {
        self.profile = profile
        self.version = version
        self.deliveries = deliveries
        self.history = history
    }
}
