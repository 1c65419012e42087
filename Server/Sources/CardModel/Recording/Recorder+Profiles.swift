extension Recorder {
    /// Records what an import or an operator says of a user.
    ///
    /// - Parameters:
    ///   - update: The update.
    ///   - known: The user as the store has them, or `nil` for none.
    ///   - now: The moment.
    /// - Returns: What to write.
    public func record(_ update: UserUpdate, over known: KnownProfile?, at now: UnixTime) -> ProfileWrite {
        write(of: update.id, over: known, at: now) { profile throws(UserLimits.Excess) in
            try profile.apply(update, within: limits)
        }
    }

    /// Records changes of a user's attributes that a backend tells.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - user: The user.
    ///   - known: The user as the store has them, or `nil` for none.
    ///   - now: The moment.
    /// - Returns: What to write.
    public func record(
        _ changes: AttributeChanges,
        of user: UserID,
        over known: KnownProfile?,
        at now: UnixTime
    ) -> ProfileWrite {
        write(of: user, over: known, at: now) { profile throws(UserLimits.Excess) in
            var usage = AttributeUsage(of: profile)
            return try profile.apply(changes, within: limits, &usage)
        }
    }

    /// Decides what a change writes; `change` returns whether anything is different now.
    private func write(
        of user: UserID,
        over known: KnownProfile?,
        at now: UnixTime,
        _ change: (inout UserProfile) throws(UserLimits.Excess) -> Bool
    ) -> ProfileWrite {
        var profile = known?.profile ?? UserProfile(id: user, createdAt: now)
        do throws(UserLimits.Excess) {
            let isChanged = try change(&profile)
            guard let known else { return .creation(profile, version: isChanged ? 1 : 0) }
            // safe: versions go up by one
            return isChanged ? .attributes(profile, version: known.version + 1) : .nothing
        } catch {
            return .refused(error)
        }
    }
}

/// A user as a store has them, with their version.
public struct KnownProfile: Sendable, Hashable {
    /// The user.
    public var profile: UserProfile
    /// The user's version.
    public var version: UserVersion

    /// Creates a known profile.
    public init(_ profile: UserProfile, version: UserVersion) {
        self.profile = profile
        self.version = version
    }
}

/// The writes that change a user's attributes.
public enum ProfileWrite: Sendable, Hashable {
    /// Nothing, since nothing is different.
    case nothing
    /// A new user; of version 0 where nothing is known but that they exist.
    case creation(UserProfile, version: UserVersion)
    /// Other attributes, and the version.
    case attributes(UserProfile, version: UserVersion)
    /// Nothing, since the change would go beyond a limit.
    case refused(UserLimits.Excess)
}
