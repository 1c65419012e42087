/// The events of one user that arrived together.
public struct EventBatch: Sendable {
    /// The user.
    public var user: UserID
    /// The events, in the order in which the device logged them.
    public var events: [DeviceEvent]
    /// The time at which they arrived, by the server's clock.
    public var receivedAt: UnixTime
    /// The device that sent them, which need not be told of what they change.
    public var device: String?
    /// The consequences of events when they are counted, or `nil` for nothing; see ``Catalog/eventRules``.
    public var rules: EventRules?
    /// The work that conditions on the events of several batches can take together, or `nil` for that of its own.
    var work: PatternWork?

    /// Creates a batch.
    public init(
        user: UserID,
        events: [DeviceEvent],
        receivedAt: UnixTime,
        device: String? = nil,
        rules: EventRules? = nil
    ) {
        self.user = user
        self.events = events
        self.receivedAt = receivedAt
        self.device = device
        self.rules = rules
    }
}
