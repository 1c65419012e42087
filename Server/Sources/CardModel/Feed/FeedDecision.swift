/// Decides what a user is to be given that they have not got: the rules of delivery, as a value.
///
/// Delivery is decided when a device asks, so a launch costs the same for any audience. What is decided here has to be
/// saved before the cards are shown; ``FeedReply`` then says what the device is told.
public struct FeedDecision: Sendable {
    /// The number of cards that a user was given in all beyond which no campaign gives another card to one who had one.
    ///
    /// Each sync reads all cards. A device can have the event that brings one as often as it likes, and dismiss them.
    public static let cardsOfUser = 2_000

    /// A card to give.
    public struct Addition: Sendable, Hashable {
        /// The campaign that gives it.
        public let campaign: CampaignID
        /// The variant that the user was assigned.
        public let variant: VariantID
        /// The number of cards that the campaign gave the user before.
        public let ordinal: Int
        /// The event that it is given for, or `nil` where the campaign's schedule gives it.
        public let origin: DeliveryOrigin?
    }

    /// A trigger that will never give a card.
    public struct Discard: Sendable, Hashable {
        /// The campaign.
        public let campaign: CampaignID
        /// The trigger.
        public let trigger: TriggerID
        /// The outcome of the trigger.
        public let outcome: Trigger.TriggerOutcome

        /// Creates a discard.
        public init(_ trigger: Trigger, _ outcome: Trigger.TriggerOutcome) {
            campaign = trigger.campaign
            self.trigger = trigger.id
            self.outcome = outcome
        }
    }

    /// The cards to give, in the order of the campaigns' launch.
    public private(set) var additions: [Addition] = []
    /// The cards to take away for good.
    public private(set) var endings: [CardID: Delivery.End] = [:]
    /// The triggers to forget.
    public private(set) var discards: [Discard] = []
    /// The cards that their templates keep from the user.
    public private(set) var withheld: [Withholding] = []
    /// The time from which the decision can be another, though nothing has changed, or `nil` for never.
    public private(set) var recheckAt: UnixTime?
    /// The reasons why campaigns that were ever launched give no card, or no further one; empty unless it was asked
    /// for.
    public private(set) var reasons: [CampaignID: WithheldReason] = [:]

    /// The number of campaigns that were asked one by one.
    private(set) var asked = 0

    /// Whether there is nothing to save.
    public var isEmpty: Bool { additions.isEmpty && endings.isEmpty && discards.isEmpty }

    /// Decides for one user at one moment.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - catalog: The campaigns.
    ///   - now: The moment.
    ///   - platform: Where the app of the device runs, if it is known.
    ///   - explains: Whether ``reasons`` are wanted, which costs a little more.
    ///   - budget: What rendering the cards may cost.
    public init(
        for user: UserState,
        in catalog: Catalog,
        at now: UnixTime,
        platform: CardTemplate.Platform? = nil,
        explains: Bool = false,
        budget: RenderBudget = .feed
    ) {
        let viewer = CardViewer(user, in: catalog, at: now, platform: platform, budget: budget)
        var maker = FeedDecisionMaker(
            FeedEligibility(user: user, catalog: catalog, viewer: viewer),
            explains: explains
        )
        maker.decide()
        additions = maker.additions
        endings = maker.endings
        discards = maker.discards
        recheckAt = maker.recheckAt.isFinite ? maker.recheckAt : nil
        reasons = maker.reasons
        withheld = maker.withheld
        asked = maker.asked
    }
}

/// The steps of a decision, and what they have come to so far.
private struct FeedDecisionMaker {
    let eligibility: FeedEligibility
    let explains: Bool
    var chosen: [CardCandidate] = []
    var endings: [CardID: Delivery.End] = [:]
    var discards: [FeedDecision.Discard] = []
    var recheckAt = UnixTime.infinity
    var reasons: [CampaignID: WithheldReason] = [:]
    var withheld: [Withholding] = []
    var asked = 0

    private var user: UserState { eligibility.user }
    private var catalog: Catalog { eligibility.catalog }
    private var viewer: CardViewer { eligibility.viewer }
    private var now: UnixTime { eligibility.viewer.now }

    init(_ eligibility: FeedEligibility, explains: Bool) {
        self.eligibility = eligibility
        self.explains = explains
    }

