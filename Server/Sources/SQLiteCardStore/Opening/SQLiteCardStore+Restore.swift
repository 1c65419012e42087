public import CardModel
import CardStore
import Foundation
import GRDB
import GRDBSQLite

extension SQLiteCardStore {
    /// The contents of a database, in numbers.
    public struct Contents: Sendable, Hashable {
        /// The tables that are counted, with the name that people give them.
        static let tables: [(name: String, table: String)] = [
            ("users", "users"), ("cards", "deliveries"), ("events", "events"), ("campaigns", "campaigns"),
            ("segments", "segments"), ("keys", "keys"), ("members", "members"),
        ]

        /// The numbers, by what is counted; what an older version doesn't have is left out.
        public let counts: [(name: String, count: Int64)]
        /// The flaws of its rows, a sentence each: those that the database had when it was copied.
        public let flaws: [String]

        init(of database: Database) throws {
            flaws = try DatabaseFlaws.all(in: database)
            counts = try Self.tables.compactMap { name, table in
                guard try database.tableExists(table) else { return nil }
                return (name, try Int64.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0)
            }
        }

        /// Compares the counts.
        public static func == (a: Self, b: Self) -> Bool { a.counts.elementsEqual(b.counts) { $0 == $1 } }

        /// Hashes the counts.
        public func hash(into hasher: inout Hasher) {
            for (name, count) in counts {
                hasher.combine(name)
                hasher.combine(count)
            }
        }
    }

    /// The result of a restore.
    public struct Restoration: Sendable, Hashable {
        /// The present contents of the database.
        public let contents: Contents
        /// The path that the database before has now, or `nil` where there was none or it was discarded.
        public let previous: String?
        /// Whether it is of an older version, so that the server migrates it when it starts.
        public let isOlder: Bool
        /// The message about the key for its secrets where that is missing.
        public let missingKey: String?
        /// The number of files of pictures that lay beside the backup, all of which are in the media library now.
        public let pictures: Int
    }

    /// Puts a backup in the place of a database.
    ///
    /// The backup is copied and checked first, so that a failure leaves the database as it was. The log and its index
    /// that lie beside the database are set aside with it, since SQLite would play them into the backup. Pictures of
    /// the backup that the media library lacks are added to it before.
    ///
    /// - Parameters:
    ///   - backup: The backup, of this version or an older one.
    ///   - path: The database. Its folder has to exist.
    ///   - secretsKey: Where the keys for secrets come from; see ``Options/secretsKey``.
    ///   - discardsPrevious: Whether the database that is there is removed; it gets another name otherwise.
    ///   - now: The time, for that name.
    /// - Returns: What was restored.
    /// - Throws: `StoreError.unavailable` where a process has the database open, `StoreError.corrupt` where the backup
    ///   is damaged or its tables and triggers aren't those of its version, `StoreError.incompatible` where it is of a
    ///   newer version or another program's.
    public static func restore(
        _ backup: String,
        to path: String,
        secretsKey: SecretsKeySource? = nil,
        discardsPrevious: Bool = false,
        at now: UnixTime
    ) async throws -> Restoration {
        let source = secretsKey ?? .file(path: secretsKeyPath(of: path))
        return try await BackupWriter.onOwnThread { () throws(StoreError) in
            try Restore(backup: DatabaseFiles(backup), files: DatabaseFiles(path), secretsKey: source)
                .run(discardsPrevious: discardsPrevious, at: now)
        }
    }
}

/// Puts a backup in the place of a database.
private struct Restore: Sendable {
    let backup: DatabaseFiles
    let files: DatabaseFiles
    let secretsKey: SecretsKeySource

