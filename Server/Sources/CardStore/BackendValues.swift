public import CardModel

/// One thing that a backend tells of a user.
public struct TrackedChange: Sendable {
    /// What is told.
    public enum Content: Sendable {
        /// What is to become of attributes.
        case attributes(AttributeChanges)
        /// Something that happened, with an id by which it counts once; not about a card.
        case event(DeviceEvent)
    }

    /// The user.
    public var user: UserReference
    /// The id with which the user is made where there is none, or `nil` to leave the change out then.
    public var newUser: UserID?
    /// What is told.
    public var content: Content

    /// Makes a change.
    public init(user: UserReference, newUser: UserID?, content: Content) {
        self.user = user
        self.newUser = newUser
        self.content = content
    }
}

/// What became of the changes that a backend told.
public struct TrackOutcome: Sendable, Hashable {
    /// The user of each change, or `nil` where there is none and none was to be made.
    public var users: [UserID?]
    /// How many events had been counted before.
    public var duplicates: Int
    /// The limits that changes would have gone beyond, by their place; those changes were left out.
    public var excesses: [Int: UserLimits.Excess] = [:]

    /// Makes an outcome.
    public init(users: [UserID?], duplicates: Int = 0) {
        self.users = users
        self.duplicates = duplicates
    }
}

/// An alias that a backend gives.
public struct NewAlias: Sendable, Hashable {
    /// What became of it.
    public enum Outcome: Sendable, Hashable {
        /// The user has it now, or had it before.
        case given
        /// There is no such user.
        case userUnknown
        /// Somebody else has that name.
        case nameTaken
        /// The user has another name with that label.
        case labelTaken
        /// The user has as many names as a user may have.
        case limitReached(UserLimits.Excess)
    }

    /// The alias.
    public var alias: UserAlias
    /// Who is to have it, or `nil` for a user of whom nothing else is known.
    public var user: UserID?
    /// The id with which a user is made where ``user`` is `nil` and nobody has the alias.
    public var newUser: UserID

    /// Makes a new alias.
    public init(alias: UserAlias, user: UserID?, newUser: UserID) {
        self.alias = alias
        self.user = user
        self.newUser = newUser
    }
}

/// All that is known of a user.
public struct UserRecord: Sendable, Hashable {
    /// How often something happened.
    public struct Activity: Sendable, Hashable {
        /// The event's name or the product.
        public var name: String
        /// When it happened for the first time.
        public var first: UnixTime
        /// When it last happened.
        public var last: UnixTime
        /// How often it happened; of a purchase, how many were bought.
        public var count: Int64

        /// Makes an activity.
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
    /// What all purchases cost together, by currency.
    public var revenue: [String: Amount]

    /// Makes a record.
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

/// Which part of the list of campaigns is asked for.
public struct CampaignPage: Sendable, Hashable {
    /// Whether the newest comes first.
    public var isNewestFirst = false
    /// Whether archived campaigns are in it.
    public var includesArchived = false
    /// Leaves only those changed after that moment, if there is one.
    public var changedAfter: UnixTime?
    /// How many at most, 1 to 1000.
    public var limit = 100
    /// How many to pass over.
    public var offset = 0

    /// Makes the first page of a hundred.
    public init() {}
}
