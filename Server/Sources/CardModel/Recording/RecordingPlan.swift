/// The state that the new events of a batch depend on, so that a store loads no more than that, and the events.
public struct RecordingPlan: Sendable {
    /// The records of the history that events add to; one may be named several times.
    public private(set) var histories: [HistoryKey] = []
    /// The campaigns of which all of the user's cards are needed.
    public private(set) var campaigns: Set<CampaignID> = []
    /// The conversions of which the times are needed.
    public private(set) var conversions: Set<ConversionPlace> = []
    /// The conversions of which the spending is needed.
    public private(set) var spending: Set<ConversionPlace> = []
    /// The times of the log that are needed to count cards' conversions again, or `nil` for none.
    ///
    /// See ``RecordingState/logged``.
    public private(set) var log: Range<UnixTime>?
    /// The campaigns of which what waits is needed.
    public private(set) var waiting: Set<CampaignID> = []
    /// Whether the number of all triggers that wait is needed.
    public private(set) var needsWaitingCount = false
    /// Whether the user's profile is needed.
    public private(set) var needsProfile = false
    /// Whether the calendar and the limits are needed, but for those of ``RecordingState/lacksHistory``.
    public private(set) var needsSettings = false

    /// The conversions that an event may be, by its place.
    private(set) var matches: [Int: [ConversionRules.ConversionMatch]] = [:]
    /// The consequences of an event in the user's feed, by its place.
    private(set) var consequences: [Int: EventConsequences] = [:]
}

extension Recorder {
    /// Returns what the new events of a batch depend on.
    ///
    /// - Parameters:
    ///   - batch: The events.
    ///   - state: What was loaded in the first step.
    /// - Returns: What the store has to load in the second step.
    public func plan(_ batch: EventBatch, in state: RecordingState) -> RecordingPlan {
        var plan = RecordingPlan()
        let work = batch.work ?? .ofBatch
        for (place, event) in batch.events.enumerated() where state.isLogged(eventAt: place) {
            guard !state.duplicates.contains(place) else { continue }
            if let card = state.cards[ofEventAt: place] {
                plan.add(event, about: card, conversions)
            } else {
                let readable = ReadableEvent(event, within: work)
                plan.add(readable, at: place, conversions)
                plan.addConsequences(of: readable, at: place, of: batch)
            }
        }
        return plan
    }
}

extension RecordingPlan {
    fileprivate mutating func add(
        _ event: DeviceEvent,
        about card: RecordedCard,
        _ rules: ConversionRules
    ) {
        needsSettings = true
        switch event.kind {
        case .impression:
            if !card.marks.isViewed { campaigns.insert(card.campaign) }
            if card.isFirstView(at: event.at) { addRecount(of: card, seenAt: event.at, rules) }
        case .click:
            if !card.marks.isClicked { campaigns.insert(card.campaign) }
        case .dismissal, .contentError, .custom, .purchase, .sessionStart, .attributes: break
        }
    }

    /// Adds what an impression moves into or out of the windows that impressions open.
    private mutating func addRecount(of card: RecordedCard, seenAt time: UnixTime, _ rules: ConversionRules) {
        let matches = rules.openedByImpression(of: card.campaign)
        guard let longest = matches.map(\.conversion.window).max() else { return }
        campaigns.insert(card.campaign)
        for match in matches {
            conversions.insert(ConversionPlace(match))
            if match.conversion.hasAmounts { spending.insert(ConversionPlace(match)) }
        }
        // Not before the start, however wide the window is said to be.
        let end = max(time, time + longest)
        // safe: the end isn't before the start
        let known = log ?? time..<end
        // safe: both only grow
        log = min(known.lowerBound, time)..<max(known.upperBound, end)
    }

    fileprivate mutating func add(_ readable: ReadableEvent, at place: Int, _ rules: ConversionRules) {
        let event = readable.event
        if let key = HistoryKey(event.kind) { histories.append(key) }
        if case .attributes = event.kind { (needsProfile, needsSettings) = (true, true) }
        let matches = rules.matches(readable)
        guard !matches.isEmpty else { return }
        self.matches[place] = matches
        needsSettings = true
        for match in matches {
            campaigns.insert(match.campaign)
            conversions.insert(ConversionPlace(match))
            if case .purchase = event.kind { spending.insert(ConversionPlace(match)) }
        }
    }

    fileprivate mutating func addConsequences(of event: ReadableEvent, at place: Int, of batch: EventBatch) {
        guard let consequences = batch.rules?.consequences(of: event, at: batch.receivedAt), !consequences.isEmpty
        else { return }
        self.consequences[place] = consequences
        if !consequences.triggers.isEmpty { needsWaitingCount = true }
        campaigns.formUnion(consequences.removals)
        waiting.formUnion(consequences.removals)
    }
}
