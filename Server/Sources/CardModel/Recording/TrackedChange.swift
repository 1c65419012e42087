/// One thing that a backend tells of a user.
public struct TrackedChange: Sendable {
    /// The kinds of content.
    public enum TrackedContent: Sendable {
        /// The changes of attributes.
        case attributes(AttributeChanges)
        /// Something that happened, with an id by which it counts once; not about a card.
        case event(DeviceEvent)
    }

    /// The user.
    public var user: UserReference
    /// The id with which the user is made where there is none, or `nil` to leave the change out then.
    public var newUser: UserID?
    /// The content that is told.
    public var content: TrackedContent

    /// Creates a change.
    public init(user: UserReference, newUser: UserID?, content: TrackedContent) {
        self.user = user
        self.newUser = newUser
        self.content = content
    }
}

/// The outcome of the changes that a backend sent.
public struct TrackOutcome: Sendable, Hashable {
    /// The user of each change, or `nil` where there is none and none was to be made.
    public var users: [UserID?]
    /// The number of events that had been counted before.
    public var duplicates: Int
    /// The limits that changes would have gone beyond, by their place; those changes were left out.
    public var excesses: [Int: UserLimits.Excess] = [:]

    /// Creates an outcome.
    public init(users: [UserID?], duplicates: Int = 0) {
        self.users = users
        self.duplicates = duplicates
    }
}
