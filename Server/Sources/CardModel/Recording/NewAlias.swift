/// An alias that a backend gives.
public struct NewAlias: Sendable, Hashable {
    /// The outcome of adding the alias.
    public enum AliasOutcome: Sendable, Hashable {
        /// The user has it now, or had it before.
        case given
        /// There is no such user.
        case userUnknown
        /// Another user has that alias.
        case nameTaken
        /// The user has another name with that label.
        case labelTaken
        /// The user has as many names as a user may have.
        case limitReached(UserLimits.Excess)
    }

    /// The alias.
    public var alias: UserAlias
    /// The user who gets it, or `nil` for a new user known only by the alias.
    public var user: UserID?
    /// The id with which a user is made where ``user`` is `nil` and nobody has the alias.
    public var newUser: UserID

    /// Creates a new alias.
    public init(alias: UserAlias, user: UserID?, newUser: UserID) {
        self.alias = alias
        self.user = user
        self.newUser = newUser
    }
}
