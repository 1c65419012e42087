public import CardModel
public import CardStore
import Foundation
import GRDB
import Synchronization

/// A store in one SQLite file, for one machine.
///
/// Reads of one user run on the caller's thread; writes of all callers share transactions, each of which is on the disk
/// before its callers hear of it (WAL with `synchronous=FULL`). Other processes may use the same file at the same time.
public final class SQLiteCardStore: BackupStore {
    /// The options with which a store is opened.
    public struct Options: Sendable {
        /// Whether a database of an older version is brought up to date.
        ///
        /// Otherwise it is refused, and stays as it is. `true` by default.
        public var migrates = true
        /// Whether the database is only read, and not even created, migrated or made private; `false` by default.
        ///
        /// Writes then fail, and a log that a crash left stays as it is. Other processes go on undisturbed.
        public var isReadOnly = false
        /// Whether the store is a server's, of which a database has one at a time; `false` by default.
        ///
        /// A second one waits for the first as long as a write does, and is refused then. Commands may use the database
        /// beside it.
        public var isServer = false
        /// Whether a database is copied before it is migrated, to a file beside it; `true` by default.
        public var copiesBeforeMigrating = true
        /// A function that is told the steps of a migration before the first of them, and the copy that was made.
        public var onMigration: @Sendable (_ steps: [String], _ copy: String?) -> Void = { _, _ in }
        /// The number of changes that a listener can fall behind before it is told ``StoreChange/anything``; 1024 by
        /// default.
        public var listenerBuffer = 1024
        /// The size of the part of the file that each reading connection keeps in memory, in KiB; 8192 by default.
        public var readCacheKiB = 8_192
        /// The time that a write waits for another process that holds the database; 5 seconds by default.
        public var busyTimeout = Duration.seconds(5)
        /// The source of the keys for secrets; by default the file beside the database that ends in `.key`.
        public var secretsKey: SecretsKeySource?
        /// Whether a store whose secrets can't be decrypted is refused; `true` by default.
        ///
        /// Otherwise it opens, and no second factor fits until the key is back.
        public var requiresSecretsKey = true
        /// The present time; the system's by default.
        public var now: @Sendable () -> UnixTime = { Date().timeIntervalSince1970 }
        /// The clock that the watch for other processes' changes waits on; the system's by default.
        public var clock: any Clock<Duration> = ContinuousClock()

        /// Creates the defaults.
        ///
        /// - Parameter migrate: See ``migrates``.
        public init(migrate: Bool = true) { migrates = migrate }
    }

    /// The store's name for its own history.
    public let epoch: UInt64
    let pseudonyms: UserPseudonyms
    /// The files that other accounts could read when the store was opened.
    public let exposedFiles: [ExposedFile]
    /// Whether the server before hadn't written back its write-ahead log, which wasn't there any more, or was emptied.
    ///
    /// What was acknowledged last is lost then, unless another program has written it back.
    public let hasLostLog: Bool
    /// Whether the write-ahead log was damaged when the store was opened.
    ///
    /// What was written after the damage is lost; a copy of the log is beside it, its name ending in `.damaged`.
    public let hasDamagedLog: Bool
    /// Whether the write-ahead log had zeros in the place of what was written last when the store was opened.
    ///
    /// A power failure leaves them. What was acknowledged last is lost where the disk had said too early that it had
    /// it.
    public let hasBlankLog: Bool
    /// Whether a restoration was interrupted before it changed the database, which is as it was.
    public let hasInterruptedRestore: Bool
    /// The work that was done to bring the database up to date when the store was opened.
    public let migration: Migration
    /// The file.
    public let path: String
    let options: Options
    let secrets: StoreSecrets
    let pool: DatabasePool
    let writer: GroupWriter
    let readers: ReadConnections
    let longReads = LongReads()
    let listeners: ChangeListeners
    let now: @Sendable () -> UnixTime
    /// The one who closes; whoever closes later waits for it.
    let closing = Mutex<Task<Void, any Error>?>(nil)
    private let watch: Task<Void, Never>
    /// Held for as long as the store is open.
    let lock: DatabaseLock?
    /// Held by a server's store until it is closed.
    let serverLock: ServerLock?
    /// Held by a server's store until the database is closed.
    let fileClaim: Mutex<FileClaim?>
    /// The files that were opened.
    let openFiles: OpenFiles
    /// Removes what reading leaves behind, where the store only reads.
    let reader: QuietReader?

    /// Opens a store, creating the file where there is none.
    ///
    /// - Parameters:
    ///   - path: The file. Its folder has to exist.
    ///   - options: How.
    /// - Throws: `StoreError.incompatible` where the file is another program's, of a newer version, or of an older one
    ///   that is not to be brought up to date; `StoreError.corrupt` where it is damaged or has another's log;
    ///   `StoreError.locked` where its secrets can't be decrypted; `StoreError.unavailable` where another server serves
    ///   it, or another process has it open and it has to be migrated.
    public init(path: String, options: Options = Options()) throws {
        self.path = path
        self.options = options
        now = options.now
        listeners = ChangeListeners(bufferSize: options.listenerBuffer)
        let readingPath = options.isReadOnly ? DatabaseFiles(path).readingPath : path
        readers = ReadConnections(path: readingPath, cacheKiB: options.readCacheKiB)
        reader = options.isReadOnly ? QuietReader(DatabaseFiles(path)) : nil
        let opened: StoreOpening.Opened
        do {
            opened = try StoreOpening(path, options).open()
        } catch {
            reader?.removeTraces()
            throw error
        }
        let (pool, secrets) = (opened.pool, opened.secrets)
        let openFiles = pool.writeWithoutTransaction { OpenFiles(DatabaseFiles(path), $0, opened.lock) }
        self.openFiles = openFiles
        (self.pool, self.secrets, lock, serverLock) = (pool, secrets, opened.lock, opened.serverLock)
        fileClaim = Mutex(opened.fileClaim)
        (exposedFiles, migration) = (opened.exposedFiles, opened.migration)
        (hasLostLog, hasDamagedLog) = (opened.hasLostLog, opened.hasDamagedLog)
        (hasBlankLog, hasInterruptedRestore) = (opened.hasBlankLog, opened.hasInterruptedRestore)
        let (listeners, now) = (listeners, now)
        do {
            (epoch, pseudonyms, writer, watch) = try translatingErrors {
                let writer = try GroupWriter(
                    pool: pool,
                    files: openFiles,
                    secrets: secrets,
                    listeners: listeners,
                    now: now
                )
                return (
                    try pool.read(StoreRow.epoch),
                    try pool.read(StoreRow.pseudonyms),
                    writer,
                    try ForeignChangeWatch.start(
                        path: readingPath,
                        writerID: writer.id,
                        telling: listeners,
                        clock: options.clock,
                        onLook: { writer.lookAtFiles() }
                    )
                )
            }
        } catch {
            // Who only reads leaves nothing behind, also where there is nothing to be read.
            let isLast = !options.isReadOnly && opened.lock?.takeAlone() ?? true
            try? Self.close(pool, DatabaseFiles(path), opened.lock, isLast: isLast)
            reader?.removeTraces()
            throw error
        }
    }

    deinit { watch.cancel() }

    /// The log of its groups of changes since it was opened.
    public var groupCommits: GroupCommitLog? { writer.commits }

    /// The file that holds the keys for the secrets in a database unless another is named.
    public static func secretsKeyPath(of path: String) -> String { path + ".key" }

    func stopWatching() async {
        watch.cancel()
        await watch.value
    }
}
