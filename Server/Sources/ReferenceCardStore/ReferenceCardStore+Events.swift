public import CardModel
public import CardStore
import WireJSON

extension ReferenceCardStore {
    /// Counts events.
    public func recordEvents(_ batch: EventBatch) async throws -> EventOutcome { try write { try $0.record(batch) } }

    /// Reads a user's events, the newest first.
    public func userEvents(of user: UserID, limit: Int) async throws -> [StoredEvent] {
        try read { ($0.users[user]?.log ?? []).map(\.stored).reversed().page(limit) }
    }

    /// Reads the log of events from after a position on.
    public func eventPage(after position: Int64, _ filter: EventFilter, limit: Int) async throws -> EventPage {
        try read { state in
            let found = state.log.map(\.stored).filter { $0.position > position && filter.matches($0) }
            let page = found.page(limit)
            let isFull = page.count == min(max(limit, 1), 1_000)
            let end = max(position, state.lastPosition)
            return EventPage(
                events: page,
                position: isFull ? page.last?.position ?? position : end,
                isLast: !isFull
            )
        }
    }

    /// Searches the log of events, the newest first.
    public func searchEvents(
        matching filter: EventLogFilter,
        before position: Int64?,
        limit: Int
    ) async throws -> EventLogPage {
        try read { state in
            let found = state.log.map(\.stored).reversed().filter { event in
                event.position < position ?? .max && filter.matches(event)
            }
            let page = found.page(limit)
            let isFull = page.count == min(max(limit, 1), 1_000)
            return EventLogPage(events: page, searchedTo: isFull ? page.last?.position : nil)
        }
    }

    /// Reads the position of the newest event, or 0.
    public func lastEventPosition() async throws -> Int64 { try read { $0.log.last?.stored.position ?? 0 } }

    /// Removes the events that both happened and arrived before a moment.
    public func pruneEvents(before time: UnixTime) async throws -> Int {
        try write { state in
            var count = 0
            let sent = state.webhook?.progress.position ?? .max
            for (id, user) in state.users {
                let kept = user.log.map(\.stored).filter { event in
                    event.position > sent || event.at >= time || event.receivedAt >= time
                }
                // safe: counts of what was removed
                count += user.log.count - kept.count
                let left = Set(kept.map(\.position))
                state.users[id]?.log.removeAll { !left.contains($0.stored.position) }
            }
            for (key, problem) in state.problems where problem.lastAt < time { state.problems[key]?.message = "" }
            return count
        }
    }

    // MARK: Triggers

    /// Keeps what a backend sent to users one by one.
    public func sendTriggers(_ send: TriggerSend) async throws -> TriggerReceipt {
        try write { state in
            let key = TriggerKey(campaign: send.trigger.campaign, trigger: send.trigger.id)
            var known: [UserID: KnownRecipient] = [:]
            for id in send.recipients.map(\.user) {
                known[id] = state.users[id].map { user in
                    KnownRecipient(
                        version: user.version,
                        hasTrigger: user.has(key),
                        load: user.load { $0.until > send.trigger.at && !$0.coversBroadcast }
                    )
                }
            }
            let writes = state.recorder.record(send, for: known)
            if writes.isBeyondLimit { throw StoreError.tooManyTriggers }
            for profile in writes.creations { try state.insertUser(profile, version: 0) }
            for waiting in writes.waiting {
                state.insert(waiting.trigger, for: waiting.user, isScheduled: waiting.isScheduled)
                state.setVersion(waiting.version, of: waiting.user)
            }
            return writes.receipt
        }
    }

    /// Adds a broadcast.
    public func insertBroadcast(_ broadcast: Broadcast, by actor: Actor) async throws -> Bool {
        try write { state in
            let trigger = broadcast.trigger
            let isKnown = state.broadcasts.contains {
                $0.trigger.campaign == trigger.campaign && $0.trigger.id == trigger.id
            }
            guard !isKnown else { return false }
            state.broadcasts.append(broadcast)
            let open = state.openBroadcasts(at: now())
            let load = Broadcast.BroadcastLoad(
                ofCampaign: open.count { $0.trigger.campaign == trigger.campaign },
                count: open.count,
                size: open.reduce(0) { $0 + $1.storedAudience.utf8.count + ($1.trigger.properties?.count ?? 0) }
            )
            if let error = StoreError.tooManyBroadcasts(load) { throw error }
            state.advanceCatalog()
            state.appendAudit("campaign.broadcast", of: trigger.campaign.rawValue, at: trigger.at, by: actor)
            return true
        }
    }

