import CardStore
import CommandSettings
import Foundation
import Logging
import PostgresCardStore
import SQLiteCardStore
import ShardedCardStore

/// Opens stores by their location: the one place of the command that knows which kinds of store there are.
extension DatabaseLocation {
    /// Opens a store that has to be there and of the current version: only `serve` and `migrate` migrate.
    ///
    /// - Parameters:
    ///   - access: Whether anything is changed.
    ///   - secretsKey: Where the keys for the secrets come from, or `nil` for the file beside the database.
    ///   - needsSecrets: Whether the secrets have to be readable.
    /// - Returns: The store.
    /// - Throws: `CommandError` where there is none, and what keeps it from being opened.
    func openStore(
        for access: DatabaseOptions.Access,
        secretsKey: SecretsKeySource?,
        needsSecrets: Bool
    ) async throws -> any CardStore {
        switch self {
        case .sqlite: return try openFile(for: access, secretsKey: secretsKey, needsSecrets: needsSecrets)
        case .postgres(let url):
            var options = Self.commandOptions(secretsKey, needsSecrets)
            options.isReadOnly = access == .reading
            return try await ShardedCardStore.open(url: url, options: options)
        }
    }

    /// Opens what has the secrets, as ``openStore(for:secretsKey:needsSecrets:)`` does: of several databases the home
    /// alone, also where the addresses of the others can't be decrypted any more.
    func openSecretsStore(secretsKey: SecretsKeySource?, needsSecrets: Bool) async throws -> any CardStore {
        switch self {
        case .sqlite: return try openFile(for: .writing, secretsKey: secretsKey, needsSecrets: needsSecrets)
        case .postgres(let url):
            var options = Self.commandOptions(secretsKey, needsSecrets)
            options.leavesUsers = true
            let store = try await PostgresCardStore.open(url: url, options: options)
            do {
                try await store.requireHome()
            } catch {
                try? await store.close()
                throw error
            }
            return store
        }
    }

    /// The options with which commands open a PostgreSQL database.
    private static func commandOptions(
        _ secretsKey: SecretsKeySource?,
        _ needsSecrets: Bool
    ) -> PostgresCardStore.Options {
        var options = PostgresCardStore.Options()
        options.migrates = false
        options.secretsKey = secretsKey ?? postgresKey
        options.requiresSecretsKey = needsSecrets
        return options
    }

    /// Opens a store to serve it, creating or migrating it first.
    ///
    /// - Parameters:
    ///   - secretsKey: Where the keys for the secrets come from, or `nil` for the usual file.
    ///   - acceptsClock: Whether a server is ready although its clock differs from the database's.
    ///   - logger: Where a migration is noted.
    /// - Returns: The store.
    /// - Throws: What keeps it from being opened.
    func openStoreToServe(
        secretsKey: SecretsKeySource?,
        acceptsClock: Bool = false,
        logger: Logger
    ) async throws -> any CardStore {
        switch self {
        case .sqlite(let path):
            var options = SQLiteCardStore.Options()
            options.secretsKey = secretsKey
            options.isServer = true
            options.onMigration = { steps, copy in
                guard let copy else { return }
                logger.notice(
                    "The database is migrated; a copy was made before",
                    metadata: ["copy": "\(copy)", "steps": "\(steps.joined(separator: ","))"]
                )
            }
            let store = try SQLiteCardStore(path: path, options: options)
            store.logFiles(to: logger)
            store.createdSecretsKey?.log(to: logger)
            return store
        case .postgres:
            let (store, steps) = try await migrateServer(
                secretsKey: secretsKey,
                acceptsClock: acceptsClock,
                onPartitionFailure: { failure in
                    logger.warning(
                        "Partitions of the log couldn't be created or dropped, which is tried again within an hour",
                        metadata: ["error": "\(failure.message)", "command": "placard doctor"]
                    )
                },
                onMigrationWait: { reason in
                    logger.warning("A migration waits, and is tried again", metadata: ["reason": "\(reason)"])
                },
                onAbsence: { $0.log(to: logger) },
                onFailure: { $0.log(to: logger) }
            )
            if !steps.isEmpty {
                logger.notice("The database is migrated", metadata: ["steps": "\(steps.joined(separator: ","))"])
            }
            let home = (store as? ShardedCardStore)?.home ?? store as? PostgresCardStore
            home?.createdSecretsKey?.log(to: logger)
            return store
        }
    }