    func run(discardsPrevious: Bool, at now: UnixTime) throws(StoreError) -> SQLiteCardStore.Restoration {
        guard backup.main != files.main else {
            throw StoreError(
                .exists,
                "The backup and the database are the same file. Name the database with --database."
            )
        }
        let isOlder = try checkBackup()
        let lock = try takeLock()
        defer { lock.release() }
        // It reads the file, which would release the lock that follows.
        let interrupted = InterruptedRestore(files, lock)
        let foreignLock = try ForeignLock(files)
        defer { foreignLock.release() }
        if let interrupted, interrupted.isReplaced || interrupted.previous != backup.main { interrupted.settle(lock) }
        guard let partial = PartialFile(beside: files.main) else { throw BackupWriter.unwritable(files.main) }
        defer { partial.remove() }
        try copy(to: partial.path)
        let (contents, missingKey) = try check(partial.path)
        let pictures = try copyPictures()
        let previous = try replace(with: partial.path, discardsPrevious: discardsPrevious, at: now)
        if let previous { lock.keepMarks(beside: previous) }
        lock.forgetMarks()
        return SQLiteCardStore.Restoration(
            contents: contents,
            previous: previous,
            isOlder: isOlder,
            missingKey: missingKey,
            pictures: pictures
        )
    }

    private func copyPictures() throws(StoreError) -> Int {
        do throws(StoreError) {
            return try MediaFolder(files).copyAll(from: MediaFolder(backup))
        } catch {
            throw StoreError(error.code, "\(error.message) The database wasn't changed.")
        }
    }

    /// Looks whether the file is a backup of ours; returns whether it is of an older version.
    private func checkBackup() throws(StoreError) -> Bool {
        var status = stat()
        // Opening a pipe would wait for whoever writes to it.
        if stat(backup.main, &status) == 0, status.st_mode & S_IFMT != S_IFREG { throw damaged("it is no file") }
        try StoreOpening.checkLog(backup)
        switch try state() {
        case .current: return false
        case .older: return true
        case .missing: throw StoreError(.notFound, "There is no backup \(backup.main). Nothing was changed.")
        case .empty: throw damaged("it is empty")
        }
    }

    private func state() throws(StoreError) -> DatabaseState {
        do {
            return try DatabaseState(of: backup)
        } catch {
            // What is said of a database there, such as that a backup should take its place, isn't true of a backup.
            if error.code == .corrupt { throw damaged("it is cut short, or no database") }
            throw StoreError(
                error.code,
                "The backup \(backup.main) can't be restored. \(error.message) Nothing was changed."
            )
        }
    }

    private func damaged(_ reason: String) -> StoreError {
        StoreError(
            .corrupt,
            "The backup \(backup.main) is damaged: \(reason). Restore another one. Nothing was changed."
        )
    }

    private func takeLock() throws(StoreError) -> DatabaseLock {
        guard let lock = DatabaseLock(files, isCreated: true) else {
            throw StoreError(
                .unavailable,
                "\(files.folder) can't be written. Check that it exists, "
                    + "and run this as the account that owns the database."
            )
        }
        guard lock.takeAlone() else {
            throw StoreError(
                .unavailable,
                "A server or another command has \(files.main) open. Stop it, then restore. Nothing was changed."
            )
        }
        return lock
    }

    private func copy(to partial: String) throws(StoreError) {
        do {
            try QuietReader(backup).read { try BackupWriter.write($0, to: partial) }
        } catch {
            throw failure(error)
        }
    }

    /// Says what an error while the backup is copied and checked means for the restoration.
    private func failure(_ error: any Error) -> StoreError {
        guard let reason = SQLiteReason(error) else { return StoreError(error) }
        if reason.isDamage { return damaged("\(reason)") }
        guard reason.primary == SQLITE_FULL else { return StoreError(error) }
        let size = DatabaseFiles.size(of: backup.main) ?? 0
        return StoreError(
            .diskFull,
            "There is no room in \(files.folder) for the backup's \(size) bytes (\(reason)). "
                + "Nothing was changed. Make room, "
                + "then restore again."
        )
    }

    /// Checks every page and index of the copy.
    private func check(_ path: String) throws(StoreError) -> (SQLiteCardStore.Contents, missingKey: String?) {
        do {
            let queue = try DatabaseQueue(path: path)
            defer { try? queue.close() }
            return try queue.read { database in
                let problems = try String.fetchAll(database, sql: "PRAGMA integrity_check(5)")
                guard problems == ["ok"] else { throw damaged(problems.joined(separator: "; ")) }
                try checkObjects(of: database)
                try checkOwnRow(of: database)
                return (try SQLiteCardStore.Contents(of: database), try missingKey(in: database))
            }
        } catch {
            throw failure(error)
        }
    }

