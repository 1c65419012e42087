extension [UserMatch] {
    /// The users who are considered for an address, the one last changed first.
    ///
    /// They are ``UserMatch/limit`` at most: those whose address a backend set before those who claim it, and of either
    /// those whose ids come first.
    public var considered: [UserMatch] {
        sorted { ($0.isClaimed ? 1 : 0, $0.id) < ($1.isClaimed ? 1 : 0, $1.id) }
            .prefix(UserMatch.limit)
            .sorted { ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id) }
    }

    /// Returns the users who are found at all by an address, which depends on the mode of user tokens.
    ///
    /// Where tokens are required, a device speaks for its own user alone: what it says of an address finds nobody.
    public func found(where mode: Settings.UserTokenMode) -> [UserMatch] {
        mode == .required ? filter { !$0.isClaimed } : self
    }
}
