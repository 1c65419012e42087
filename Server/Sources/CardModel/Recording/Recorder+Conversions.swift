import WireJSON

extension Recorder {
    /// Counts the conversions that an event is.
    mutating func convert(_ event: DeviceEvent, at place: Int, in recording: inout EventRecording) {
        guard let matches = recording.plan.matches[place] else { return }
        for match in matches { convert(event, match, in: &recording) }
    }

    private mutating func convert(
        _ event: DeviceEvent,
        _ match: ConversionRules.ConversionMatch,
        in recording: inout EventRecording
    ) {
        guard let card = recording.card(givenBy: event.at, of: match.campaign),
            match.conversion.covers(event.at, of: card)
        else { return }
        let place = ConversionPlace(match)
        let known = recording.state.conversions[place]?[card.card]?.at
        if event.at < known ?? .infinity {
            let first = recording.firstConversion(at: place)
            setConversion(of: card, to: event.at, at: place, in: &recording)
            countFirst(after: first, at: place, in: &recording)
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
    /// Once for each card, however many impressions came of it, each earlier than the one before; and for all cards of
    /// a campaign in one pass over the log, since a batch may be about hundreds of cards and the log have thousands of
    /// events.
    mutating func recountReopened(in recording: inout EventRecording) {
        guard !recording.reopened.isEmpty else { return }
        let withdrawn = Set(recording.writes.withdrawn)
        let work = PatternWork.ofBatch
        let events = recording.state.logged.filter { !withdrawn.contains($0.id) }
            .map { ReadableEvent($0, within: work) }
        for campaign in Set(recording.reopened.values) {
            let cards = recording.reopenedCards(of: campaign)
            for (match, events) in conversions.openedByImpression(of: campaign, among: events) {
                recount(match, by: cards, events, in: &recording)
            }
        }
    }

    private mutating func recount(
        _ match: ConversionRules.ConversionMatch,
        by cards: [ConvertibleCard],
        _ events: [DeviceEvent],
        in recording: inout EventRecording
    ) {
        let place = ConversionPlace(match)
        var own: [CardID: [DeviceEvent]] = [:]
        for event in events {
            guard let card = recording.card(givenBy: event.at, of: match.campaign),
                recording.reopened[card.card] != nil, match.conversion.covers(event.at, of: card)
            else { continue }
            own[card.card, default: []].append(event)
        }
        let first = recording.firstConversion(at: place)
        removePurchases(outOf: cards, for: match.conversion, at: place, in: &recording)
        // In the order in which they were given, so that what they brought about is in order of time.
        for card in cards {
            let recount = ConversionRecount(
                of: match.conversion,
                by: card,
                convertedAt: recording.state.conversions[place]?[card.card]?.at,
                events: (own[card.card] ?? []).filter { event in
                    !recording.isPurchase(event, countedForOtherThan: card.card, at: place)
                }
            )
            setConversion(of: card, to: recount.convertedAt, at: place, in: &recording)
            countPurchases(recount, of: card, at: place, in: &recording)
        }
        recording.firstConversions[place] = nil
        countFirst(after: first, at: place, in: &recording)
    }

    /// Sets when a card converted, or that it did not, and counts the difference.
    private mutating func setConversion(
        of card: ConvertibleCard,
        to time: UnixTime?,
        at place: ConversionPlace,
        in recording: inout EventRecording
    ) {
        let before = recording.state.conversions[place]?[card.card]
        guard before?.at != time else { return }
        let after = time.map { CountedConversion(at: $0, localDay: calendar.day(of: $0).local) }
        for (counted, change) in [(before, -1), (after, 1)] as [(CountedConversion?, Int64)] {
            guard let counted else { continue }
            // safe: one up or down
            counts.conversions[key(place, card.variant, counted), default: ConversionCounts()].conversions += change
        }
        recording.state.conversions[place, default: [:]][card.card] = after
        recording.changedConversions.insert(EventRecording.ChangedConversion(place: place, card: card.card))
        recording.note(after, of: card, at: place)
    }

    /// Counts the user's unique conversion, which is the first of all cards, where it is another one by now.
    private mutating func countFirst(
        after before: EventRecording.FirstConversion?,
        at place: ConversionPlace,
        in recording: inout EventRecording
    ) {
        let now = recording.firstConversion(at: place)
        guard now != before else { return }
        for (first, change) in [(before, -1), (now, 1)] as [(EventRecording.FirstConversion?, Int64)] {
            guard let first else { continue }
            let key = key(place, first.variant, first.counted)
            // safe: one up or down
            counts.conversions[key, default: ConversionCounts()].uniqueConversions += change
        }
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
    /// The card that converted first of a user's cards.
    struct FirstConversion: Hashable {
        let card: CardID
        let variant: VariantID
        let counted: CountedConversion

        static func isEarlier(_ a: Self, _ b: Self) -> Bool { (a.counted.at, a.card) < (b.counted.at, b.card) }
    }

    /// The last card of a campaign that the user had been given by a moment.
    fileprivate mutating func card(givenBy time: UnixTime, of campaign: CampaignID) -> ConvertibleCard? {
        guard let cards = state.campaigns[campaign] else { return nil }
        let timeline = timelines[campaign] ?? CardTimeline(cards.map(\.convertible))
        timelines[campaign] = timeline
        // safe: the timeline was made of these cards, of which a batch adds none
        return timeline.last(givenBy: time).map { cards[$0].convertible }
    }

    /// The cards of a campaign of which an earlier impression came, in the order in which they were given.
    fileprivate func reopenedCards(of campaign: CampaignID) -> [ConvertibleCard] {
        (state.campaigns[campaign] ?? []).map(\.convertible).filter { reopened[$0.card] != nil }
            .sorted { ($0.deliveredAt, $0.card) < ($1.deliveredAt, $1.card) }
    }

    /// The first conversion of all cards; whatever a card did that is gone with a joining was another user's.
    fileprivate mutating func firstConversion(at place: ConversionPlace) -> FirstConversion? {
        if let known = firstConversions[place] { return known }
        let times = state.conversions[place] ?? [:]
        let first = (state.campaigns[place.campaign] ?? []).lazy.compactMap { card in
            times[card.convertible.card].map {
                FirstConversion(card: card.convertible.card, variant: card.convertible.variant, counted: $0)
            }
        }.min(by: FirstConversion.isEarlier)
        firstConversions[place] = .some(first)
        return first
    }

    /// Notes when a card converts, which may make it the first.
    fileprivate mutating func note(_ counted: CountedConversion?, of card: ConvertibleCard, at place: ConversionPlace) {
        guard let counted, let known = firstConversions[place] else { return }
        let new = FirstConversion(card: card.card, variant: card.variant, counted: counted)
        if known.map({ FirstConversion.isEarlier(new, $0) }) ?? true { firstConversions[place] = .some(new) }
    }

    /// Sets when a card was first seen, and has its conversions counted again.
    fileprivate mutating func reopen(_ card: RecordedCard, at time: UnixTime) {
        let place = state.campaigns[card.campaign]?.firstIndex { $0.convertible.card == card.id }
        guard let place else { return }
        state.campaigns[card.campaign]?[place].convertible.firstViewedAt = time
        reopened[card.id] = card.campaign
    }
}