    /// Throws where the copy lacks the store's own row, without which no server starts.
    private func checkOwnRow(of database: Database) throws {
        guard try Schema.stepsDone(in: database).count == Schema.migrations.count else { return }
        guard try DatabaseFlaws.ownRow(in: database) == nil else {
            throw damaged("the store's own row is missing or damaged")
        }
    }

    /// Throws where the copy lacks tables of its version, or has triggers or views that aren't its version's.
    ///
    /// The server would run these with everything that it writes. Indexes may be missing: `placard repair` creates
    /// them.
    private func checkObjects(of database: Database) throws {
        let difference = try SchemaObjects.difference(of: database, from: Schema.stepsDone(in: database))
        let lost = difference.missingOnTheirOwn.filter { $0.kind == "table" || $0.kind == "column" }
        let foreign = difference.changed.filter { $0.kind != "index" }
        guard lost.isEmpty else {
            throw damaged("it lacks \(Self.titles(lost))")
        }
        guard foreign.isEmpty else {
            throw StoreError(
                .corrupt,
                "The backup \(backup.main) has what no version of this program creates: \(Self.titles(foreign)). "
                    + "It was changed by other means. Restore another one, or remove these from a copy of it with "
                    + "`placard repair` (one of an older version after `placard migrate`) and restore that. "
                    + "Nothing was changed."
            )
        }
    }

    private static func titles(_ objects: [SchemaObjects.Object]) -> String {
        let more = objects.count > 5 ? " and \(objects.count - 5) more" : ""
        return objects.prefix(5).map(\.title).joined(separator: ", ") + more
    }

    private func missingKey(in database: Database) throws -> String? {
        guard try database.columns(in: "store").contains(where: { $0.name == "secrets_key" }),
            let id = try database.registeredKey(), (try? database.isAnySealed()) == true
        else { return nil }
        let secrets = try StoreSecrets(secretsKey, isRequired: false)
        return secrets.key(id) == nil ? secrets.locked(id).message : nil
    }

    /// Gives the database before another name and the copy its own; in every moment one of the two has it.
    ///
    /// The log follows last: beside the copy it is known for another's, so that no server starts where this is
    /// interrupted, while the database before would start without it and lack what is only there.
    private func replace(
        with partial: String,
        discardsPrevious: Bool,
        at now: UnixTime
    ) throws(StoreError) -> String? {
        let previous = previousPath(at: now)
        let hadDatabase = DatabaseFiles.size(of: files.main) != nil
        if hadDatabase, link(files.main, previous) != 0 { throw Self.unchanged }
        // SQLite would play a journal into the copy, whosever it is.
        let hadJournal = access(files.journal, F_OK) == 0
        guard !hadJournal || rename(files.journal, previous + "-journal") == 0 else { throw undo(previous, false) }
        unlink(files.index)
        guard rename(partial, files.main) == 0 else { throw undo(previous, hadJournal) }
        guard access(files.log, F_OK) != 0 || rename(files.log, previous + "-wal") == 0 else {
            if hadDatabase { rename(previous, files.main) }
            throw undo(previous, hadJournal)
        }
        _ = PrivateFile.synchronize(files.folder)
        guard discardsPrevious || !hadDatabase else { return previous }
        for suffix in ["", "-wal", "-journal"] { unlink(previous + suffix) }
        return nil
    }

    /// Takes back what was done to the database before, and returns what is said of it.
    private func undo(_ previous: String, _ movedJournal: Bool) -> StoreError {
        if movedJournal { rename(previous + "-journal", files.journal) }
        unlink(previous)
        return Self.unchanged
    }

    /// A path that nothing has yet, named after the time.
    private func previousPath(at now: UnixTime) -> String {
        let stamp = Timestamp.text(of: now).filter { $0.isNumber || $0 == "T" || $0 == "Z" }
        let base = "\(files.main).before-restore-\(stamp)"
        let numbered = (2...1_000).lazy.map { "\(base)-\($0)" }
        guard access(base, F_OK) == 0 else { return base }
        return numbered.first { access($0, F_OK) != 0 } ?? base
    }

    private static let unchanged = StoreError(
        .unavailable,
        "The database could not be set aside; what it held is still there. "
            + "Run this as the account that owns its folder."
    )
}