    /// Opens a PostgreSQL database, creating its tables or migrating it first.
    ///
    /// - Parameters:
    ///   - secretsKey: Where the keys for the secrets come from, or `nil` for `placard.key`.
    ///   - acceptsClock: Whether a server is ready although its clock differs from the database's.
    ///   - needsSecrets: Whether a key is created and registered where there is none.
    ///   - onPartitionFailure: Told that partitions of the log couldn't be created or dropped.
    ///   - onMigrationWait: Told of what a migration waits for.
    ///   - onAbsence: Told of shards that don't answer, which are opened later; `nil` for all databases at once.
    ///   - onFailure: Told of work between shards that fails.
    /// - Returns: The store, and the names of the steps that were done.
    /// - Throws: `CommandError` for a database of another kind, and what keeps it from being opened.
    func migrateServer(
        secretsKey: SecretsKeySource?,
        acceptsClock: Bool = false,
        needsSecrets: Bool = true,
        onPartitionFailure: @escaping @Sendable (StoreError) -> Void,
        onMigrationWait: @escaping @Sendable (String) -> Void,
        onAbsence: (@Sendable (ShardNotice) -> Void)? = nil,
        onFailure: @escaping @Sendable (HousekeepingFailure) -> Void = { _ in }
    ) async throws -> (store: any CardStore, steps: [String]) {
        guard case .postgres(let url) = self else { throw CommandError("Give the address of a PostgreSQL database.") }
        var options = PostgresCardStore.Options()
        options.secretsKey = secretsKey ?? Self.postgresKey
        options.acceptsClock = acceptsClock
        options.requiresSecretsKey = needsSecrets
        options.onPartitionFailure = onPartitionFailure
        options.onMigrationWait = onMigrationWait
        let store = try await ShardedCardStore.open(
            url: url,
            options: options,
            onAbsence: onAbsence,
            onFailure: onFailure
        )
        let steps = (store as? PostgresCardStore)?.migration ?? (store as? ShardedCardStore)?.migration
        return (store, steps ?? [])
    }

    /// Opens a database to copy it, and keeps servers from writing to it until the copy has ended.
    func openCopySource() throws -> any TransferSource {
        switch self {
        case .sqlite: try SQLiteTransfer.source(path: existingPath())
        case .postgres(let url): try PostgresTransfer.source(url: url)
        }
    }

    /// Opens a database that a copy is written to, and creates it where there is none.
    func openCopyTarget() throws -> any TransferTarget {
        switch self {
        case .sqlite(let path): try SQLiteTransfer.target(path: path)
        case .postgres(let url): try PostgresTransfer.target(url: url)
        }
    }

    /// Looks at the database as an operator would, and changes nothing.
    ///
    /// - Parameters:
    ///   - secretsKey: Where the keys for the secrets come from, or `nil` for the usual file.
    ///   - isFull: Whether all of a large database is read.
    /// - Returns: What was found.
    func diagnose(secretsKey: SecretsKeySource?, isFull: Bool) async -> [StoreFinding] {
        switch self {
        case .sqlite(let path): await SQLiteCardStore.diagnose(path: path, secretsKey: secretsKey, isFull: isFull)
        case .postgres(let url):
            await ShardedCardStore.diagnose(url: url, secretsKey: secretsKey ?? Self.postgresKey, isFull: isFull)
        }
    }

    /// Whether a server has the database open, as far as it can be told; on SQLite also another command that writes.
    func isInUse() async -> Bool {
        switch self {
        case .sqlite(let path): SQLiteCardStore.isInUse(path: path)
        case .postgres(let url): await PostgresCardStore.isInUse(url: url)
        }
    }

    /// Opens a SQLite database, for what is about its file.
    func openFile(
        for access: DatabaseOptions.Access,
        secretsKey: SecretsKeySource?,
        needsSecrets: Bool
    ) throws -> SQLiteCardStore {
        var options = SQLiteCardStore.Options(migrate: false)
        options.isReadOnly = access == .reading
        options.secretsKey = secretsKey
        options.requiresSecretsKey = needsSecrets
        let store = try SQLiteCardStore(path: try existingPath(), options: options)
        // A command that writes begins a new log: nothing would tell of the old one later.
        if store.hasLostLog { Console.note(SQLiteCardStore.lostLogWarning(of: store.path)) }
        if store.hasBlankLog { Console.note(SQLiteCardStore.blankLogWarning(of: store.path)) }
        return store
    }

