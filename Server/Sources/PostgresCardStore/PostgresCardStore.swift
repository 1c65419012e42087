public import CardModel
public import CardStore
import Dispatch
import Foundation
import Synchronization

/// A store in a PostgreSQL database, which any number of nodes share.
///
/// A node reads on a few connections, and writes on one: writes of all its callers share transactions, each of which is
/// durable on the server before its callers hear of it. What other nodes change is announced within a second.
public final class PostgresCardStore: Sendable {
    /// The options with which a store is opened.
    public struct Options: Sendable {
        /// Whether a database of an older version is brought up to date; otherwise it is refused.
        ///
        /// `true` by default.
        public var migrates = true
        /// The number of connections that read; 4 by default.
        ///
        /// More make PostgreSQL slower rather than faster.
        public var readers = 4
        /// The number of connections for reads that take long, such as counts of an audience; 2 by default.
        ///
        /// Devices never wait for those.
        public var longReaders = 2
        /// The number of connections for reports and pages of the log; 2 by default.
        ///
        /// Devices never wait for those.
        public var reportReaders = 2
        /// The number of connections that a store opens: those that read, one that writes, and one that listens.
        var connections: Int64 {
            Int64(clamping: readers) + Int64(clamping: longReaders) + Int64(clamping: reportReaders) + 2
        }
        /// The number of changes that a listener can fall behind before it is told ``StoreChange/anything``; 1024 by
        /// default.
        public var listenerBuffer = 1024
        /// The time that the server can work on one statement; 30 seconds by default.
        public var statementTimeout = Duration.seconds(30)
        /// The time that a statement can wait for another transaction; 5 seconds by default.
        public var lockTimeout = Duration.seconds(5)
        /// The source of the keys for secrets; `nil` by default, which keeps secrets unencrypted.
        public var secretsKey: SecretsKeySource?
        /// Whether a store whose secrets can't be decrypted is refused; `true` by default.
        public var requiresSecretsKey = true
        /// The present time; the system's by default.
        public var now: @Sendable () -> UnixTime = { Date().timeIntervalSince1970 }
        /// Whether the node's clock may differ from the database's; `false` by default, which makes such a node not
        /// ready.
        public var acceptsClock = false
        /// The node's clock, as it is compared with the database's; the system's by default.
        var systemClock: @Sendable () -> UnixTime = { Date().timeIntervalSince1970 }
        /// The time for which a slot's lease is kept before it is renewed, which takes a statement.
        var leaseRenewal = SlotLease.renewal
        /// Whether the store does nothing by itself, for commands that only read; `false` by default.
        ///
        /// Partitions of the log, and what shards have for the home, are then left to servers.
        public var isReadOnly = false
        /// The function that is told of each time that partitions of the log couldn't be created or dropped, which is
        /// tried again within an hour; does nothing by default.
        public var onPartitionFailure: @Sendable (StoreError) -> Void = { _ in }
        /// The function that is told of what a migration waits for, once a minute; does nothing by default.
        public var onMigrationWait: @Sendable (String) -> Void = { _ in }
        /// The log of the groups of changes, which several stores can share; `nil` for one of the store's own.
        package var commits: GroupCommitLog?
        /// The part that the database has where users are spread over several; `nil` by default, for a single one.
        package var shard: ShardRole?
        /// Returns the part of a home that has shards, and is asked once, with those that the home knows; `nil` by
        /// default, for a database of which it is known beforehand.
        package var homeRole: (@Sendable (KnownShards) -> ShardRole?)?
        /// Whether nothing of users is changed, so that other databases may have some of them although ``shard`` is
        /// `nil`; `false` by default, which refuses every change then.
        package var leavesUsers = false

        /// Creates the defaults.
        public init() {}
    }

    /// The names of the steps by which the database was brought up to date when the store was opened.
    public let migration: [String]
    /// The shards that the home knew when it was opened, where ``Options/homeRole`` asked for them.
    package let shardsAtOpening: KnownShards?
    let options: Options
    let secrets: StoreSecrets
    let pseudonyms: UserPseudonyms
    let now: @Sendable () -> UnixTime
    let pool: ConnectionPool
    let longPool: ConnectionPool
    let reportPool: ConnectionPool
    let deviceReads: DeviceReads
    let writer: GroupWriter
    let listeners: ChangeListeners
    private let transactions: TransactionRunner
    private let connectionTraffic: ConnectionTraffic
    private let signals = SignalListener()
    let partitions: PartitionKeeper
    private let keeping: Task<Void, Never>
    let currentEpoch: StoreEpoch
    /// The number by which other nodes tell this one's changes from theirs.
    let writerID: Int64

    /// The store's name for its own history.
    public var epoch: UInt64 { currentEpoch.value }

    /// The log of its groups of changes since it was opened.
    public var groupCommits: GroupCommitLog? { writer.commits }

    /// The traffic of the store with its server since it was opened.
    public var traffic: StoreTraffic? {
        let (load, long, report) = (pool.load, longPool.load, reportPool.load)
        var traffic = StoreTraffic()
        traffic.connections = Int(clamping: options.connections)
        // safe: counts of reads
        (traffic.waiting, traffic.waits) = (load.waiting + deviceReads.waitingCount, load.waits)
        traffic.roundTrips = connectionTraffic.roundTrips
        traffic.retries = transactions.retries
        // safe: counts of reads
        traffic.retries[.read] = load.losses + long.losses + report.losses
        traffic.partitionFailures = partitions.failures
        return traffic
    }