    mutating func decide() {
        discards = user.triggers.filter { $0.until <= now }.map { FeedDecision.Discard($0, .expired) }
        askCampaigns()
        renderTemplates()
        applyLimits()
        recheckWhereReeligible()
        for candidate in chosen { discards += candidate.superseded.map { FeedDecision.Discard($0, .notReeligible) } }
        guard explains else { return }
        for (id, entry) in catalog.entries where entry.activeIndex == nil {
            reasons[id] = .status(entry.campaign.status)
        }
    }

    /// The cards to give, each with its number among those of its campaign.
    var additions: [FeedDecision.Addition] {
        var numbers: [CampaignID: Int] = [:]
        return chosen.map { candidate in
            let campaign = candidate.entry.campaign.id
            let ordinal = numbers[campaign] ?? candidate.given
            // safe: counts cards of one user
            numbers[campaign] = ordinal + 1
            return FeedDecision.Addition(
                campaign: campaign,
                variant: candidate.card.variant,
                ordinal: ordinal,
                origin: candidate.origin
            )
        }
    }

    private mutating func askCampaigns() {
        let histories = histories
        let places =
            explains ? Array(catalog.active.indices) : catalog.index.places(for: user, adding: histories.keys)
        for place in places {
            // safe: places of the active campaigns
            let (entry, history) = (catalog.active[place], histories[place] ?? CardHistory())
            // Nearly every campaign of nearly every sync: given once and for all.
            if history.count > 0, entry.givesOnce, !explains { continue }
            asked += 1
            let result = eligibility.evaluate(entry, history)
            chosen += result.candidates
            discards += result.discards
            recheckAt = min(recheckAt, result.recheckAt)
            if explains, result.candidates.isEmpty, let reason = result.reason { reasons[entry.campaign.id] = reason }
        }
        // A campaign that isn't asked may begin, which is looked at again like one that is asked.
        let start = catalog.index.nextStart(after: now) { place in
            histories[place] != nil && catalog.active[place].givesOnce
        }
        recheckAt = min(recheckAt, start ?? .infinity)
    }

    /// The cards that the user was given of active campaigns, by their places.
    private var histories: [Int: CardHistory] {
        var histories: [Int: CardHistory] = [:]
        for place in user.deliveries.indices {
            guard let index = catalog.entries[user.deliveries[place].campaign]?.activeIndex else { continue }
            var history = histories[index] ?? CardHistory()
            history.count += 1
            history.last = place
            histories[index] = history
        }
        return histories
    }

    private mutating func withhold(_ candidate: CardCandidate, _ reason: WithheldReason) {
        recheckAt = min(recheckAt, reason.recheckAt ?? .infinity)
        if explains { reasons[candidate.entry.campaign.id] = reason }
    }

    /// Leaves out what cannot be rendered, so that it takes no room from others, and freezes what is to stay as it is.
    ///
    /// Of several triggers of a campaign, one whose card can be rendered may supersede those after it.
    private mutating func renderTemplates() {
        var isKept = [Bool](repeating: true, count: chosen.count)
        var last: [CampaignID: Int] = [:]
        for index in chosen.indices {
            let (entry, trigger) = (chosen[index].entry, chosen[index].trigger)
            if let trigger, let first = last[entry.campaign.id],
                !entry.allowsAnother(at: chosen[index].since, after: chosen[first].since)
            {
                if !chosen[index].isBroadcast { chosen[first].superseded.append(trigger) }
                isKept[index] = false
            } else if !render(index) {
                isKept[index] = false
            } else if trigger != nil {
                last[entry.campaign.id] = index
            }
        }
        keep(isKept)
    }

    // safe: candidates are asked by their places
    /// Renders the card of a candidate where it has to be, and returns whether it can be shown.
    private mutating func render(_ index: Int) -> Bool {
        guard chosen[index].card.isTemplate || chosen[index].freezes else { return true }
        do throws(TemplateFailure) {
            let (card, origin) = (chosen[index].card, chosen[index].origin)
            if chosen[index].freezes {
                chosen[index].rendered = try card.frozen(for: viewer, properties: origin?.properties)
            } else {
                _ = try card.members(of: origin, for: viewer)
            }
            return true
        } catch {
            let (campaign, variant) = (chosen[index].entry.campaign.id, chosen[index].card.variant)
            withheld.append(Withholding(campaign: campaign, variant: variant, failure: error))
            withhold(chosen[index], .template(error))
            if let pause = error.retryAfter { recheckAt = min(recheckAt, now + pause) }
            return false
        }
    }

