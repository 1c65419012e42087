public import CardModel
public import CardStore
import Foundation
import GRDB
import Synchronization

/// A store in one SQLite file, for one machine.
///
/// Reads of one user run on the caller's thread; writes of all callers share transactions, each of which is on the disk
/// before its callers hear of it (WAL with `synchronous=FULL`). Other processes may use the same file at the same time.
public final class SQLiteCardStore: CardStore {
    /// How a store is opened.
    public struct Options: Sendable {
        /// Whether a database of an older version is brought up to date.
        ///
        /// Otherwise it is refused. `true` by default.
        public var migrates = true
        /// How many changes a listener may fall behind before it is told ``StoreChange/anything``; 1024 by default.
        public var listenerBuffer = 1024
        /// How much of the file each reading connection keeps in memory, in KiB; 8192 by default.
        public var readCacheKiB = 8_192
        /// How long a write waits for another process that holds the database; 5 seconds by default.
        public var busyTimeout = Duration.seconds(5)
        /// Where the keys for secrets come from; by default the file beside the database that ends in `.key`.
        public var secretsKey: SecretsKeySource?
        /// Whether a store whose secrets can't be decrypted is refused; `true` by default.
        ///
        /// Otherwise it opens, and no second factor fits until the key is back.
        public var requiresSecretsKey = true
        /// The present time; the system's by default.
        public var now: @Sendable () -> UnixTime = { Date().timeIntervalSince1970 }
        /// What the watch for other processes' changes waits on; the system's clock by default.
        public var clock: any Clock<Duration> = ContinuousClock()

        /// Makes the defaults.
        ///
        /// - Parameter migrate: See ``migrates``.
        public init(migrate: Bool = true) { migrates = migrate }
    }

    /// The store's name for its own history.
    public let epoch: UInt64
    let pseudonyms: UserPseudonyms
    /// The files that other accounts could read when the store was opened.
    public let exposedFiles: [ExposedFile]
    let path: String
    let secrets: StoreSecrets
    let pool: DatabasePool
    let writer: GroupWriter
    let readers: ReadConnections
    let listeners: ChangeListeners
    let now: @Sendable () -> UnixTime
    /// The one who closes; whoever closes later waits for it.
    let closing = Mutex<Task<Void, any Error>?>(nil)
    private let watch: Task<Void, Never>

    /// Opens a store, making the file where there is none.
    ///
    /// - Parameters:
    ///   - path: The file. Its folder has to exist.
    ///   - options: How.
    /// - Throws: `StoreError.incompatible` where the file is another program's, of a newer version, or of an older one
    ///   that is not to be brought up to date; `StoreError.corrupt` where it is damaged; `StoreError.locked` where its
    ///   secrets can't be decrypted.
    public init(path: String, options: Options = Options()) throws {
        self.path = path
        now = options.now
        listeners = ChangeListeners(bufferSize: options.listenerBuffer)
        readers = ReadConnections(path: path, cacheKiB: options.readCacheKiB)
        let source = options.secretsKey ?? .file(path: Self.secretsKeyPath(of: path))
        exposedFiles = StoreFiles.prepare(path, and: source.files)
        let secrets = try StoreSecrets(source, isRequired: options.requiresSecretsKey)
        let pool = try translatingErrors { try Self.openPool(at: path, options: options, secrets) }
        self.secrets = secrets
        self.pool = pool
        let (listeners, now) = (listeners, now)
        (epoch, pseudonyms, writer, watch) = try translatingErrors {
            let writer = try GroupWriter(pool: pool, secrets: secrets, listeners: listeners, now: now)
            return (
                try pool.read(StoreRow.epoch),
                try pool.read(StoreRow.pseudonyms),
                writer,
                try ForeignChangeWatch.start(
                    path: path,
                    writerID: writer.id,
                    telling: listeners,
                    clock: options.clock
                )
            )
        }
    }

    deinit { watch.cancel() }

    /// Brings a database up to date, making it where there is none.
    ///
    /// - Parameters:
    ///   - path: The file. Its folder has to exist.
    ///   - secretsKey: Where the keys for secrets come from; see ``Options/secretsKey``.
    /// - Returns: The names of the steps that were done, in order; empty where there was nothing to do.
    /// - Throws: As ``init(path:options:)`` does.
    public static func migrate(path: String, secretsKey: SecretsKeySource? = nil) throws -> [String] {
        let source = secretsKey ?? .file(path: secretsKeyPath(of: path))
        _ = StoreFiles.prepare(path, and: source.files)
        return try translatingErrors {
            let pool = try DatabasePool(path: path, configuration: configuration(Options()))
            defer { try? pool.close() }
            let steps = try Schema.migrate(pool)
            try prepareSecrets(StoreSecrets(source, isRequired: true), in: pool)
            return steps
        }
    }

    /// The file that holds the keys for the secrets in a database unless another is named.
    public static func secretsKeyPath(of path: String) -> String { path + ".key" }

    private static func configuration(_ options: Options) -> Configuration {
        var configuration = Configuration()
        configuration.label = "placard"
        configuration.busyMode = .timeout(options.busyTimeout / .seconds(1))
        configuration.maximumReaderCount = 4
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { [readCacheKiB = options.readCacheKiB] database in
            // What is deleted or encrypted is overwritten, so that it is in no file any more.
            try database.execute(sql: "PRAGMA cache_size = -\(readCacheKiB); PRAGMA secure_delete = ON")
        }
        // Should a rollback ever fail, the next group says so; GRDB would end the process.
        configuration.allowsUnsafeTransactions = true
        return configuration
    }

    private static func openPool(
        at path: String,
        options: Options,
        _ secrets: StoreSecrets
    ) throws -> DatabasePool {
        let pool = try DatabasePool(path: path, configuration: configuration(options))
        if options.migrates {
            _ = try Schema.migrate(pool)
        } else {
            try pool.writeWithoutTransaction { database in
                try Schema.checkOwnership(of: database)
                try Schema.checkCompleteness(of: database)
            }
        }
        try pool.writeWithoutTransaction(configureWriter)
        try prepareSecrets(secrets, in: pool)
        return pool
    }

    private static func prepareSecrets(_ secrets: StoreSecrets, in pool: DatabasePool) throws {
        guard try secrets.prepare(pool) else { return }
        // The log has the pages as they were before.
        pool.writeWithoutTransaction { _ = try? $0.checkpoint(.truncate) }
    }

    /// GRDB sets its own `synchronous` when it opens a connection, so ours comes after.
    private static func configureWriter(_ database: Database) throws {
        try database.execute(
            sql: """
                PRAGMA synchronous = FULL;
                PRAGMA cache_size = -65536;
                PRAGMA wal_autocheckpoint = 4000;
                PRAGMA journal_size_limit = 67108864;
                """
        )
    }

    func stopWatching() async {
        watch.cancel()
        await watch.value
    }
}
