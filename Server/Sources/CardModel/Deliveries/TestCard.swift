import WireJSON

/// A card that a member of the team sent to a user to try it.
///
/// It is rendered once, marked `test`, leaves after a day, and is counted nowhere.
public struct TestCard: Sendable, Hashable {
    /// The time for which a test card stays in a feed, in seconds: one day.
    public static let lifetime = 86_400.0
    /// The maximum number of test cards in a user's feed; the oldest leaves for a new one.
    public static let limit = 10
    /// The number of a user's replaced test cards that are kept, for devices that have yet to hear of it.
    public static let replacedLimit = 50

    /// The user's actions on a test card.
    public struct Marks: Sendable, Hashable {
        /// Whether it was seen.
        public var isViewed: Bool
        /// Whether it was clicked.
        public var isClicked: Bool
        /// Whether it was dismissed.
        public var isDismissed: Bool

        /// Creates marks; by default of a card with which the user has done nothing.
        public init(isViewed: Bool = false, isClicked: Bool = false, isDismissed: Bool = false) {
            self.isViewed = isViewed
            self.isClicked = isClicked
            self.isDismissed = isDismissed
        }
    }

    /// The card's id.
    public let card: CardID
    /// The campaign that it is a test of, a draft perhaps.
    public let campaign: CampaignID
    /// The variant.
    public let variant: VariantID
    /// The language that was asked for, or `nil` for the user's.
    @Bytewise public private(set) var language: String?
    /// The members of the card that don't depend on the delivery, each with a comma before it.
    public let members: [UInt8]
    /// Whether it stays on top of the feed.
    public let isPinned: Bool
    /// Its priority among the cards of the feed.
    public let priority: Int
    /// The time at which it was sent.
    public let sentAt: UnixTime
    /// The time at which it expires.
    public let expiresAt: UnixTime
    /// The user's actions on the card.
    public var marks = Marks()
    /// Whether another test card took its place.
    public var isReplaced = false
    /// The user's version at which any of this last changed; the store sets it.
    public var changedAt: UserVersion = 0

    /// Creates a test card.
    public init(
        card: CardID,
        campaign: CampaignID,
        variant: VariantID,
        language: String?,
        members: [UInt8],
        isPinned: Bool,
        priority: Int,
        sentAt: UnixTime,
        expiresAt: UnixTime
    ) {
        self.card = card
        self.campaign = campaign
        self.variant = variant
        self.language = language
        self.members = members
        self.isPinned = isPinned
        self.priority = priority
        self.sentAt = sentAt
        self.expiresAt = expiresAt
    }

    /// Returns whether the card is in its user's feed.
    public func isShown(at now: UnixTime) -> Bool { !isReplaced && !marks.isDismissed && now < expiresAt }

    /// Returns the cards that leave for a new one: that of the same campaign, variant and language, and the oldest
    /// beyond the limit.
    ///
    /// - Parameters:
    ///   - new: The new card.
    ///   - known: The cards that the user has.
    ///   - now: The time.
    /// - Returns: Their ids.
    public static func replaced(by new: TestCard, among known: [TestCard], at now: UnixTime) -> [CardID] {
        let shown = known.filter { $0.isShown(at: now) }.sorted { ($0.sentAt, $0.card) < ($1.sentAt, $1.card) }
        let same = shown.filter {
            $0.campaign == new.campaign && $0.variant == new.variant && $0._language == new._language
        }
        let others = shown.filter { !same.contains($0) }
        let excess = max(0, others.count - (limit - 1))
        return (same + others.prefix(excess)).map(\.card)
    }

    /// Notes what the user did with the card, and returns whether that is new.
    mutating func add(_ kind: DeviceEvent.EventKind) -> Bool {
        let before = marks
        switch kind {
        case .impression: marks.isViewed = true
        case .click: marks.isClicked = true
        case .dismissal: marks.isDismissed = true
        case .custom, .purchase, .sessionStart, .contentError, .attributes: break
        }
        return marks != before
    }

    /// The card as the feed writes it.
    var delivery: Delivery {
        var delivery = Delivery(
            card: card,
            campaign: campaign,
            ordinal: 0,
            variant: variant,
            deliveredAt: sentAt,
            changedAt: changedAt
        )
        delivery.isViewed = marks.isViewed
        delivery.isClicked = marks.isClicked
        delivery.isDismissed = marks.isDismissed
        return delivery
    }
}

/// The changes of a user's test cards that a device is told.
struct TestCardChanges {
    /// The cards that it is to show from now on.
    private(set) var shown: [TestCard] = []
    /// The cards that left since the cursor.
    private(set) var removed: [CardID] = []
    /// The time at which the next one expires; infinite for never.
    private(set) var recheckAt = UnixTime.infinity

    /// Works out what changed.
    ///
    /// - Parameters:
    ///   - cards: The user's test cards.
    ///   - cursor: Where the device stands, or `nil` for nowhere.
    ///   - now: The time.
    init(_ cards: [TestCard], since cursor: FeedCursor?, at now: UnixTime) {
        for card in cards {
            let hasChanged = cursor.map { card.changedAt > $0.version } ?? true
            guard card.isShown(at: now) else {
                let hasLeftBefore = card.isReplaced || card.marks.isDismissed
                if let cursor, hasChanged || !hasLeftBefore && card.expiresAt >= Double(cursor.issuedAt) {
                    removed.append(card.card)
                }
                continue
            }
            recheckAt = min(recheckAt, card.expiresAt)
            if hasChanged { shown.append(card) }
        }
    }
}
