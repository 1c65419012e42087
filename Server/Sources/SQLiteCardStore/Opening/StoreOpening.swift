import CardStore
import Foundation
import GRDB

/// Opens a database's file: looks what it is, brings it up to date where that is wanted, and ties its log to it.
struct StoreOpening {
    /// The parts that a store works with.
    struct Opened {
        let pool: DatabasePool
        let secrets: StoreSecrets
        let exposedFiles: [SQLiteCardStore.ExposedFile]
        /// Held for as long as the store is open; `nil` where only reads are done, or the file system has no locks.
        let lock: DatabaseLock?
        /// Held until the store is closed; `nil` where it isn't a server's.
        let serverLock: ServerLock?
        /// Held until the store is closed; `nil` where it isn't a server's.
        var fileClaim: FileClaim?
        let migration: SQLiteCardStore.Migration
        /// Whether a process that wrote the database hadn't written back its log, which wasn't there any more.
        var hasLostLog = false
        var hasDamagedLog = false
        /// Whether the log had zeros in the place of what was written last.
        var hasBlankLog = false
        /// Whether a restoration was interrupted before it changed the database.
        var hasInterruptedRestore = false
    }

    let files: DatabaseFiles
    let options: SQLiteCardStore.Options
    private let secretsSource: SecretsKeySource

    init(_ path: String, _ options: SQLiteCardStore.Options) {
        files = DatabaseFiles(path)
        self.options = options
        secretsSource = options.secretsKey ?? .file(path: SQLiteCardStore.secretsKeyPath(of: path))
    }

    func open() throws -> Opened {
        _ = SQLiteLibrary.countsMemory
        try files.requireReadable()
        return try options.isReadOnly ? openForReading() : openForWriting()
    }

    // MARK: Reading

    private func openForReading() throws -> Opened {
        try Self.checkLog(files)
        try DatabaseState(of: files).requireCurrent(files)
        return Opened(
            pool: try translatingErrors { try DatabasePool(path: files.readingPath, configuration: configuration) },
            secrets: try StoreSecrets(secretsSource, isRequired: false),
            exposedFiles: StoreFiles.exposed(files, secrets: secretsSource.files),
            lock: nil,
            serverLock: nil,
            migration: SQLiteCardStore.Migration()
        )
    }

    /// Throws where the log isn't the database's or is damaged, for those who only read.
    ///
    /// Where the last one closes a database, SQLite writes back what comes before the damage, and the rest is gone.
    static func checkLog(_ files: DatabaseFiles) throws(StoreError) {
        guard try endOfLog(files) == .damaged else { return }
        throw StoreError(
            .corrupt,
            "The write-ahead log \(files.log) is damaged: what was written after the damage is lost. Restore a backup "
                + "with `placard restore FILE`, or start the server, which keeps a copy of the log."
        )
    }

    /// Throws where the log isn't the database's; returns how it ends.
    ///
    /// A log can take longer to read than a server that starts waits for the lock, so it is read without: only where
    /// something seems to be wrong, it is read again while nobody can write it.
    ///
    /// - Parameters:
    ///   - files: The database.
    ///   - read: Reads the log without the lock.
    /// - Returns: How it ends.
    /// - Throws: `StoreError.corrupt` with what to do.
    static func endOfLog(
        _ files: DatabaseFiles,
        reading read: (FoundLog) throws(StoreError) -> LogScan.End = { log throws(StoreError) in try log.end() }
    ) throws(StoreError) -> LogScan.End {
        // While a process writes the database there is nothing to find: it looked when it opened it.
        let lock = DatabaseLock(files, isCreated: false)
        // A lock that this account isn't allowed to open can be held by a server.
        if lock == nil, access(files.lock, F_OK) == 0 { return .whole }
        // Where the lock's file is gone, a server still has its own one.
        guard lock?.takeAlone() ?? !ServerLock.isHeld(files) else { return .whole }
        defer { lock?.release() }
        do throws(StoreError) {
            guard let log = try LogOwnership.log(of: files, lock) else { return .whole }
            lock?.release()
            if let end = try? read(log), end == .whole { return end }
            guard lock?.takeAlone() ?? !ServerLock.isHeld(files) else { return .whole }
            return try LogOwnership.check(files, lock)
        } catch {
            throw InterruptedRestore(files, lock)?.refusal ?? error
        }
    }

    // MARK: Writing

