public import CardModel

/// A part of the log of events.
public struct EventPage: Sendable, Hashable {
    /// The events, in the order in which they were kept.
    public var events: [StoredEvent]
    /// The position up to which the log was looked at: nothing at or before it is missing.
    public var position: Int64
    /// Whether that was the end of the log.
    public var isLast: Bool

    /// Makes a page.
    public init(events: [StoredEvent], position: Int64, isLast: Bool) {
        self.events = events
        self.position = position
        self.isLast = isLast
    }
}

/// A webhook as the store has it.
public struct WebhookState: Sendable, Hashable {
    /// Where events go.
    public var webhook: Webhook
    /// How far it is.
    public var progress: WebhookProgress
    /// The number of notices that wait to be sent.
    public var pendingNotices: Int64 = 0
    /// The number of notices that were dropped since it was set up, because too many waited.
    public var droppedNotices: Int64 = 0

    /// Makes a state.
    public init(webhook: Webhook, progress: WebhookProgress) {
        self.webhook = webhook
        self.progress = progress
    }
}
