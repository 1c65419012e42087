/// The user that the events of a batch belong to.
public enum EventOwner: Sendable, Hashable {
    /// The batch's user, of that version.
    case known(version: UserVersion)
    /// Another user, of that version: the batch's one was merged into them.
    case identity(UserID, version: UserVersion)
    /// A user to create, of version 0.
    case creation(UserProfile)
}

extension EventBatch {
    /// Whether a device sent the events; a backend else.
    public var isFromDevice: Bool { device != nil }

    /// Decides whose the events are.
    ///
    /// What a device still sends for a user who was merged into another is that user's. A backend that names such a
    /// user means a new one.
    ///
    /// - Parameters:
    ///   - known: The batch's user as the store has them, or `nil` for none.
    ///   - identity: Reads the user that the batch's one was merged into, or returns `nil` where there is none. It is
    ///     asked only where that matters.
    /// - Returns: Whose they are. Where it is a user to create and a device sent the events, the store throws for one
    ///   who was deleted or merged.
    /// - Throws: What `identity` throws.
    public func owner<Failure: Error>(
        known: KnownUser?,
        mergedInto identity: () throws(Failure) -> (id: UserID, user: KnownUser)?
    ) throws(Failure) -> EventOwner {
        if let known { return .known(version: known.version) }
        if isFromDevice, let found = try identity() { return .identity(found.id, version: found.user.version) }
        return .creation(UserProfile(id: user, createdAt: receivedAt))
    }
}
