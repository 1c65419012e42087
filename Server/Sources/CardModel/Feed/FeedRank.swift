/// A card's place in the order in which the limit keeps cards: pinned first, then by priority, then the newest.
struct FeedRank {
    enum RankPlace {
        /// A card that was given, by its index among the deliveries.
        case given(Int)
        /// A card to give, by its index among the chosen.
        case chosen(Int)
    }

    private let isPinned: Bool
    private let priority: Int
    private let since: UnixTime
    private let campaign: CampaignID
    let place: RankPlace

    init(_ delivery: Delivery, _ catalog: Catalog, for viewer: CardViewer, place: RankPlace) {
        let known = catalog.entries[delivery.campaign]?.liveCard(of: delivery.variant)?.place(of: delivery, for: viewer)
        isPinned = known?.isPinned ?? false
        priority = known?.priority ?? 0
        since = delivery.deliveredAt
        campaign = delivery.campaign
        self.place = place
    }

    init(_ candidate: CardCandidate, place: RankPlace) {
        isPinned = candidate.card.isPinned
        priority = candidate.card.priority
        since = candidate.since
        campaign = candidate.entry.campaign.id
        self.place = place
    }

    /// Returns the places of the cards that are in a user's feed, in the order in which they were given.
    static func ofShown(_ user: UserState, in catalog: Catalog, for viewer: CardViewer) -> [FeedRank] {
        user.deliveries.indices.filter { catalog.isShown(user.deliveries[$0], for: viewer) }
            .map { FeedRank(user.deliveries[$0], catalog, for: viewer, place: .given($0)) }
    }

    func isBefore(_ other: FeedRank) -> Bool {
        if isPinned != other.isPinned { return isPinned }
        if priority != other.priority { return priority > other.priority }
        if since != other.since { return since > other.since }
        return campaign.rawValue > other.campaign.rawValue
    }
}
