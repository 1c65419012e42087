import WireJSON

/// The consequences of an event in a user's feed.
public struct EventConsequences: Sendable, Hashable {
    /// Cards that it entitles the user to.
    public var triggers: [Trigger] = []
    /// Campaigns whose cards it takes away.
    public var removals: [CampaignID] = []

    /// Creates consequences.
    public init(triggers: [Trigger] = [], removals: [CampaignID] = []) {
        self.triggers = triggers
        self.removals = removals
    }

    /// Whether there are none.
    public var isEmpty: Bool { triggers.isEmpty && removals.isEmpty }
}

/// The consequences of events: the campaigns that wait for some, by what they wait for, since most events concern none.
public struct EventRules: Sendable {
    private enum Key: Hashable {
        case event(ByteString)
        case purchase
    }

    private struct Listener: Sendable {
        let condition: EventMatcher
        let campaign: CampaignID
        /// The delivery that the event triggers, or `nil` where the event removes the campaign's cards.
        let action: Campaign.ActionDelivery?
        /// The time of the launch; what happened before is not meant.
        let launchedAt: UnixTime
    }

    private var listeners: [Key: [Listener]] = [:]

    /// Creates rules of campaigns; drafts are passed over.
    public init(_ campaigns: [Campaign]) {
        for campaign in campaigns where campaign.launchedAt != nil {
            let launchedAt = campaign.launchedAt ?? 0
            func listen(_ condition: EventCondition, _ action: Campaign.ActionDelivery?) {
                listeners[Self.key(condition.subject), default: []].append(
                    Listener(
                        condition: EventMatcher(condition),
                        campaign: campaign.id,
                        action: action,
                        launchedAt: launchedAt
                    )
                )
            }
            if case .action(let action) = campaign.content.delivery, campaign.status == .active {
                listen(action.trigger, action)
            }
            for condition in campaign.content.rules.removal { listen(condition, nil) }
        }
    }

    private static func key(_ subject: EventCondition.ConditionSubject) -> Key {
        switch subject {
        case .event(let name): .event(name)
        case .purchase: .purchase
        }
    }

    /// Returns the consequences of an event that arrives at that moment.
    public func consequences(of event: DeviceEvent, at now: UnixTime) -> EventConsequences {
        consequences(of: ReadableEvent(event), at: now)
    }

    /// Returns the consequences of an event that arrives at that moment, as far as its work allows to ask for them.
    func consequences(of readable: ReadableEvent, at now: UnixTime) -> EventConsequences {
        let event = readable.event
        let key: Key
        switch event.kind {
        case .custom(let name): key = .event(name)
        case .purchase: key = .purchase
        default: return EventConsequences()
        }
        guard let listeners = listeners[key] else { return EventConsequences() }
        var consequences = EventConsequences()
        for listener in listeners where listener.condition.matches(readable) {
            guard let action = listener.action else {
                consequences.removals.append(listener.campaign)
                continue
            }
            guard event.at >= listener.launchedAt, action.isOpen(at: event.at) else { continue }
            let trigger = action.trigger(by: readable, of: listener.campaign)
            if trigger.until > now { consequences.triggers.append(trigger) }
        }
        return consequences
    }
}

extension Campaign.ActionDelivery {
    func isOpen(at time: UnixTime) -> Bool { (start ?? -.infinity) <= time && time < (end ?? .infinity) }

    fileprivate func trigger(by readable: ReadableEvent, of campaign: CampaignID) -> Trigger {
        let event = readable.event
        let due = event.at + delay
        return Trigger(
            id: TriggerID(rawValue: event.id.description),
            campaign: campaign,
            at: event.at,
            due: .at(due),
            until: due + window,
            properties: readable.json
        )
    }
}
