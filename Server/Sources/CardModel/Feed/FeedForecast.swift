/// The state of a user that a sync at a moment would lead to.
///
/// Nothing of it is saved. A card may put its user into the audience of another campaign, so a sync goes on deciding
/// until there is nothing left to decide, and so does this.
public struct FeedForecast: Sendable {
    /// Returns the highest number of decisions: one each time a campaign gives a card, or a trigger ends.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - catalog: The campaigns.
    /// - Returns: The number, 32 or more.
    public static func rounds(for user: UserState, in catalog: Catalog) -> Int {
        32 + catalog.active.count + user.triggers.count
    }

    /// The user with what they would be given: cards whose ids are empty.
    public private(set) var user: UserState
    /// The first decision, which knows of the triggers that it ends.
    public private(set) var first: FeedDecision
    /// The last decision, which finds nothing new.
    public private(set) var last: FeedDecision
    /// The cards of the user that would be taken away for good.
    public private(set) var endings: [CardID: Delivery.End] = [:]
    /// The cards that the user would be given, by campaign; what a later decision takes away has an end.
    ///
    /// One that stays need not be in the feed: another card may have put its user out of an audience that it follows.
    public private(set) var given: [CampaignID: [Delivery]] = [:]

    /// Decides for one user at one moment.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - catalog: The campaigns.
    ///   - now: The moment.
    ///   - platform: Where the app of the device runs, if it is known.
    ///   - explains: Whether the decisions' reasons are wanted, which costs a little more.
    ///   - budget: What rendering the cards of each decision may cost.
    public init(
        for user: UserState,
        in catalog: Catalog,
        at now: UnixTime,
        platform: CardTemplate.Platform? = nil,
        explains: Bool = false,
        budget: @autoclosure () -> RenderBudget = .feed
    ) {
        func decision(for user: UserState) -> FeedDecision {
            FeedDecision(for: user, in: catalog, at: now, platform: platform, explains: explains, budget: budget())
        }
        self.user = user
        first = decision(for: user)
        last = first
        for _ in 0..<Self.rounds(for: user, in: catalog) where !last.isEmpty {
            apply(last, at: now)
            last = decision(for: self.user)
        }
        for index in self.user.deliveries.indices.dropFirst(user.deliveries.count) {
            self.user.deliveries[index].card = CardID(rawValue: "")
            let delivery = self.user.deliveries[index]
            given[delivery.campaign, default: []].append(delivery)
        }
    }

    /// Does to the user what saving a decision does.
    private mutating func apply(_ decision: FeedDecision, at now: UnixTime) {
        endings.merge(decision.endings) { $1 }
        for index in user.deliveries.indices {
            guard let end = decision.endings[user.deliveries[index].card] else { continue }
            user.deliveries[index].end = end
        }
        for addition in decision.additions {
            user.deliveries.append(
                Delivery(
                    // A later decision may take the card away, so its id is its own.
                    card: CardID(rawValue: "forecast-\(user.deliveries.count)"),
                    campaign: addition.campaign,
                    ordinal: addition.ordinal,
                    variant: addition.variant,
                    deliveredAt: now,
                    origin: addition.origin
                )
            )
        }
        user.triggers.removeAll { trigger in
            decision.discards.contains { $0.campaign == trigger.campaign && $0.trigger == trigger.id }
                || decision.additions.contains {
                    $0.campaign == trigger.campaign && $0.origin?.trigger == trigger.id
                }
        }
    }
}
