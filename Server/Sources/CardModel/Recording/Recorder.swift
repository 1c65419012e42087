/// Decides what is recorded of users, and adds up what is counted for it, without any I/O.
///
/// A store loads what the recorder asks for, lets it decide, and applies the changes that come back, all in one
/// transaction. It decides nothing itself, so two stores can't differ in what they record. See decision 0036.
///
/// A writer keeps one recorder. ``calendar``, ``limits`` and ``conversions`` have to be those of the transaction, and
/// ``counts`` are to be added to the store's at its end.
public struct Recorder: Sendable {
    /// The days on which moments count.
    public var calendar = DayCalendar()
    /// The limits of what is kept of one user.
    public var limits = UserLimits()
    /// The conversions of all campaigns.
    public var conversions = ConversionRules.none
    /// The counts since this was last emptied.
    public var counts = RecordedCounts()

    /// Creates a recorder for a workspace in UTC that has the default limits and no campaigns.
    public init() {}
}

/// The state of a user that a store has before it records something.
public struct KnownUser: Sendable, Hashable {
    /// The user's version.
    public var version: UserVersion
    /// The context that the user's devices last reported.
    public var device: DeviceContext

    /// Creates a known user.
    public init(version: UserVersion, device: DeviceContext = DeviceContext()) {
        self.version = version
        self.device = device
    }

    /// The user's version once something of theirs has changed.
    public var nextVersion: UserVersion {
        // safe: versions go up by one
        version + 1
    }
}
