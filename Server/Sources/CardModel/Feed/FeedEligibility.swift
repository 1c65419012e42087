/// A card that a campaign would give a user: what remains to be asked is whether others leave room for it.
struct CardCandidate {
    let entry: Catalog.Entry
    let card: CatalogCard
    /// The number of cards that the campaign gave the user before this decision.
    let given: Int
    let trigger: Trigger?
    let isBroadcast: Bool
    /// The time since which it has been on offer.
    let since: UnixTime
    /// The candidate's place among those of a decision.
    var place = 0
    /// The card as it will stay, where the campaign freezes it.
    var rendered: [UInt8]?
    /// Triggers of the campaign that give no card of their own if this one is given.
    var superseded: [Trigger] = []

    /// Whether the card stays as it is rendered when it is given.
    var freezes: Bool { entry.campaign.content.rules.freezes && !card.isControl }

    /// The event that the card will be given for.
    var origin: DeliveryOrigin? {
        DeliveryOrigin(trigger: trigger?.id, properties: trigger?.properties, rendered: rendered)
    }
}

/// The cards that a user was given of a campaign before.
struct CardHistory {
    var count = 0
    /// The index of the last of them among the user's deliveries.
    var last = 0
}

/// The cards that a campaign has for a user, and the reason why there are no more.
struct CampaignEligibility {
    var candidates: [CardCandidate] = []
    /// Triggers that will never give a card.
    var discards: [FeedDecision.Discard] = []
    var reason: WithheldReason?
    /// The time from which the eligibility can be another, though nothing has changed.
    var recheckAt = UnixTime.infinity

    mutating func withhold(_ reason: WithheldReason) {
        self.reason = self.reason ?? reason
        recheckAt = min(recheckAt, reason.recheckAt ?? .infinity)
    }

    /// Gives nothing after all; what will never give a card stays so.
    mutating func withholdAll(_ reason: WithheldReason) {
        candidates = []
        self.reason = reason
        recheckAt = min(recheckAt, reason.recheckAt ?? .infinity)
    }
}

/// Asks one campaign after another what it has for a user at one moment.
struct FeedEligibility {
    let user: UserState
    let catalog: Catalog
    let viewer: CardViewer
    /// The triggers that gave the user a card, where many wait; `nil` where it is faster to look through the cards.
    private let used: Set<TriggerKey>?

    init(user: UserState, catalog: Catalog, viewer: CardViewer) {
        self.user = user
        self.catalog = catalog
        self.viewer = viewer
        used = user.triggers.count < 8 ? nil : user.usedTriggers
    }

    private var now: UnixTime { viewer.now }

    func evaluate(_ entry: Catalog.Entry, _ history: CardHistory) -> CampaignEligibility {
        var eligibility = CampaignEligibility()
        if let start = entry.schedule.start?.moment(in: viewer.clock), start > now {
            eligibility.withhold(.notStarted(start))
        } else if let end = entry.schedule.end?.moment(in: viewer.clock), end <= now {
            eligibility.withhold(.ended(end))
        } else if history.count > 0, user.deliveries.count >= FeedDecision.cardsOfUser {
            eligibility.withhold(.tooManyCards)
        } else if entry.isTriggered {
            checkTriggers(of: entry, history, &eligibility)
        } else {
            checkSchedule(of: entry, history, &eligibility)
        }
        return eligibility
    }

    // MARK: What entitles the user

    private func checkSchedule(
        of entry: Catalog.Entry,
        _ history: CardHistory,
        _ eligibility: inout CampaignEligibility
    ) {
        if history.count > 0 {
            // safe: the history says where it is
            let last = user.deliveries[history.last]
            guard case .after(let seconds) = entry.reeligibility else {
                return eligibility.withhold(.notReeligible(until: nil))
            }
            let time = max(entry.absence(of: last, for: viewer), last.deliveredAt + seconds)
            guard time <= now else {
                return eligibility.withhold(.notReeligible(until: time.isFinite ? time : nil))
            }
        }
        guard let card = card(of: entry, history, &eligibility) else { return }
        eligibility.candidates = [
            CardCandidate(
                entry: entry,
                card: card,
                given: history.count,
                trigger: nil,
                isBroadcast: false,
                since: history.count > 0 ? now : entry.offeredSince
            )
        ]
    }

    private func checkTriggers(
        of entry: Catalog.Entry,
        _ history: CardHistory,
        _ eligibility: inout CampaignEligibility
    ) {
        // safe: the history says where it is
        let last = history.count > 0 ? user.deliveries[history.last].deliveredAt : nil
        let waiting = waiting(for: entry, after: last, &eligibility)
        guard !waiting.isEmpty else {
            let isCancelled = user.triggers.contains { $0.campaign == entry.campaign.id && $0.coversBroadcast }
            return eligibility.withhold(isCancelled ? .triggerOver(.removed) : .notTriggered)
        }
        var entitled: [WaitingTrigger] = []
        for one in waiting {
            if one.due > now {
                eligibility.withhold(.triggerWaiting(until: one.due))
            } else if entry.allowsAnother(at: one.due, after: last) {
                entitled.append(one)
            } else {
                eligibility.withhold(.notReeligible(until: nil))
                if !one.isBroadcast { eligibility.discards.append(.init(one.trigger, .notReeligible)) }
            }
        }
        guard !entitled.isEmpty, let card = card(of: entry, history, &eligibility) else { return }
        eligibility.candidates = entitled.map { one in
            CardCandidate(
                entry: entry,
                card: card,
                given: history.count,
                trigger: one.trigger,
                isBroadcast: one.isBroadcast,
                since: one.due
            )
        }
    }

