public import CardModel

/// Keeps what devices need: the state of their users, and the cards that were decided for them.
public protocol DeviceStore: Sendable {
    /// The reads of a device's request that don't wait, for a store that can do without; `nil` by default.
    var immediateReads: (any ImmediateReads)? { get }

    /// The reads of a device's request that call back, for a store that waits for a server; `nil` by default.
    var deferredReads: (any DeferredReads)? { get }

    /// Reads the little of a user that tells whether anything has changed. One indexed read.
    ///
    /// - Returns: `nil` for a user the store does not know.
    func userRevision(of user: UserID) async throws -> UserRevision?

    /// Reads everything about a user that decides their feed, and those parts of their history.
    ///
    /// The history is of the same moment as the rest, or of a later one. Of a card that ended or was dismissed, only
    /// the trigger of ``Delivery/origin`` is read: what was kept of it may be long, and no feed shows it again.
    ///
    /// Of triggers that aren't due by a moment, not even by the clock that is the furthest ahead, the properties aren't
    /// read. Those that are due come first; of more than 1,000 of either, the oldest are read.
    ///
    /// - Returns: `nil` for a user the store does not know.
    func userState(
        of user: UserID,
        including parts: UserHistory.Parts,
        dueBy time: UnixTime
    ) async throws -> UserState?

    /// Saves what was decided for a user, and counts the deliveries, unless the user has changed since.
    ///
    /// Creates the user where the store does not know them and the change was made from version 0.
    ///
    /// - Returns: The user's new version, or `nil` where the user's version is not the one that the change was made
    ///   from; then nothing is saved.
    /// - Throws: `StoreError.erased` for a user who was deleted, until a backend creates the user again.
    func saveFeed(_ change: FeedChange) async throws -> UserVersion?

    /// Saves what a device says of itself and when it was last seen.
    ///
    /// Creates the user where the store does not know them. The user's version changes only where the context does.
    ///
    /// - Throws: `StoreError.erased` for a user who was deleted, until a backend creates the user again.
    func recordDevice(_ device: DeviceContext, of user: UserID, at now: UnixTime) async throws

    /// Saves and counts the cards that templates withheld from a user. What was saved before counts no second time.
    func recordSuppressions(_ cards: [Withholding], from user: UserID, at now: UnixTime) async throws
}

extension DeviceStore {
    /// None: every read may have to wait.
    public var immediateReads: (any ImmediateReads)? { nil }

    /// None: every read needs a task that waits.
    public var deferredReads: (any DeferredReads)? { nil }

    /// Reads everything about a user that decides their feed, and those parts of their history, with the properties of
    /// all triggers.
    public func userState(of user: UserID, including parts: UserHistory.Parts) async throws -> UserState? {
        try await userState(of: user, including: parts, dueBy: .infinity)
    }

    /// Reads everything about a user that decides their feed, without their history.
    public func userState(of user: UserID) async throws -> UserState? { try await userState(of: user, including: []) }
}

/// The hot reads of a ``DeviceStore``, on the caller's own thread: for stores in the same process, which never wait.
///
/// They may be called on an event loop.
public protocol ImmediateReads: Sendable {
    /// Reads as ``DeviceStore/userRevision(of:)`` does.
    func userRevision(of user: UserID) throws -> UserRevision?

    /// Reads as ``DeviceStore/userState(of:including:dueBy:)`` does.
    func userState(of user: UserID, including parts: UserHistory.Parts, dueBy time: UnixTime) throws -> UserState?
}

/// The hot reads of a ``DeviceStore``, for callers that have no task to wait in.
///
/// They may be called on an event loop. Each calls its function exactly once, on any thread or before it returns; the
/// function must not take long, since others wait for it. An error says nothing of what a task would get by asking the
/// store, which may try again.
public protocol DeferredReads: Sendable {
    /// Reads as ``DeviceStore/userRevision(of:)`` does.
    func userRevision(
        of user: UserID,
        _ completion: @escaping @Sendable (Result<UserRevision?, StoreError>) -> Void
    )

    /// Reads as ``DeviceStore/userState(of:including:dueBy:)`` does.
    func userState(
        of user: UserID,
        including parts: UserHistory.Parts,
        dueBy time: UnixTime,
        _ completion: @escaping @Sendable (Result<UserState?, StoreError>) -> Void
    )
}

/// The little of a user that tells whether anything has changed.
public struct UserRevision: Sendable, Hashable {
    /// The user's version.
    public var version: UserVersion
    /// ``DeviceContext/fingerprint`` of what the user's devices last said.
    public var device: Int64
    /// The time at which one of the user's devices was last seen, or 0 for never.
    public var lastSeenAt: UnixTime
    /// The time at which the user was created: one who was deleted and created again counts versions from the
    /// beginning.
    public var createdAt: UnixTime

    /// Creates a revision.
    public init(version: UserVersion, device: Int64, lastSeenAt: UnixTime, createdAt: UnixTime) {
        self.version = version
        self.device = device
        self.lastSeenAt = lastSeenAt
        self.createdAt = createdAt
    }
}

extension DeviceContext {
    /// A number that is the same for the same context and almost certainly another for another.
    public var fingerprint: Int64 {
        let text = [locale, timeZone, appVersion].map { $0 ?? "\u{1}" }.joined(separator: "\u{2}")
        return Int64(bitPattern: StableHash.of("device", text))
    }
}