    /// Leaves out the chosen that are not to be kept.
    private mutating func keep(_ isKept: [Bool]) {
        guard isKept.contains(false) else { return }
        chosen = zip(chosen, isKept).filter(\.1).map(\.0)
    }

    /// Gives what caps and limit have room for; a card that the limit leaves out takes nothing of a cap from the
    /// others.
    private mutating func applyLimits() {
        for index in chosen.indices { chosen[index].place = index }
        // What was given stays the same, however often candidates are left out.
        let isCapped = !chosen.isEmpty && !catalog.frequencyCaps.isEmpty
        let budget = isCapped ? FrequencyBudget(user, in: catalog, at: now) : nil
        let order = isCapped ? placesByPriority : []
        var shown: [FeedRank]?
        var offered = chosen
        while true {
            chosen = offered
            endings = [:]
            if explains { for candidate in offered { reasons[candidate.entry.campaign.id] = nil } }
            applyCaps(budget, order)
            let capped = chosen
            makeRoom(beside: &shown)
            // Where no cap holds anything back, nothing else can come.
            guard chosen.count < capped.count, capped.count < offered.count else { return }
            let leftOut = Set(capped.map(\.place)).subtracting(chosen.map(\.place))
            offered.removeAll { leftOut.contains($0.place) }
        }
    }

    /// The places of the candidates, those of higher priority first, then those that were launched first.
    private var placesByPriority: [Int] {
        chosen.indices.sorted { first, second in
            let (left, right) = (chosen[first].card.priority, chosen[second].card.priority)
            return left == right ? first < second : left > right
        }
    }

    /// Gives what the caps leave room for, in an order of the candidates' places.
    private mutating func applyCaps(_ budget: FrequencyBudget?, _ order: [Int]) {
        guard var budget, !chosen.isEmpty else { return }
        var indices = [Int?](repeating: nil, count: order.count)
        // safe: each has a place of its own in the order
        for index in chosen.indices { indices[chosen[index].place] = index }
        var isKept = [Bool](repeating: true, count: chosen.count)
        // safe: the order is of their places
        for index in order.compactMap({ indices[$0] }) {
            guard let reason = budget.take(chosen[index].card, of: chosen[index].entry.campaign) else { continue }
            isKept[index] = false
            withhold(chosen[index], reason)
        }
        keep(isKept)
    }

    /// Keeps the first cards of the feed's own order where there would be more than the limit: the last of those that
    /// were given end, and what would be behind every card that stays is not given, or it would come today and push
    /// out another tomorrow.
    ///
    /// A trigger whose card is not given waits on until its window ends.
    private mutating func makeRoom(beside shown: inout [FeedRank]?) {
        guard user.deliveries.count + chosen.count > catalog.cardLimit else { return }
        let given = shown ?? FeedRank.ofShown(user, in: catalog, for: viewer)
        shown = given
        var ranks = given
        ranks += chosen.indices.map { FeedRank(chosen[$0], place: .chosen($0)) }
        guard ranks.count > catalog.cardLimit else { return }
        ranks.sort { $0.isBefore($1) }
        var isKept = [Bool](repeating: true, count: chosen.count)
        // safe: 1 or more, by the settings
        for rank in ranks.dropFirst(catalog.cardLimit) {
            switch rank.place {
            case .given(let index): endings[user.deliveries[index].card] = .limit
            case .chosen(let index):
                isKept[index] = false
                withhold(chosen[index], .cardLimit)
            }
        }
        keep(isKept)
    }

    /// A card that is given now may be given again when it has gone, and not before.
    private mutating func recheckWhereReeligible() {
        for candidate in chosen where candidate.trigger == nil {
            if case .after(let seconds) = candidate.entry.reeligibility { recheckAt = min(recheckAt, now + seconds) }
        }
    }
}

extension Catalog.Entry {
    /// Whether a user who was given the card is given no other.
    fileprivate var givesOnce: Bool { !isTriggered && reeligibility == .never }
}
