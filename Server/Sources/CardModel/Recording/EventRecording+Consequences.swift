extension EventRecording {
    /// Does what an event entails: takes cards away, and lets triggers wait.
    mutating func apply(_ consequences: EventConsequences, of event: DeviceEvent) {
        for campaign in consequences.removals { remove(campaign, at: event.at) }
        for trigger in consequences.triggers { add(trigger) }
    }

    private mutating func add(_ trigger: Trigger) {
        guard state.waitingLoad.hasRoomForEvent else { return }
        state.waitingLoad.count += 1
        // safe: below the limit, and the size of an event
        state.waitingLoad.size += trigger.properties?.count ?? 0
        writes.triggers.append(trigger)
        state.waiting[trigger.campaign]?.own.append(WaitingTriggers.Element(trigger))
        isFeedChanged = true
    }

    /// Takes away what the user has of a campaign, and what waits of it and happened no later.
    private mutating func remove(_ campaign: CampaignID, at time: UnixTime) {
        if end(campaign) { isFeedChanged = true }
        guard let waiting = state.waiting[campaign] else { return }
        let cancelled = waiting.own.filter { $0.at <= time && !$0.coversBroadcast }
        let own = waiting.own.filter { $0.at > time || $0.coversBroadcast }
        let covered = waiting.broadcasts.filter { broadcast in
            broadcast.at <= time && !own.contains { $0.id == broadcast.id }
        }
        guard !cancelled.isEmpty || !covered.isEmpty else { return }
        isFeedChanged = true
        state.waitingLoad.count -= cancelled.count
        let covers = covered.map { $0.cover(of: campaign, at: batch.receivedAt) }
        writes.usedTriggers += cancelled.map { UsedTrigger($0.id, of: campaign, .removed) }
        writes.covers += covers
        state.waiting[campaign] = WaitingTriggers(
            own: own + covers.map(WaitingTriggers.Element.init),
            broadcasts: waiting.broadcasts
        )
    }

    /// Ends the cards of a campaign, and returns whether there was one.
    ///
    /// One that the limit dropped ends too: it counts as present, and would keep the campaign from giving another.
    ///
    /// No event gives a card, so a batch looks at those of each campaign once.
    private mutating func end(_ campaign: CampaignID) -> Bool {
        guard endedCampaigns.insert(campaign).inserted, let cards = state.campaigns[campaign],
            cards.contains(where: { $0.end != .removalEvent })
        else { return false }
        for index in cards.indices { state.campaigns[campaign]?[index].end = .removalEvent }
        writes.endedCampaigns.append(campaign)
        return true
    }
}

extension WaitingTriggers.Element {
    fileprivate init(_ trigger: Trigger) {
        self.init(id: trigger.id, at: trigger.at, due: trigger.due, until: trigger.until)
    }

    /// Whether it keeps a broadcast from the user; see ``Trigger/coversBroadcast``.
    fileprivate var coversBroadcast: Bool { Trigger.coversBroadcast(due: due, until: until) }

    /// Returns a trigger that keeps a broadcast from a user.
    ///
    /// A broadcast that isn't due may be put off, so its cover lasts longer than the broadcast does by now.
    fileprivate func cover(of campaign: CampaignID, at now: UnixTime) -> Trigger {
        let end = due.earliest > now ? until + Campaign.longestWindow : until
        return Trigger(id: id, campaign: campaign, at: at, due: .at(end), until: end)
    }
}
