/// Says which events are meant; what is empty or `nil` leaves all.
public struct EventFilter: Sendable, Hashable {
    /// The names of the event types that there are.
    public static let typeNames = [
        "impression", "click", "dismissal", "custom", "purchase", "session_start", "content_error",
        "attributes",
    ]

    /// The names of types.
    public var types: Set<String> = []
    /// The campaign whose cards they are about.
    public var campaign: CampaignID?
    /// The earliest moment at which they happened.
    public var from: UnixTime?
    /// The moment before which they happened.
    public var until: UnixTime?

    /// Creates a filter that leaves all.
    public init() {}
}
