extension Recorder {
    /// Records what a device says of itself, and that it was seen.
    ///
    /// - Parameters:
    ///   - device: What the device says.
    ///   - user: The user.
    ///   - known: The user as the store has them, or `nil` for none.
    ///   - now: The moment.
    /// - Returns: What to write.
    public func record(
        _ device: DeviceContext,
        of user: UserID,
        over known: KnownUser?,
        at now: UnixTime
    ) -> DeviceWrite {
        guard let known else {
            var profile = UserProfile(id: user, createdAt: now)
            profile.device = device
            profile.lastSeenAt = now
            return .creation(profile, version: device == DeviceContext() ? 0 : 1)
        }
        return known.device == device ? .seen : .device(device, version: known.nextVersion)
    }
}

/// The changes to write for a device that was seen.
public enum DeviceWrite: Sendable, Hashable {
    /// A new user; of version 0 where nothing is known but that they exist.
    case creation(UserProfile, version: UserVersion)
    /// The time at which the device was seen; it says the same as before.
    case seen
    /// The device's new description, the time at which it was seen, and the version.
    case device(DeviceContext, version: UserVersion)
}
