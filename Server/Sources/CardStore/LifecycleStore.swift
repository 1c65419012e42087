public import CardModel

/// Tells of changes and of the store's health, and closes it.
public protocol LifecycleStore: Sendable {
    /// The store's name for its own history. It changes when a backup is put in place of the original, so that devices
    /// that have seen more than the backup holds start from the beginning.
    var epoch: UInt64 { get }

    /// Returns the name of the history that a user's versions belong to. It changes where ``epoch`` does, and where a
    /// backup is put in place of the database that has the user; it stays where the user moves to another database.
    ///
    /// The default is ``epoch``, as in a store of one database.
    ///
    /// - Parameter user: A user who was just read, or is about to be: of others it says nothing.
    /// - Returns: The name that the user's devices get.
    func userEpoch(of user: UserID) -> UInt64

    /// The name of the history of all that the store has, as far as its databases are open. It changes where a backup
    /// is put in place of any of them, so that work that goes through all users begins from the start.
    ///
    /// The default is ``epoch``, as in a store of one database.
    var wholeEpoch: UInt64 { get }

    /// Whether other servers may have the same database, and read what changes a little later.
    ///
    /// The default is `false`.
    var isShared: Bool { get }

    /// Tells of changes from now on, whichever process made them. A listener that is slow may miss users but is then
    /// told ``StoreChange/anything``.
    func changes() -> AsyncStream<StoreChange>

    /// Checks that the store can be read and written.
    ///
    /// - Throws: The error that reading or writing meets.
    func checkHealth() async throws

    /// Checks everything that serving devices needs, and says of each whether it is in order.
    func healthChecks() async -> [HealthCheck]

    /// The space that the store takes, or `nil` where it can't be told.
    var storageSizes: StorageSizes? { get }

    /// The traffic of the store with its database server, or `nil` where it has none.
    var traffic: StoreTraffic? { get }

    /// The log of its groups of changes, or `nil` where it writes none.
    var groupCommits: GroupCommitLog? { get }

    /// Completes the writes that were asked for before, and closes the store. Closing it again does nothing.
    func close() async throws
}

extension LifecycleStore {
    /// The store's own name: all users are in one database.
    public func userEpoch(of user: UserID) -> UInt64 { epoch }

    /// The store's own name: there is one database.
    public var wholeEpoch: UInt64 { epoch }

    /// `nil`: the space can't be told.
    public var storageSizes: StorageSizes? { nil }

    /// `nil`: there is no server.
    public var traffic: StoreTraffic? { nil }

    /// `nil`: it writes no groups.
    public var groupCommits: GroupCommitLog? { nil }
}

/// Copies a store, for one that can.
public protocol BackupStore: CardStore {
    /// Writes a copy of the whole store that is consistent in itself, with an epoch of its own.
    ///
    /// - Throws: `StoreError.exists` where there is such a file.
    func backUp(to path: String) async throws
}

/// A change in a store.
public enum StoreChange: Sendable, Hashable {
    /// Campaigns, segments, settings or keys.
    case catalog
    /// The feed of one user, changed by that device, which need not be told.
    case user(UserID, except: String?)
    /// The feeds of many users, each with the device that changed it.
    case users([UserID: String?])
    /// One user was deleted, or is now known by another id.
    case removed(UserID)
    /// More than could be told one by one.
    case anything
}

extension LifecycleStore {
    /// No other server has the database.
    public var isShared: Bool { false }
}
