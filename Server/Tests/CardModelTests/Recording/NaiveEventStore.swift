import CardModel
import WireJSON

/// Loads and applies as plainly as can be, and loads no more than the plan names.
struct NaiveEventStore {
    struct StoredTrigger {
        let trigger: Trigger
        var outcome: Trigger.TriggerOutcome?
    }

    var version: UserVersion = 0
    var profile = UserProfile(id: UserID(rawValue: "u"), createdAt: 0)
    var log: [DeviceEvent] = []
    var cards: [CardID: RecordedCard] = [:]
    var delivered: [CampaignID: [ConvertibleCard]] = [:]
    var ends: [CardID: Delivery.End] = [:]
    var histories: [HistoryKey: HistorySummary] = [:]
    var conversions: [ConversionPlace: [CardID: CountedConversion]] = [:]
    var spending: [ConversionPlace: [ByteString: Spending]] = [:]
    var triggers: [TriggerKey: StoredTrigger] = [:]
    var broadcasts: [Trigger] = []

    /// Gives the user a card.
    mutating func give(_ id: String, of campaign: String, variant: String = "a", at time: UnixTime) {
        let (card, campaign) = (CardID(rawValue: id), CampaignID(rawValue: campaign))
        let variant = VariantID(rawValue: variant)
        cards[card] = RecordedCard(id: card, campaign: campaign, variant: variant)
        delivered[campaign, default: []].append(
            ConvertibleCard(card: card, variant: variant, deliveredAt: time, firstViewedAt: nil)
        )
    }

    /// Records events as a store does.
    mutating func record(
        _ events: [DeviceEvent],
        at now: UnixTime = 10_000,
        device: String? = "phone",
        rules: EventRules? = nil,
        with recorder: inout Recorder
    ) -> EventWrites {
        let batch = EventBatch(user: profile.id, events: events, receivedAt: now, device: device, rules: rules)
        var state = RecordingState(for: batch, version: version)
        for id in events.compactMap(\.kind.card) { state.cards[id] = cards[id] }
        for (place, event) in events.enumerated() where state.accepts(eventAt: place) {
            if log.contains(where: { $0.id == event.id }) { state.duplicates.insert(place) } else { log.append(event) }
        }
        let plan = recorder.plan(batch, in: state)
        load(plan, into: &state, at: now)
        let writes = recorder.record(batch, plan, in: state)
        apply(writes)
        return writes
    }

    private func load(_ plan: RecordingPlan, into state: inout RecordingState, at now: UnixTime) {
        for key in plan.histories { state.histories[key] = HistoryRecord(histories[key]) }
        if state.lacksHistory { state.historyCount = histories.keys.count { $0.part != .sessions } }
        if plan.needsProfile { state.profile = profile }
        for campaign in plan.campaigns {
            state.campaigns[campaign] = (delivered[campaign] ?? []).map { card in
                var card = card
                let marks = cards[card.card]?.marks
                card.firstViewedAt = cards[card.card]?.firstViewedAt
                return CampaignCard(
                    card,
                    isViewed: marks?.isViewed == true,
                    isClicked: marks?.isClicked == true,
                    end: ends[card.card]
                )
            }
        }
        for place in plan.conversions { state.conversions[place] = conversions[place] }
        for place in plan.spending { state.spending[place] = spending[place] }
        if let times = plan.log { state.logged = log.filter { $0.kind.isHistory && times.contains($0.at) } }
        let waiting = triggers.values.filter { $0.outcome == nil }.map(\.trigger)
        state.waitingLoad = Trigger.TriggerLoad(
            count: waiting.count,
            size: waiting.reduce(0) { $0 + ($1.properties?.count ?? 0) }
        )
        for campaign in plan.waiting { state.waiting[campaign] = self.waiting(of: campaign, at: now) }
    }

    private func waiting(of campaign: CampaignID, at now: UnixTime) -> WaitingTriggers {
        func element(_ trigger: Trigger) -> WaitingTriggers.Element {
            WaitingTriggers.Element(id: trigger.id, at: trigger.at, due: trigger.due, until: trigger.until)
        }
        let own = triggers.values.filter { $0.trigger.campaign == campaign && $0.outcome == nil }
        let open = broadcasts.filter { broadcast in
            broadcast.campaign == campaign && broadcast.until > now
                && triggers[broadcast.key]?.outcome != .delivered
        }
        return WaitingTriggers(own: own.map { element($0.trigger) }, broadcasts: open.map(element))
    }

    private mutating func apply(_ writes: EventWrites) {
        log.removeAll { writes.withdrawn.contains($0.id) }
        for card in writes.cards {
            cards[card.id] = RecordedCard(
                id: card.id,
                campaign: card.campaign,
                variant: card.variant,
                marks: card.marks,
                firstViewedAt: card.firstViewedAt
            )
        }
        for history in writes.histories { histories[history.key] = history.summary }
        for row in writes.conversions { conversions[row.place, default: [:]][row.card] = row.counted }
        for row in writes.spending { spending[row.place, default: [:]][row.currency] = row.spending }
        for campaign in writes.endedCampaigns {
            for card in delivered[campaign] ?? [] { ends[card.card] = .removalEvent }
        }
        for trigger in writes.triggers where triggers[trigger.key] == nil {
            triggers[trigger.key] = StoredTrigger(trigger: trigger)
        }
        for used in writes.usedTriggers where triggers[used.key]?.outcome == nil {
            triggers[used.key]?.outcome = used.outcome
        }
        for cover in writes.covers { triggers[cover.key] = StoredTrigger(trigger: cover) }
        if let profile = writes.profile { self.profile = profile }
        version = writes.outcome.versionAfter
    }
}

extension Trigger {
    var key: TriggerKey { TriggerKey(campaign: campaign, trigger: id) }
}