    /// A trigger that waits, and when it is due for the user.
    private struct WaitingTrigger {
        var trigger: Trigger
        var isBroadcast: Bool
        var due: UnixTime
    }

    /// Finds the triggers of a campaign that may give a card.
    ///
    /// - Parameters:
    ///   - entry: The campaign.
    ///   - last: When the last card was given; `nil` for none.
    ///   - eligibility: What the campaign has for the user, which gets what will never give a card.
    /// - Returns: The triggers, those that are due first in front.
    private func waiting(
        for entry: Catalog.Entry,
        after last: UnixTime?,
        _ eligibility: inout CampaignEligibility
    ) -> [WaitingTrigger] {
        let campaign = entry.campaign.id
        var waiting: [WaitingTrigger] = []
        var covered: Set<TriggerID> = []
        for trigger in user.triggers where trigger.campaign == campaign && trigger.until > now {
            // A send may name users and reach an audience as well: a user who is meant twice gets one card.
            if !isNews(trigger) {
                eligibility.discards.append(.init(trigger, .delivered))
            } else if trigger.coversBroadcast {
                covered.insert(trigger.id)
            } else {
                waiting.append(WaitingTrigger(trigger: trigger, isBroadcast: false, due: due(trigger)))
            }
        }
        for (broadcast, audience) in zip(entry.broadcasts, entry.broadcastAudiences) where broadcast.trigger.until > now
        {
            guard !covered.contains(broadcast.trigger.id) else { continue }
            // The user's own trigger of that id comes first, unless it ends with this decision and gives nothing.
            let isOwn = waiting.contains { own in
                own.trigger.id == broadcast.trigger.id
                    && (own.due > now || entry.allowsAnother(at: own.due, after: last))
            }
            guard !isOwn else { continue }
            let answer = audience.answer(of: viewer.facts)
            if !answer.matches {
                eligibility.recheckAt = min(eligibility.recheckAt, answer.until ?? .infinity)
            } else if isNews(broadcast.trigger) {
                let due = due(broadcast.trigger)
                waiting.append(WaitingTrigger(trigger: broadcast.trigger, isBroadcast: true, due: due))
            }
        }
        return waiting.sorted { ($0.due, $0.trigger.id) < ($1.due, $1.trigger.id) }
    }

    /// Returns the time at which a trigger is due for the user.
    ///
    /// A send that asks for a time before it was made is due when it was made.
    private func due(_ trigger: Trigger) -> UnixTime { max(trigger.due.moment(in: viewer.clock), trigger.at) }

    private func isNews(_ trigger: Trigger) -> Bool {
        if let used { return !used.contains(TriggerKey(campaign: trigger.campaign, trigger: trigger.id)) }
        return !user.deliveries.contains { $0.origin?.trigger == trigger.id && $0.campaign == trigger.campaign }
    }

    // MARK: What keeps the card from the user

    /// The card that the user is to get, or `nil` where something is in its way.
    private func card(
        of entry: Catalog.Entry,
        _ history: CardHistory,
        _ eligibility: inout CampaignEligibility
    ) -> CatalogCard? {
        let refusals = viewer.facts.patterns.refusals
        let answer = entry.audience.answer(of: viewer.facts)
        guard answer.matches else {
            let isKnown = viewer.facts.patterns.refusals == refusals
            eligibility.withholdAll(isKnown ? .audience(until: answer.until) : .searchLimit(until: answer.until))
            return nil
        }
        guard let variant = variant(of: entry, history), let card = entry.card(of: variant) else {
            eligibility.withholdAll(.noVariant)
            return nil
        }
        // A card that has expired before it is given would only be counted, never seen.
        if let expiry = card.expiresAt(deliveredAt: now, for: viewer), expiry <= now {
            eligibility.withholdAll(.wouldBeExpired)
            return nil
        }
        if !entry.ignoresQuietHours, let end = catalog.quietHours?.end(at: now, in: viewer.clock) {
            eligibility.withholdAll(.quietHours(until: end))
            return nil
        }
        return card
    }

    /// The variant that the user has been given before, unless it was ended since, or else the one that is theirs.
    private func variant(of entry: Catalog.Entry, _ history: CardHistory) -> VariantID? {
        // safe: the history says where it is
        if history.count > 0, let last = entry.campaign.variant(user.deliveries[history.last].variant), last.weight > 0
        {
            return last.id
        }
        return entry.race.winner(for: user.profile.id)
    }
}

extension UserState {
    fileprivate var usedTriggers: Set<TriggerKey> {
        var used: Set<TriggerKey> = []
        for delivery in deliveries {
            guard let trigger = delivery.origin?.trigger else { continue }
            used.insert(TriggerKey(campaign: delivery.campaign, trigger: trigger))
        }
        return used
    }
}

extension Catalog.Entry {
    /// Whether a card may be given for a trigger that is due at that moment, after the last one was given at `last`.
    func allowsAnother(at due: UnixTime, after last: UnixTime?) -> Bool {
        guard let last else { return true }
        switch reeligibility {
        case .never: return false
        case .after(let seconds): return seconds == 0 || due >= last + seconds
        }
    }

    /// The moment from which on a card that was given is gone, so that another may be given: infinite where only its
    /// user, or an edit of the campaign, can make it go.
    ///
    /// A card that left because of the limit is not gone before it would have left by itself. Otherwise it would come
    /// back with the next sync and push out another card, and so on with each sync.
    fileprivate func absence(of delivery: Delivery, for viewer: CardViewer) -> UnixTime {
        guard let card = liveCard(of: delivery.variant), !delivery.isDismissed, delivery.end != .removalEvent else {
            return -.infinity
        }
        return card.place(of: delivery, for: viewer).expiresAt ?? .infinity
    }
}
