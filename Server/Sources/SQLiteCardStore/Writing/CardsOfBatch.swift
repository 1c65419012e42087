import CardModel

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
