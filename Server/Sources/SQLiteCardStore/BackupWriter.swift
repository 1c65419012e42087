import CardStore
import Dispatch
import Foundation
import GRDB
import GRDBSQLite

/// A copy of a database that is being used.
///
/// It is made beside its destination and put there when it is whole and on the disk, so that a file of that name is
/// always a backup that can be trusted.
struct BackupWriter {
    let source: any DatabaseReader
    let destination: String
    /// The database whose pictures are copied too, or `nil` to copy none.
    var pictures: DatabaseFiles?

    func run() async throws(StoreError) {
        _ = try await Self.onOwnThread { () throws(StoreError) in try copy() }
    }

    /// Runs what takes as long as the disk does, which is no work for the threads that tasks share.
    static func onOwnThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withUnsafeContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(returning: Result { () throws(StoreError) in try body() })
            }
        }
        return try result.get()
    }

    /// Makes the copy on this thread.
    @discardableResult
    func copy() throws(StoreError) -> SQLiteCardStore.BackedUpPictures { try copy { _ in }.pictures }

    /// Makes the copy, checks every page and index of it, and returns what it holds.
    func verifiedCopy() throws(StoreError) -> (SQLiteCardStore.Contents, pictures: SQLiteCardStore.BackedUpPictures) {
        try copy { path in
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read { database in
                let problems = try String.fetchAll(database, sql: "PRAGMA integrity_check(5)")
                guard problems == ["ok"] else { throw damaged(problems.joined(separator: "; ")) }
                return try SQLiteCardStore.Contents(of: database)
            }
        }
    }

    /// Makes a copy that gets its name once `check` has looked at it, which gets the path that it has until then, and
    /// the pictures are beside it.
    private func copy<Value>(
        _ check: (String) throws -> Value
    ) throws(StoreError) -> (Value, pictures: SQLiteCardStore.BackedUpPictures) {
        guard !isTaken else { throw exists }
        let partial = PartialFile(beside: destination)
        defer { partial?.remove() }
        guard let partial else { throw Self.unwritable(destination) }
        let found: Value
        do {
            try Self.write(source, to: partial.path)
            found = try check(partial.path)
        } catch {
            throw failure(error)
        }
        let copied = try copyPictures(beside: DatabaseFiles(partial.path))
        // Where the process ends in between, pictures lie there that no backup has, and not the other way round.
        try MediaFolder(DatabaseFiles(partial.path)).move(to: MediaFolder(DatabaseFiles(destination)))
        try publish(partial.path)
        return (found, copied)
    }

    private func copyPictures(beside copy: DatabaseFiles) throws(StoreError) -> SQLiteCardStore.BackedUpPictures {
        guard let pictures else { return SQLiteCardStore.BackedUpPictures(files: 0, missing: 0, inBucket: 0) }
        let files = try MediaFolder(copy).copyAll(from: MediaFolder(pictures))
        return try translatingErrors { try SQLiteCardStore.BackedUpPictures(of: copy, from: source, files: files) }
    }

    /// Copies a database into an empty file.
    static func write(_ source: any DatabaseReader, to path: String) throws {
        let copy = try DatabaseQueue(path: path)
        try source.backup(to: copy)
        try finish(copy)
        try copy.close()
        guard PrivateFile.synchronize(path) else { throw unwritable(path) }
    }

    /// Says what an error means for the backup.
    private func failure(_ error: any Error) -> StoreError {
        guard let reason = SQLiteReason(error) else { return StoreError(error) }
        switch reason.primary {
        case SQLITE_FULL:
            return StoreError(
                .diskFull,
                "There is no room for the backup \(destination) (\(reason)). None was made, and nothing of it is left. "
                    + "Make room there, or name a place on another disk."
            )
        case SQLITE_IOERR where reason.lacksRoomForIndex: return StoreError(error)
        case SQLITE_IOERR:
            return StoreError(
                .diskFull,
                "The backup \(destination) wasn't made: a disk can't be read or written (\(reason)). "
                    + "Check the disk of the "
                    + "database and that of the backup, then try again."
            )
        case _ where reason.isDamage: return damaged("\(reason)")
        default: return StoreError(error)
        }
    }

    private func damaged(_ reason: String) -> StoreError {
        StoreError(
            .corrupt,
            "The database is damaged (\(reason)), so no backup was made. Keep the earlier ones; "
                + "`placard doctor --full` "
                + "says what is wrong."
        )
    }

    /// Makes the copy one file that is complete in itself, with a history of its own, and without the mark that ties a
    /// log to it.
    ///
    /// What is written once it has taken its source's place gets positions that the source never gave out: receivers of
    /// the log remember the largest. Fewer events than a million a second were ever written.
    private static func finish(_ copy: DatabaseQueue) throws {
        try copy.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = DELETE;
                    PRAGMA synchronous = FULL;
                    PRAGMA user_version = 0;
                    UPDATE store SET epoch = random() & 9223372036854775807 WHERE id = 1;
                    """
            )
            if try database.tableExists("writers") { try database.execute(sql: "DELETE FROM writers") }
            guard try database.tableExists("sqlite_sequence") else { return }
            try database.execute(
                sql: """
                    INSERT INTO sqlite_sequence (name, seq)
                    SELECT 'events', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'events');
                    UPDATE sqlite_sequence
                    SET seq = max(seq, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000)
                    WHERE name = 'events';
                    """
            )
        }
    }

    /// Gives the copy its name, which fails where another file took it in the meantime.
    private func publish(_ partial: String) throws(StoreError) {
        guard link(partial, destination) == 0 else { throw errno == EEXIST ? exists : Self.unwritable(destination) }
        _ = PrivateFile.synchronize(URL(fileURLWithPath: destination).deletingLastPathComponent().path)
    }

    /// Whether the destination's name is taken, by a link that leads nowhere too: the copy couldn't get that name, and
    /// its pictures would be left alone.
    private var isTaken: Bool {
        var status = stat()
        return lstat(destination, &status) == 0
    }

    private var exists: StoreError {
        StoreError(.exists, "There is a file \(destination) already, so no backup was made. Choose another name.")
    }

    /// Returns the error where a file can't be created or written.
    static func unwritable(_ path: String) -> StoreError {
        StoreError(
            .unavailable,
            "\(path) can't be written. Check that its folder exists, that this account may write there, "
                + "and that there is room."
        )
    }
}