    /// Opens a store, creating its tables where there are none.
    ///
    /// Waits for the server on the calling thread; ``open(url:options:)`` doesn't.
    ///
    /// - Parameters:
    ///   - url: The database, as libpq takes it: `postgres://user@host/name`, with several hosts if need be.
    ///   - options: How to open it.
    /// - Throws: `StoreError.unavailable` where no primary server answers; `StoreError.incompatible` where the database
    ///   is another program's, of a newer version, or of an older one that is not to be brought up to date;
    ///   `StoreError.locked` where its secrets can't be decrypted.
    public init(url: String, options: Options = Options()) throws {
        now = options.now
        let settings = ConnectionSettings(url: url, options)
        let epoch = StoreEpoch()
        currentEpoch = epoch
        let source = ConnectionSource(settings) { epoch.follow($0.history) }
        let listeners = ChangeListeners(bufferSize: options.listenerBuffer)
        self.listeners = listeners
        let partitions = PartitionKeeper(settings, now: options.now, onFailure: options.onPartitionFailure)
        self.partitions = partitions
        let preparation = try translatingErrors {
            try StorePreparation(source, settings, epoch, options, partitions)
        }
        (migration, secrets, pseudonyms) = (preparation.migration, preparation.secrets, preparation.pseudonyms)
        shardsAtOpening = preparation.shards
        var ownOptions = options
        ownOptions.shard = preparation.role
        self.options = ownOptions
        let id = Int64.random(in: 1...Int64.max)
        writerID = id
        let environment = WriteSession.Environment(
            secrets: secrets,
            pseudonyms: pseudonyms,
            now: now,
            writer: id,
            leaseRenewal: options.leaseRenewal,
            shard: preparation.role,
            leavesUsers: options.leavesUsers
        )
        let traffic = ConnectionTraffic()
        connectionTraffic = traffic
        let writing = traffic.source(source, for: .write)
        transactions = TransactionRunner(writing, settings, environment) { listeners.announce($0) }
        writer = GroupWriter(transactions, preparation.role, options.commits)
        pool = ConnectionPool(traffic.source(source, for: .read), settings, size: options.readers)
        deviceReads = DeviceReads(pool, ownOptions)
        longPool = ConnectionPool(
            traffic.source(source, for: .read),
            settings,
            size: options.longReaders,
            label: "long",
            waitingLimit: ConnectionPool.longWaitingLimit
        )
        reportPool = ConnectionPool(
            traffic.source(source, for: .read),
            settings,
            size: options.reportReaders,
            label: "report",
            waitingLimit: ConnectionPool.reportWaitingLimit,
            fallback: pool
        )
        let signals = signals
        let listening = traffic.source(source, for: .listen)
        try translatingErrors {
            try signals.start(listening, on: preparation.connection, writer: id) { listeners.announce($0) }
        }
        // Last, since nobody could cancel it for a store that wasn't opened.
        keeping = options.isReadOnly ? Task {} : partitions.start()
    }

    /// Opens a store as ``init(url:options:)`` does, without waiting for the server on the caller's thread.
    public static func open(url: String, options: Options = Options()) async throws -> PostgresCardStore {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "placard.postgres.open").async {
                continuation.resume(with: Result { try PostgresCardStore(url: url, options: options) })
            }
        }
    }

    /// Counts and tells that partitions couldn't be dropped by what looks after several databases.
    package func notePartitionFailure(_ error: any Error) { partitions.note(StoreError(error)) }

    /// Reads on one connection, without a transaction; again on another one where it is lost.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        try await pool.read(body)
    }

    /// Reads everything as it was at one moment.
    func snapshot<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        try await pool.snapshot(body)
    }

    /// Reads everything as it was at one moment, where that takes long: on connections that no device waits for.
    ///
    /// Refused while many such reads wait.
    func longSnapshot<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        try await longPool.snapshot(body)
    }

    /// Reads a report or a page of the log as it was at one moment, on connections that no device waits for.
    ///
    /// Refused while many such reads wait.
    func reportSnapshot<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        try await reportPool.snapshot(body)
    }

    // MARK: Life

    /// Announces changes from now on, whichever node makes them.
    public func changes() -> AsyncStream<StoreChange> { listeners.listen() }

    /// Any number of nodes may have the same database.
    public var isShared: Bool { true }

    /// Finishes what is under way and closes the connections.
    public func close() async throws {
        keeping.cancel()
        await signals.stop()
        listeners.close()
        await writer.close()
        pool.close()
        longPool.close()
        reportPool.close()
    }
}

extension ConnectionSettings {
    fileprivate init(url: String, _ options: PostgresCardStore.Options) {
        self.init(url: url)
        statementTimeout = Self.milliseconds(options.statementTimeout)
        lockTimeout = Self.milliseconds(options.lockTimeout)
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        let seconds = min(max(duration / .seconds(1), 0.001), 86_400)
        // safe: at most a day
        return Int(seconds * 1_000)
    }
}
