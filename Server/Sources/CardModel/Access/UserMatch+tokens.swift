extension [UserMatch] {
    /// Returns the users who are found at all by an address, which depends on the mode of user tokens.
    ///
    /// Where tokens are required, a device speaks for its own user alone: what it says of an address finds nobody.
    public func found(where mode: Settings.UserTokenMode) -> [UserMatch] {
        mode == .required ? filter { !$0.isClaimed } : self
    }
}
