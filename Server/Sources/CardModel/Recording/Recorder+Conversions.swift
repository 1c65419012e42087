import WireJSON

extension Recorder {
    /// Counts the conversions that an event is.
    mutating func convert(_ event: DeviceEvent, at place: Int, in recording: inout EventRecording) {
        guard let matches = recording.plan.matches[place] else { return }
        for match in matches { convert(event, match, in: &recording) }
    }

    private mutating func convert(
        _ event: DeviceEvent,
        _ match: ConversionRules.Match,
        in recording: inout EventRecording
    ) {
        let cards = recording.convertibleCards(of: match.campaign)
        guard let card = match.conversion.card(for: event.at, among: cards) else { return }
        let place = ConversionPlace(match)
        let known = recording.state.conversions[place]?[card.card]
        if event.at < known ?? .infinity {
            setConversion(of: card, to: event.at, among: cards, at: place, in: &recording)
        }
        if case .purchase(let purchase) = event.kind {
            count(purchase, at: event.at, of: card, at: place, in: &recording)
        }
    }

    /// Records when a card was first seen, and counts again what an impression that came late puts into or out of a window.
    mutating func recordFirstView(
        of card: inout RecordedCard,
        at time: UnixTime,
        _ place: Int,
        in recording: inout EventRecording
    ) {
        guard card.isFirstView(at: time) else { return }
        card.firstViewedAt = time
        card.isTouched = true
        let matches = conversions.openedByImpression(of: card.campaign)
        guard !matches.isEmpty else { return }
        let cards = recording.convertibleCards(of: card.campaign)
        guard let known = recording.setFirstView(of: card, at: time) else { return }
        let events = recording.loggedEvents(around: card.id, before: place)
        for match in matches {
            let recount = ConversionRecount(
                of: match.conversion,
                by: known,
                seenAt: time,
                among: cards,
                events: events.filter { conversions.matches($0).contains(match) }
            )
            apply(recount, to: known, among: cards, at: ConversionPlace(match), in: &recording)
        }
    }

    private mutating func apply(
        _ recount: ConversionRecount,
        to card: ConvertibleCard,
        among cards: [ConvertibleCard],
        at place: ConversionPlace,
        in recording: inout EventRecording
    ) {
        setConversion(of: card, to: recount.convertedAt, among: cards, at: place, in: &recording)
        for event in recount.removed {
            guard case .purchase(let purchase) = event.kind else { continue }
            let rest = recount.counted.first { $0.purchase?.currency == purchase.currency }?.at
            forget(purchase, at: event.at, of: card, firstOfRest: rest, at: place, in: &recording)
        }
        for event in recount.added {
            guard case .purchase(let purchase) = event.kind else { continue }
            count(purchase, at: event.at, of: card, at: place, in: &recording)
        }
    }

    /// Sets when a card converted, or that it did not, and counts the difference.
    ///
    /// A user's unique conversion is the first of all cards.
    private mutating func setConversion(
        of card: ConvertibleCard,
        to time: UnixTime?,
        among cards: [ConvertibleCard],
        at place: ConversionPlace,
        in recording: inout EventRecording
    ) {
        let before = recording.state.conversions[place] ?? [:]
        guard before[card.card] != time else { return }
        // A card that went when its user was joined with another may have converted: the user counts there already.
        let known = Set(cards.map(\.card))
        let isFirstKnown = before.keys.allSatisfy(known.contains)
        var after = before
        after[card.card] = time
        for (times, change) in [(before, -1), (after, 1)] as [([CardID: UnixTime], Int64)] {
            if let time = times[card.card] {
                // safe: one up or down
                counts.conversions[key(place, card.variant, at: time), default: ConversionCounts()].conversions +=
                    change
            }
            guard let first = times.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { continue }
            guard isFirstKnown, let variant = cards.first(where: { $0.card == first.key })?.variant else { continue }
            // safe: one up or down
            counts.conversions[key(place, variant, at: first.value), default: ConversionCounts()].uniqueConversions +=
                change
        }
        recording.state.conversions[place] = after
        recording.changedConversions.insert(EventRecording.ChangedConversion(place: place, card: card.card))
    }

    mutating func key(
        _ place: ConversionPlace,
        _ variant: VariantID,
        at time: UnixTime
    ) -> RecordedCounts.ConversionKey {
        RecordedCounts.ConversionKey(
            campaign: place.campaign,
            variant: variant,
            day: calendar.day(of: time),
            conversion: place.conversion
        )
    }
}

extension EventRecording {
    fileprivate func convertibleCards(of campaign: CampaignID) -> [ConvertibleCard] {
        state.campaigns[campaign]?.map(\.convertible) ?? []
    }

    /// Sets when a card was first seen, and returns the card as it was known.
    fileprivate mutating func setFirstView(of card: RecordedCard, at time: UnixTime) -> ConvertibleCard? {
        let place = state.campaigns[card.campaign]?.firstIndex { $0.convertible.card == card.id }
        guard let place else { return nil }
        let known = state.campaigns[card.campaign]?[place].convertible
        state.campaigns[card.campaign]?[place].convertible.firstViewedAt = time
        return known
    }

    /// The events in the log around a card's first impression, but for those of the batch that come later or were refused.
    fileprivate func loggedEvents(around card: CardID, before place: Int) -> [DeviceEvent] {
        guard let events = state.logged[card], !events.isEmpty else { return [] }
        var excluded = Set(writes.withdrawn)
        for (index, event) in batch.events.enumerated() where index > place && !state.duplicates.contains(index) {
            excluded.insert(event.id)
        }
        return events.filter { !excluded.contains($0.id) }
    }
}

extension DeviceEvent {
    /// What was bought, or `nil` where it is no purchase.
    fileprivate var purchase: Purchase? {
        if case .purchase(let purchase) = kind { purchase } else { nil }
    }
}
