extension EventRecording {
    /// Does what an event entails: takes cards away, and lets triggers wait.
    mutating func apply(_ consequences: EventConsequences, of event: DeviceEvent) {
        for campaign in consequences.removals { remove(campaign, at: event.at) }
        for trigger in consequences.triggers { add(trigger) }
    }

    private mutating func add(_ trigger: Trigger) {
        writes.triggers.append(trigger)
        state.waiting[trigger.campaign]?.own.append(WaitingTriggers.Element(trigger))
        isFeedChanged = true
    }

    /// Takes away what the user has of a campaign, and what waits of it and happened no later.
    private mutating func remove(_ campaign: CampaignID, at time: UnixTime) {
        if end(campaign) { isFeedChanged = true }
        guard let waiting = state.waiting[campaign] else { return }
        let cancelled = waiting.own.filter { $0.at <= time }
        let covered = waiting.broadcasts.filter { $0.at <= time }
        guard !cancelled.isEmpty || !covered.isEmpty else { return }
        isFeedChanged = true
        writes.usedTriggers += cancelled.map { UsedTrigger($0.id, of: campaign, .removed) }
        writes.triggers += covered.map { $0.cover(of: campaign) }
        state.waiting[campaign] = WaitingTriggers(
            own: waiting.own.filter { $0.at > time } + covered,
            broadcasts: waiting.broadcasts.filter { $0.at > time }
        )
    }

    /// Ends the cards of a campaign, and returns whether there was one.
    private mutating func end(_ campaign: CampaignID) -> Bool {
        guard let cards = state.campaigns[campaign], cards.contains(where: { !$0.hasEnded }) else { return false }
        for index in cards.indices { state.campaigns[campaign]?[index].hasEnded = true }
        writes.endedCampaigns.append(campaign)
        return true
    }
}

extension WaitingTriggers.Element {
    fileprivate init(_ trigger: Trigger) { self.init(id: trigger.id, at: trigger.at, until: trigger.until) }

    /// Keeps a broadcast from a user: a trigger of the same id that never becomes due.
    ///
    /// A send gives a user one card, and the user's own trigger comes first.
    fileprivate func cover(of campaign: CampaignID) -> Trigger {
        Trigger(id: id, campaign: campaign, at: at, due: .at(until), until: until)
    }
}
