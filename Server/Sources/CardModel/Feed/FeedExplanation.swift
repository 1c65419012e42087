/// Says of one user and one campaign why its card is in the feed or is not.
///
/// It is made by the decisions that a sync makes, so that the two cannot differ.
public struct CampaignExplanation: Sendable {
    /// One card that the user was given.
    public struct Card: Sendable {
        /// The delivery and its present state.
        public var delivery: Delivery
        /// Whether it is in the feed, and why not.
        public var status: CardStatus
        /// The error that the user's device reported of a card it could not read, or `nil` for none.
        public var decodeError: String?
        /// Whether it is the control's, which is nothing to see.
        public var isControl: Bool
    }

    /// The campaign.
    public var campaign: Campaign
    /// Whether a sync at that moment would give a new card that is in the feed after it, or the control's.
    public var gives: Bool
    /// The cards that the user was given, the newest first.
    public var cards: [Card]
    /// The reason why no card comes, or no further one; `nil` where one comes.
    public var reason: WithheldReason?
    /// The explanation of the audience, clause by clause.
    public var audience: AudienceExplanation
    /// The variant that the user is assigned, or `nil` where every weight is 0.
    public var variant: Campaign.Variant?

    /// The one word that says it: why the campaign has or has no card in the feed.
    public var code: String {
        if gives { return variant?.isControl == true ? "control" : "shown" }
        if let shown = cards.first(where: \.status.isShown) {
            if shown.isControl { return "control" }
            return shown.decodeError == nil ? "shown" : "decode_error"
        }
        // What keeps a new card away says more than how the last one went, but for its not coming twice.
        if case .notReeligible = reason, let last = cards.first { return last.status.code }
        if case .status = reason, let last = cards.first { return last.status.code }
        return reason?.code ?? cards.first?.status.code ?? "not_triggered"
    }
}

extension Catalog {
    /// Explains campaigns, drafts too, by one forecast for all of them.
    ///
    /// - Parameters:
    ///   - campaigns: The campaigns.
    ///   - user: The user, with their whole history.
    ///   - past: What became of the last of their triggers that waits no more, by campaign.
    ///   - decodeErrors: What their devices could not read, by card.
    ///   - now: The moment.
    /// - Returns: The explanations, in the order of the campaigns.
    public func explanations(
        of campaigns: [Campaign],
        for user: UserState,
        past: [CampaignID: Trigger.TriggerOutcome] = [:],
        decodeErrors: [CardID: String] = [:],
        at now: UnixTime
    ) -> [CampaignExplanation] {
        let forecast = FeedForecast(for: user, in: self, at: now, explains: true)
        let viewer = CardViewer(forecast.user, in: self, at: now)
        let deliveries = Dictionary(grouping: user.deliveries.reversed(), by: \.campaign)
        var room = AudienceExplanation.Room()
        return campaigns.map { campaign in
            let id = campaign.id
            let cards = (deliveries[id] ?? []).map { delivery in
                CampaignExplanation.Card(
                    delivery: delivery,
                    status: forecast.endings[delivery.card].map(CardStatus.taken)
                        ?? status(of: delivery, for: viewer),
                    decodeError: decodeErrors[delivery.card],
                    isControl: campaign.variant(delivery.variant)?.isControl ?? false
                )
            }
            var reason = forecast.reason(of: id) ?? (entries[id] == nil ? .status(campaign.status) : nil)
            if reason == .notTriggered, let outcome = past[id], outcome != .delivered { reason = .triggerOver(outcome) }
            let matcher = entries[id]?.audience ?? gaps.matcher(of: campaign.content.audience, segments: segments)
            // The same sync may give a card and, because of another one, not show it.
            let statuses = (forecast.given[id] ?? []).map { status(of: $0, for: viewer) }
            let given = statuses.first(where: \.isShown) ?? statuses.last
            if let given { reason = WithheldReason(given) }
            let refusals = viewer.facts.patterns.refusals
            let audience = matcher.explanation(of: viewer.facts, within: &room)
            // Alone, the audience was asked: it is what leaves the user out, whatever the sync could have found.
            if case .searchLimit(let until) = reason, !audience.matches, viewer.facts.patterns.refusals == refusals {
                reason = .audience(until: until)
            }
            return CampaignExplanation(
                campaign: campaign,
                gives: given?.isShown ?? false,
                cards: cards,
                reason: reason,
                audience: audience,
                variant: VariantAssignment.variant(of: campaign, for: user.profile.id)
            )
        }
    }

    /// The campaigns that were ever launched, those first that concern a user.
    ///
    /// These are the active, and those of which the user has a card. Of either kind those come first that were launched
    /// last.
    public func campaigns(concerning user: UserState) -> [Campaign] {
        let given = Set(user.deliveries.map(\.campaign))
        let order = entries.values.map { entry in
            (
                concerns: entry.activeIndex != nil || given.contains(entry.campaign.id),
                launchedAt: entry.campaign.launchedAt ?? 0, entry: entry
            )
        }
        .sorted { first, second in
            if first.concerns != second.concerns { return first.concerns }
            if first.launchedAt != second.launchedAt { return first.launchedAt > second.launchedAt }
            return first.entry.campaign.id.rawValue > second.entry.campaign.id.rawValue
        }
        return order.map(\.entry.campaign)
    }
}

extension FeedForecast {
    /// Returns the reason why a campaign gives no card, or no further one.
    ///
    /// Only the first decision knows of a trigger that it ends; to the last one there is none.
    fileprivate func reason(of campaign: CampaignID) -> WithheldReason? {
        guard let reason = last.reasons[campaign], reason != .notTriggered else { return first.reasons[campaign] }
        return reason
    }
}

extension WithheldReason {
    /// Creates the reason why a card that a sync gives is not in the feed after it, or `nil` for one that is.
    fileprivate init?(_ status: CardStatus) {
        switch status {
        case .outsideAudience(let until): self = .audience(until: until)
        case .withheld(let failure): self = .template(failure)
        case .expired: self = .wouldBeExpired
        case .taken(.limit): self = .cardLimit
        case .shown, .kept, .dismissed, .taken(.removalEvent), .withdrawn: return nil
        }
    }
}
