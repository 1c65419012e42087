/// A recount of a card that turns out to have been seen earlier than was known.
///
/// Devices report late and in any order. The window moves to the earlier impression, so what happened before the known
/// one may count by now, and what happened late may count no longer: the outcome is that of the order of time. Events
/// are taken from the log as it is then, by the conversion as it is then.
public struct ConversionRecount: Sendable {
    /// The time at which the card converted: the first event within the window, or `nil` for not at all.
    public let convertedAt: UnixTime?
    /// The events in the log within the window, in order of time.
    public let events: [DeviceEvent]

    /// Counts a card's events again.
    ///
    /// - Parameters:
    ///   - conversion: The conversion, whose window an impression opens.
    ///   - card: The card, as it was seen first.
    ///   - known: When it converted by what was counted before, which stays where it is within the window.
    ///   - events: The events in the log that bring the conversion about and belong to the card, in its window.
    public init(
        of conversion: Campaign.Conversion,
        by card: ConvertibleCard,
        convertedAt known: UnixTime?,
        events: [DeviceEvent]
    ) {
        self.events = events.sorted { $0.at < $1.at }
        let remaining = known.flatMap { conversion.covers($0, of: card) ? $0 : nil }
        convertedAt = [remaining, self.events.first?.at].compactMap(\.self).min()
    }
}
