import CardModel

/// What a user has done with a card so far.
struct CardMarks {
    var isViewed: Bool
    var isClicked: Bool
    var isDismissed: Bool
    /// When each last happened.
    var viewedAt: UnixTime?
    var clickedAt: UnixTime?
    var dismissedAt: UnixTime?

    /// Takes in what happened and returns whether it is later than what had happened before.
    mutating func take(_ kind: DeviceEvent.Kind, at time: UnixTime) -> Bool {
        func isLater(_ last: inout UnixTime?) -> Bool {
            guard time > last ?? -.infinity else { return false }
            last = time
            return true
        }
        switch kind {
        case .impression: return isLater(&viewedAt)
        case .click: return isLater(&clickedAt)
        case .dismissal: return isLater(&dismissedAt)
        case .custom, .purchase, .sessionStart, .contentError, .attributes: return false
        }
    }

    /// Takes in what happened and returns whether it had not happened before.
    ///
    /// Two devices may each dismiss a card before they hear of one another; then the second dismissal is news to the
    /// log but not to the card.
    mutating func take(_ kind: DeviceEvent.Kind) -> Bool {
        switch kind {
        case .impression:
            defer { isViewed = true }
            return !isViewed
        case .click:
            defer { isClicked = true }
            return !isClicked
        case .dismissal:
            defer { isDismissed = true }
            return !isDismissed
        case .custom, .purchase, .sessionStart, .contentError, .attributes:
            return false
        }
    }
}

/// A card that events of a batch are about.
struct CardOfBatch {
    let id: CardID
    let campaign: CampaignID
    let variant: VariantID
    var marks: CardMarks
    /// When it was first seen, whenever that was told.
    var firstViewedAt: UnixTime?
    /// Whether the times of the marks are still to be written.
    var isTouched = false
}

/// The cards that the events of a batch are about, each read once and marked as the batch goes on.
struct CardsOfBatch {
    let user: UserID
    /// The user's version once any card has been marked.
    let nextVersion: UserVersion
    var areChanged = false
    private var cards: [CardID: CardOfBatch] = [:]

    init(user: UserID, nextVersion: UserVersion) {
        self.user = user
        self.nextVersion = nextVersion
    }

    /// The cards whose times are still to be written.
    var touched: [CardOfBatch] { cards.values.filter(\.isTouched) }

    subscript(id: CardID) -> CardOfBatch? {
        get { cards[id] }
        set { cards[id] = newValue }
    }
}

extension CampaignCounts {
    // safe: counts go up by one
    /// Adds what happened.
    ///
    /// - Parameters:
    ///   - kind: What it was.
    ///   - isNew: Whether it had not happened to that card before.
    ///   - isFirst: Whether it had happened to none of the user's cards of the campaign.
    mutating func count(_ kind: DeviceEvent.Kind, isNew: Bool, isFirst: Bool) {
        switch kind {
        case .impression:
            impressions += 1
            if isFirst { uniqueImpressions += 1 }
        case .click:
            clicks += 1
            if isFirst { uniqueClicks += 1 }
        case .dismissal:
            if isNew { dismissals += 1 }
        case .contentError:
            decodeErrors += 1
        case .custom, .purchase, .sessionStart, .attributes:
            break
        }
    }
}