    private func openForWriting() throws -> Opened {
        // A file that isn't ours, or isn't to be migrated, stays as it is: so what it is is looked at before all else.
        _ = try Self.endOfLog(files)
        if let obstacle = files.folderObstacle() { throw obstacle }
        let state = try lookAtFile()
        if !options.migrates { try (state ?? .current).requireCurrent(files) }
        let exposedFiles = StoreFiles.tighten(files, secrets: secretsSource.files)
        let lock = DatabaseLock(files, isCreated: true)
        if lock == nil, errno == EACCES || errno == EPERM {
            throw StoreError(
                .unavailable,
                "\(files.lock) can't be opened, and without it a second server or a restoration isn't kept "
                    + "away. Give it to the "
                    + "account that runs the server: chown --reference=\(files.folder) \(files.lock)"
            )
        }
        let serverLock =
            options.isServer
            ? try ServerLock(files, patience: options.busyTimeout, now: options.now()) : nil
        let hold = try lock?.take(patience: options.busyTimeout) ?? .unknown
        var (hasLostLog, hasInterruptedRestore, logEnd) = (false, false, LogScan.End.whole)
        if hold == .alone, let lock {
            if options.isServer, let restore = InterruptedRestore(files, lock), !restore.isReplaced {
                hasInterruptedRestore = true
                restore.settle(lock)
            }
            logEnd = try LogOwnership.check(files, lock)
            if logEnd == .damaged { LogOwnership.keepDamaged(files) }
            hasLostLog = LogOwnership.isLogLost(files, lock)
        }
        PrivateFile.createEmpty(files.main)
        let fileClaim = options.isServer ? try FileClaim(files) : nil
        let secrets = try StoreSecrets(secretsSource, isRequired: options.requiresSecretsKey)
        let (pool, migration) = try openPool(secrets, hold)
        if hold == .alone, let lock {
            LogOwnership.renew(pool, lock)
            guard lock.share() else {
                throw StoreError(.unavailable, "The database is being replaced. Wait until that has ended.")
            }
        }
        return Opened(
            pool: pool,
            secrets: secrets,
            exposedFiles: exposedFiles,
            lock: lock,
            serverLock: serverLock,
            fileClaim: fileClaim,
            migration: migration,
            hasLostLog: hasLostLog,
            hasDamagedLog: logEnd == .damaged,
            hasBlankLog: logEnd == .blank,
            hasInterruptedRestore: hasInterruptedRestore
        )
    }

    /// Looks what the file is, or returns `nil` where that can't be told, such as on a full disk.
    private func lookAtFile() throws(StoreError) -> DatabaseState? {
        do {
            return try DatabaseState(of: files)
        } catch {
            if error == .unplayedJournal, !files.hasLog { return try lookPlayingJournal() }
            if error.code == .unavailable || error.code == .diskFull { return nil }
            throw error
        }
    }

    /// Looks what a file is that a program was writing, without a log, when it was killed.
    ///
    /// Whoever opens it undoes that. A pool also has the database use a log from then on, which another program's may
    /// not.
    private func lookPlayingJournal() throws(StoreError) -> DatabaseState {
        try translatingErrors {
            let queue = try DatabaseQueue(path: files.main, configuration: configuration)
            defer { try? queue.close() }
            return try queue.writeWithoutTransaction { try DatabaseState(reading: $0) }
        }
    }

    private func openPool(
        _ secrets: StoreSecrets,
        _ hold: DatabaseLock.Hold
    ) throws -> (DatabasePool, SQLiteCardStore.Migration) {
        try translatingErrors {
            let pool = try DatabasePool(path: files.main, configuration: configuration)
            var migration = SQLiteCardStore.Migration()
            if options.migrates {
                migration = try migrate(pool, hold)
            } else {
                try pool.writeWithoutTransaction { try DatabaseState(reading: $0).requireCurrent(files) }
            }
            try pool.writeWithoutTransaction(Self.configureWriter)
            try Self.prepare(secrets, in: pool)
            return (pool, migration)
        }
    }

    private func migrate(_ pool: DatabasePool, _ hold: DatabaseLock.Hold) throws -> SQLiteCardStore.Migration {
        var migration = SQLiteCardStore.Migration()
        let state = try pool.writeWithoutTransaction { try DatabaseState(reading: $0) }
        guard case .older(let done, let pending) = state else { return migration }
        // Another process knows the tables as they are, and would go on with others beneath it.
        guard hold != .shared else {
            throw StoreError(
                .unavailable,
                "\(files.main) is of an older version, and a server or another command has it open, "
                    + "so it can't be migrated. "
                    + "Stop the server of the older version first. Nothing was changed."
            )
        }
        if let last = done.last, options.copiesBeforeMigrating {
            migration.copy = try MigrationCopy(files).make(of: pool, lastStep: last)
        }
        options.onMigration(pending, migration.copy)
        migration.steps = try Schema.migrate(pool)
        return migration
    }

    private static func prepare(_ secrets: StoreSecrets, in pool: DatabasePool) throws {
        guard secrets.isRequired else { return }
        let isAnyReadable = try pool.write { database in
            try secrets.prepare(database)
            return try SealedColumn.sealReadable(in: database, with: secrets)
        }
        guard isAnyReadable else { return }
        // The log has the pages as they were before.
        pool.writeWithoutTransaction { _ = try? $0.checkpoint(.truncate) }
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "placard"
        configuration.readonly = options.isReadOnly
        configuration.busyMode = .timeout(options.busyTimeout / .seconds(1))
        configuration.maximumReaderCount = 4
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { [options] database in
            try database.execute(sql: "PRAGMA cache_size = -\(options.readCacheKiB)")
            // What is deleted or encrypted is overwritten, so that it is in no file any more.
            if !options.isReadOnly { try database.execute(sql: "PRAGMA secure_delete = ON") }
        }
        // Should a rollback ever fail, the next group says so; GRDB would end the process.
        configuration.allowsUnsafeTransactions = true
        return configuration
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
}
