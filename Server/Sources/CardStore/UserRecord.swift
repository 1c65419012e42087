public import CardModel

/// All that is known of a user.
public struct UserRecord: Sendable, Hashable {
    /// The number of times that something happened.
    public struct Activity: Sendable, Hashable {
        /// The event's name or the product.
        public var name: String
        /// The time at which it happened for the first time.
        public var first: UnixTime
        /// The time at which it last happened.
        public var last: UnixTime
        /// The number of times it happened; of a purchase, the number of pieces that were bought.
        public var count: Int64

        /// Creates an activity.
        public init(name: String, first: UnixTime, last: UnixTime, count: Int64) {
            self.name = name
            self.first = first
            self.last = last
            self.count = count
        }
    }

    /// The profile.
    public var profile: UserProfile
    /// The aliases, by label.
    public var aliases: [UserAlias]
    /// The cards that the user was given, the oldest first.
    public var deliveries: [Delivery]
    /// The custom events, by name.
    public var events: [Activity]
    /// The purchases, by product.
    public var purchases: [Activity]
    /// The sessions, under the name `session_start`, or `nil` for none.
    public var sessions: Activity?
    /// The price of all purchases together, by currency.
    public var revenue: [String: Amount]

    /// Creates a record.
    public init(
        profile: UserProfile,
        aliases: [UserAlias] = [],
        deliveries: [Delivery] = [],
        events: [Activity] = [],
        purchases: [Activity] = [],
        sessions: Activity? = nil,
        revenue: [String: Amount] = [:]
    ) {
        self.profile = profile
        self.aliases = aliases
        self.deliveries = deliveries
        self.events = events
        self.purchases = purchases
        self.sessions = sessions
        self.revenue = revenue
    }
}