    /// Puts off what was scheduled by that id.
    public func rescheduleTrigger(
        _ id: TriggerID,
        of campaign: CampaignID,
        due: PlannedTime,
        until: UnixTime,
        at now: UnixTime
    ) async throws -> Bool {
        try write { state in
            state.changeSchedule(TriggerKey(campaign: campaign, trigger: id), at: now) { trigger in
                trigger?.due = due
                trigger?.until = until
            }
        }
    }

    /// Cancels what was scheduled by that id.
    public func unscheduleTrigger(_ id: TriggerID, of campaign: CampaignID, at now: UnixTime) async throws -> Bool {
        try write { $0.changeSchedule(TriggerKey(campaign: campaign, trigger: id), at: now) { $0 = nil } }
    }

    /// Reads the triggers of a user and a campaign that no longer wait.
    public func pastTriggers(of user: UserID, for campaign: CampaignID, limit: Int) async throws -> [PastTrigger] {
        try read { $0.pastTriggers(of: user).filter { $0.campaign == campaign }.map(\.past).page(limit) }
    }

    /// Reads the last trigger of a user that no longer waits, by campaign.
    public func lastTriggers(of user: UserID) async throws -> [CampaignID: PastTrigger] {
        try read { state in
            Dictionary(
                state.pastTriggers(of: user).map { ($0.campaign, $0.past) },
                uniquingKeysWith: { newest, _ in newest }
            )
        }
    }

    /// Removes the triggers that were used, failed or expired before a moment, and such broadcasts.
    public func pruneTriggers(before time: UnixTime) async throws -> Int {
        try write { state in
            var count = state.broadcasts.count
            state.broadcasts.removeAll { $0.trigger.until < time }
            // safe: counts of what was removed
            count -= state.broadcasts.count
            for (id, user) in state.users {
                let kept = user.triggers.filter { _, known in
                    !(known.trigger.until < time || known.outcome != nil && known.trigger.at < time)
                }
                // safe: counts of what was removed
                count += user.triggers.count - kept.count
                state.users[id]?.triggers = kept
            }
            return count
        }
    }
}

extension ReferenceUser {
    /// Whether the user has had a trigger, used or not, or was given a card by a broadcast of its id.
    fileprivate func has(_ key: TriggerKey) -> Bool {
        triggers[key] != nil
            || cards.contains { $0.delivery.campaign == key.campaign && $0.delivery.origin?.trigger == key.trigger }
    }
}

extension ReferenceState {
    fileprivate func pastTriggers(of user: UserID) -> [(campaign: CampaignID, past: PastTrigger)] {
        let past = (users[user]?.triggers ?? [:]).values.compactMap { known in
            known.outcome.map { outcome in
                let past = PastTrigger(trigger: known.trigger.id, at: known.trigger.at, outcome: outcome)
                return (campaign: known.trigger.campaign, past: past)
            }
        }
        return past.sorted { left, right in
            left.past.at == right.past.at ? left.past.trigger < right.past.trigger : left.past.at > right.past.at
        }
    }

    /// Changes whatever waits under the id of a scheduled send and is not due yet; `nil` is what was removed.
    fileprivate mutating func changeSchedule(
        _ key: TriggerKey,
        at now: UnixTime,
        _ change: (inout Trigger?) -> Void
    ) -> Bool {
        var isChanged = false
        let place = broadcasts.firstIndex { broadcast in
            broadcast.trigger.campaign == key.campaign && broadcast.trigger.id == key.trigger
                && !broadcast.trigger.due.isDue(by: now)
        }
        if let place {
            var trigger: Trigger? = broadcasts[place].trigger
            change(&trigger)
            if let trigger { broadcasts[place].trigger = trigger } else { broadcasts.remove(at: place) }
            advanceCatalog()
            isChanged = true
        }
        for (id, user) in users {
            guard let known = user.triggers[key], known.isScheduled, known.outcome == nil,
                !known.trigger.due.isDue(by: now)
            else { continue }
            var trigger: Trigger? = known.trigger
            change(&trigger)
            users[id]?.triggers[key] = trigger.map { KnownTrigger($0, isScheduled: true) }
            setVersion(KnownUser(version: user.version).nextVersion, of: id)
            isChanged = true
        }
        return isChanged
    }
}

extension EventFilter {
    fileprivate func matches(_ event: StoredEvent) -> Bool {
        (types.isEmpty || types.contains(event.type)) && (campaign == nil || campaign == event.campaign)
            && event.at >= from ?? -.infinity && event.at < until ?? .infinity
    }
}

extension EventLogFilter {
    fileprivate func matches(_ event: StoredEvent) -> Bool {
        (type == nil || type == event.type) && (user == nil || user == event.user)
            && (campaign == nil || campaign == event.campaign)
    }
}
