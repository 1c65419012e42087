/// A user without an id of their own who turned out to be one with an id.
public struct Identification: Sendable, Hashable {
    /// The outcome of the identification.
    public enum IdentificationOutcome: Sendable, Hashable {
        /// The two are one now, or were before.
        case done
        /// There is no such user, or more than one.
        case userUnknown
        /// The user has another id of their own already.
        case otherwiseIdentified
        /// Both have an alias with the same label.
        case labelTaken
        /// The two together would have more than is kept of one user.
        case limitReached(UserLimits.Excess)
    }

    /// The user without an id of their own.
    public var user: UserReference
    /// The identified user; created where there is no such user.
    public var identity: UserID

    /// Creates an identification.
    public init(user: UserReference, identity: UserID) {
        self.user = user
        self.identity = identity
    }
}
