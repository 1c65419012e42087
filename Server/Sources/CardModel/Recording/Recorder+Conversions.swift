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

    /// Records when a card was first seen, so that it is counted again at the end of the batch.
    mutating func recordFirstView(
        of card: inout RecordedCard,
        at time: UnixTime,
        in recording: inout EventRecording
    ) {
        guard card.isFirstView(at: time) else { return }
        card.firstViewedAt = time
        card.isTouched = true
        if conversions.isOpenedByImpression(of: card.campaign) { recording.reopen(card, at: time) }
    }

    /// Counts again what the impressions of a batch put into or out of windows.
    ///
    /// Once for each card, however many impressions came of it, each earlier than the one before.
    mutating func recountReopened(in recording: inout EventRecording) {
        guard !recording.reopened.isEmpty else { return }
        let withdrawn = Set(recording.writes.withdrawn)
        let events = recording.state.logged.filter { !withdrawn.contains($0.id) }
        for (card, campaign) in recording.reopened {
            let cards = recording.convertibleCards(of: campaign)
            guard let seen = cards.first(where: { $0.card == card }) else { continue }
            for (match, events) in conversions.openedByImpression(of: campaign, seen, among: events) {
                let place = ConversionPlace(match)
                let isCountedElsewhere = recording.purchases(countedForOtherThan: card, at: place)
                let recount = ConversionRecount(
                    of: match.conversion,
                    by: seen,
                    convertedAt: recording.state.conversions[place]?[card]?.at,
                    among: cards,
                    events: events.filter { !isCountedElsewhere.contains($0.id) }
                )
                setConversion(of: seen, to: recount.convertedAt, among: cards, at: place, in: &recording)
                recountPurchases(recount, of: seen, for: match.conversion, at: place, in: &recording)
            }
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

    /// Sets when a card was first seen, and has its conversions counted again.
    fileprivate mutating func reopen(_ card: RecordedCard, at time: UnixTime) {
        let place = state.campaigns[card.campaign]?.firstIndex { $0.convertible.card == card.id }
        guard let place else { return }
        state.campaigns[card.campaign]?[place].convertible.firstViewedAt = time
        reopened[card.id] = card.campaign
    }
}
