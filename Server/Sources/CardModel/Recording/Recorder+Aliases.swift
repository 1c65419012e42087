import WireJSON

extension Recorder {
    /// Decides whether a user gets an alias.
    ///
    /// - Parameters:
    ///   - new: The alias, and who is to have it.
    ///   - owner: The user who has the alias, or `nil` for none.
    ///   - aliases: The aliases of ``NewAlias/user``, or `nil` where there is no such user or none is named.
    ///   - now: The moment.
    /// - Returns: The outcome, and what to write for it.
    public func give(
        _ new: NewAlias,
        ownedBy owner: UserID?,
        beside aliases: [UserAlias]?,
        at now: UnixTime
    ) -> AliasDecision {
        guard let user = new.user else {
            guard owner == nil else { return AliasDecision(outcome: .given) }
            return AliasDecision(
                outcome: .given,
                owner: new.newUser,
                creation: UserProfile(id: new.newUser, createdAt: now)
            )
        }
        guard let aliases else { return AliasDecision(outcome: .userUnknown) }
        if let owner { return AliasDecision(outcome: owner == user ? .given : .nameTaken) }
        guard !aliases.contains(where: { $0.label.hasSameBytes(as: new.alias.label) }) else {
            return AliasDecision(outcome: .labelTaken)
        }
        guard aliases.count < limits.aliases else {
            return AliasDecision(outcome: .limitReached(UserLimits.Excess(.aliases, limit: limits.aliases)))
        }
        return AliasDecision(outcome: .given, owner: user)
    }
}

/// Whether a user gets an alias, and what to write for it.
public struct AliasDecision: Sendable, Hashable {
    /// The outcome.
    public let outcome: NewAlias.AliasOutcome
    /// The owner of the alias, or `nil` where nothing is written.
    public let owner: UserID?
    /// The user to create first, of version 1, or `nil` for none.
    public let creation: UserProfile?

    fileprivate init(outcome: NewAlias.AliasOutcome, owner: UserID? = nil, creation: UserProfile? = nil) {
        self.outcome = outcome
        self.owner = owner
        self.creation = creation
    }
}