    /// The path of a SQLite database, which has to be there.
    func existingPath() throws -> String {
        let path = try path
        guard try SQLiteCardStore.exists(at: path) else {
            throw CommandError(
                "There is no database at \(path). Create it with `placard migrate`, or give --database."
            )
        }
        return path
    }
}

extension ShardNotice {
    fileprivate func log(to logger: Logger) {
        if let failure {
            logger.error(
                "A shard can't be used: its users get 503 until it can",
                metadata: ["shard": "\(shard)", "error": "\(failure.message)"]
            )
            return
        }
        logger.notice("A shard is used from now on", metadata: ["shard": "\(shard)"])
        guard !migration.isEmpty else { return }
        logger.notice(
            "A shard is migrated",
            metadata: ["shard": "\(shard)", "steps": "\(migration.joined(separator: ","))"]
        )
    }
}

extension HousekeepingFailure {
    /// Writes the failure to the log, with the shard and the number of like failures that weren't told.
    func log(to logger: Logger) {
        let place = shard.map { "\($0)" } ?? "all"
        logger.error(
            "Work between shards failed, which is tried again",
            metadata: [
                "work": "\(work.rawValue)", "shard": "\(place)",
                "error": "\(error.message)", "failures_before": "\(omitted)", "command": "placard doctor",
            ]
        )
    }
}

extension CreatedSecretsKey {
    fileprivate func log(to logger: Logger) {
        guard let replaced else {
            logger.notice(
                "A key for secrets was created. Keep a copy of its file in another place than the backups",
                metadata: ["file": "\(file)", "key": "\(key)"]
            )
            return
        }
        logger.warning(
            """
            The key for secrets is missing, and a new one was created: nothing in the database is encrypted with the \
            one before, but backups may be
            """,
            metadata: ["file": "\(file)", "key": "\(key)", "missing_key": "\(replaced)"]
        )
    }
}

extension SQLiteCardStore {
    /// The warning about a log that is missing.
    fileprivate static let lostLog = """
        The write-ahead log is gone or was emptied, and the server before had not written it back: what was \
        acknowledged since it was written back last is lost, unless another program has written it back
        """

    /// Returns the warning of a command after which nothing tells of the log that is missing.
    static func lostLogWarning(of path: String) -> String { "Warning: \(lostLog): \(path)-wal." }

    /// The warning about a log that a power failure left zeros in.
    fileprivate static let blankLog = """
        The write-ahead log had zeros in the place of what was written last, as after a power failure: where the disk \
        had said that it was written, what was acknowledged last is lost
        """

    /// Returns the warning of a command after which nothing tells of the zeros in a log.
    static func blankLogWarning(of path: String) -> String { "Warning: \(blankLog): \(path)-wal." }

    fileprivate func logFiles(to logger: Logger) {
        if hasLostLog {
            logger.error(
                "\(Self.lostLog)",
                metadata: ["file": "\(path)-wal", "command": "placard audit verify"]
            )
        }
        if hasDamagedLog {
            logger.error(
                "The write-ahead log was damaged: what was written after the damage is lost. A copy of it was kept",
                metadata: ["file": "\(path)-wal.damaged", "command": "placard audit verify"]
            )
        }
        if hasBlankLog {
            logger.error("\(Self.blankLog)", metadata: ["file": "\(path)-wal", "command": "placard audit verify"])
        }
        if hasInterruptedRestore {
            logger.warning(
                "A restoration was interrupted before it changed the database, which is as it was. Run it again",
                metadata: ["command": "placard restore FILE --database sqlite:\(path)"]
            )
        }
        for file in exposedFiles {
            if file.isStillExposed {
                logger.error(
                    "Other accounts can read a file. Give it to the account that runs the server, with mode 600",
                    metadata: ["file": "\(file.path)"]
                )
            } else {
                logger.warning(
                    "Other accounts could read a file; now only its owner can",
                    metadata: ["file": "\(file.path)"]
                )
            }
        }
    }
}
