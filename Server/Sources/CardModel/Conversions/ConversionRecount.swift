/// What counts for a card that turns out to have been seen earlier than was known.
///
/// Devices report late and in any order. The window moves to the earlier impression, so what happened before the known
/// one may count by now, and what happened late may count no longer: the outcome is that of the order of time. Events
/// are taken from the log as it is then, by the conversion as it is then.
public struct ConversionRecount: Sendable {
    /// When the card converted: the first event within the window, or `nil` for not at all.
    public let convertedAt: UnixTime?
    /// The events in the log within the window, in order of time.
    public let events: [DeviceEvent]

    /// Counts a card's events again.
    ///
    /// - Parameters:
    ///   - conversion: The conversion, whose window an impression opens.
    ///   - card: The card, as it was seen first.
    ///   - known: When it converted by what was counted before, which stays where it is within the window.
    ///   - cards: All of the user's cards of the campaign.
    ///   - events: The user's events in the log that bring the conversion about; those outside the window are passed over.
    public init(
        of conversion: Campaign.Conversion,
        by card: ConvertibleCard,
        convertedAt known: UnixTime?,
        among cards: [ConvertibleCard],
        events: [DeviceEvent]
    ) {
        self.events = events.sorted { $0.at < $1.at }.filter { event in
            conversion.covers(event.at, of: card) && cards.last(givenBy: event.at)?.card == card.card
        }
        let remaining = known.flatMap { conversion.covers($0, of: card) ? $0 : nil }
        convertedAt = [remaining, self.events.first?.at].compactMap(\.self).min()
    }
}

extension Collection<ConvertibleCard> {
    /// The last of the cards that had been given by a moment.
    func last(givenBy time: UnixTime) -> ConvertibleCard? {
        filter { $0.deliveredAt <= time }.max { $0.deliveredAt < $1.deliveredAt }
    }
}
