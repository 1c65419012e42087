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
        let known = recording.state.conversions[place]?[card.card]?.at
        if event.at < known ?? .infinity {
            setConversion(of: card, to: event.at, among: cards, at: place, in: &recording)
        }
        count(event, of: card, at: place, in: &recording)
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
        guard let seen = recording.setFirstView(of: card, at: time) else { return }
        let events = recording.loggedEvents(around: card.id, before: place)
        for match in matches {
            let place = ConversionPlace(match)
            let recount = ConversionRecount(
                of: match.conversion,
                by: seen,
                convertedAt: recording.state.conversions[place]?[card.id]?.at,
                among: cards,
                events: events.filter {
                    conversions.matches($0).contains(match)
                        && !recording.isCounted($0, forOtherThan: card.id, at: place)
                }
            )
            setConversion(of: seen, to: recount.convertedAt, among: cards, at: place, in: &recording)
            recountPurchases(recount, of: seen, for: match.conversion, at: place, in: &recording)
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
        guard before[card.card]?.at != time else { return }
        var after = before
        after[card.card] = time.map { CountedConversion(at: $0, localDay: calendar.day(of: $0).local) }
        for (times, change) in [(before, -1), (after, 1)] as [([CardID: CountedConversion], Int64)] {
            if let counted = times[card.card] {
                // safe: one up or down
                counts.conversions[key(place, card.variant, counted), default: ConversionCounts()].conversions += change
            }
            // Whatever a card did that is gone with a joining was another user's.
            let known = cards.compactMap { card in times[card.card].map { (card, $0) } }
            guard let first = known.min(by: { ($0.1.at, $0.0.card) < ($1.1.at, $1.0.card) }) else { continue }
            // safe: one up or down
            counts.conversions[key(place, first.0.variant, first.1), default: ConversionCounts()].uniqueConversions +=
                change
        }
        recording.state.conversions[place] = after
        recording.changedConversions.insert(EventRecording.ChangedConversion(place: place, card: card.card))
    }

    private mutating func key(
        _ place: ConversionPlace,
        _ variant: VariantID,
        _ counted: CountedConversion
    ) -> RecordedCounts.ConversionKey {
        let day = CountingDay(utc: Day(of: counted.at), local: counted.localDay ?? calendar.day(of: counted.at).local)
        return RecordedCounts.ConversionKey(
            campaign: place.campaign,
            variant: variant,
            day: day,
            conversion: place.conversion
        )
    }
}

extension EventRecording {
    fileprivate func convertibleCards(of campaign: CampaignID) -> [ConvertibleCard] {
        state.campaigns[campaign]?.map(\.convertible) ?? []
    }

    /// Sets when a card was first seen, and returns the card as it is by now.
    fileprivate mutating func setFirstView(of card: RecordedCard, at time: UnixTime) -> ConvertibleCard? {
        let place = state.campaigns[card.campaign]?.firstIndex { $0.convertible.card == card.id }
        guard let place else { return nil }
        state.campaigns[card.campaign]?[place].convertible.firstViewedAt = time
        return state.campaigns[card.campaign]?[place].convertible
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
