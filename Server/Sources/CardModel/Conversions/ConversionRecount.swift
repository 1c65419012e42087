/// What becomes of a card's conversion when the card turns out to have been seen earlier than was known.
///
/// Devices report late and in any order. The window moves to the earlier impression, so what happened before the known
/// one may count by now, and what happened late may count no longer: the outcome is that of the order of time.
public struct ConversionRecount: Sendable {
    /// The events within the window as it is now, in order of time.
    public private(set) var counted: [DeviceEvent] = []
    /// Those of ``counted`` that did not count before.
    public private(set) var added: [DeviceEvent] = []
    /// The events that counted before and count no longer, in order of time.
    public private(set) var removed: [DeviceEvent] = []

    /// When the card converted: the first event within the window, or `nil` for not at all.
    public var convertedAt: UnixTime? { counted.first?.at }

    /// Counts a card's events again.
    ///
    /// - Parameters:
    ///   - conversion: The conversion, whose window an impression opens.
    ///   - card: The card as it was known.
    ///   - time: When the card was first seen, earlier than was known.
    ///   - cards: All of the user's cards of the campaign.
    ///   - events: The user's events that bring the conversion about; those outside both windows are passed over.
    public init(
        of conversion: Campaign.Conversion,
        by card: ConvertibleCard,
        seenAt time: UnixTime,
        among cards: [ConvertibleCard],
        events: [DeviceEvent]
    ) {
        var seen = card
        seen.firstViewedAt = time
        for event in events.sorted(by: { $0.at < $1.at }) where cards.last(givenBy: event.at)?.card == card.card {
            let counts = conversion.covers(event.at, of: seen)
            let didCount = conversion.covers(event.at, of: card)
            if counts { counted.append(event) }
            if counts, !didCount { added.append(event) }
            if didCount, !counts { removed.append(event) }
        }
    }
}

extension Collection<ConvertibleCard> {
    /// The last of the cards that had been given by a moment.
    func last(givenBy time: UnixTime) -> ConvertibleCard? {
        filter { $0.deliveredAt <= time }.max { $0.deliveredAt < $1.deliveredAt }
    }
}
