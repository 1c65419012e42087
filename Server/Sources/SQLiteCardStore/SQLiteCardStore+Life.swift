public import CardStore
import Foundation
import GRDB

extension SQLiteCardStore {
    /// Tells of changes from now on, whichever process made them.
    public func changes() -> AsyncStream<StoreChange> { listeners.listen() }

    /// Writes a copy of the whole store that is consistent in itself, with an epoch of its own.
    ///
    /// - Throws: `StoreError.exists` where there is such a file.
    public func backUp(to path: String) async throws {
        try await BackupWriter(source: pool, destination: path).run()
    }

    /// Writes a copy of a database of any version, which is only read, and of its pictures beside it.
    ///
    /// The copy gets its name last, so that a file of that name has its pictures.
    ///
    /// - Parameters:
    ///   - path: The database, which others may be using.
    ///   - destination: The copy. There must be no such file yet.
    /// - Returns: What the copy has of the pictures.
    /// - Throws: `StoreError.exists` where there is such a file, and what keeps the database or a picture from being
    ///   read.
    @discardableResult
    public static func backUp(databaseAt path: String, to destination: String) async throws -> BackedUpPictures {
        try await reading(databaseAt: path) {
            try BackupWriter(source: $0, destination: destination, pictures: DatabaseFiles(path)).copy()
        }
    }

    /// Writes a copy as ``backUp(databaseAt:to:)`` does, and gives it its name once every page and index of it is
    /// checked.
    ///
    /// - Parameters:
    ///   - path: The database, which others may be using.
    ///   - destination: The copy. There must be no such file yet.
    /// - Returns: What the copy holds.
    /// - Throws: `StoreError.corrupt` where the copy is damaged, as the database is then; nothing is left of it.
    public static func backUpVerified(
        databaseAt path: String,
        to destination: String
    ) async throws -> (contents: Contents, pictures: BackedUpPictures) {
        let (contents, pictures) = try await reading(databaseAt: path) {
            try BackupWriter(source: $0, destination: destination, pictures: DatabaseFiles(path)).verifiedCopy()
        }
        return (contents, pictures)
    }

    /// The origin that a database and all copies of it have in common, and no other database has.
    public struct Origin: Sendable, Hashable {
        /// The key of the database's pseudonyms: a secret, so that it can be compared and not read.
        fileprivate let key: Data
    }

    /// Returns where a database comes from, or `nil` where the file can't be read as one.
    ///
    /// - Parameter path: The file, which others may be using.
    /// - Returns: Its origin, which compares equal to that of any copy.
    public static func origin(ofDatabaseAt path: String) -> Origin? {
        guard DatabaseFiles.size(of: path) != nil else { return nil }
        let key = try? QuietReader(DatabaseFiles(path)).read { queue in
            try queue.read { try Data.fetchOne($0, sql: "SELECT user_hash_key FROM store WHERE id = 1") }
        }
        return key.map(Origin.init)
    }

    /// Lends a connection that only reads to what takes as long as the disk does.
    private static func reading<Value: Sendable>(
        databaseAt path: String,
        _ body: @escaping @Sendable (DatabaseQueue) throws -> Value
    ) async throws -> Value {
        let files = DatabaseFiles(path)
        try StoreOpening.checkLog(files)
        switch try DatabaseState(of: files) {
        case .current, .older: break
        case let state: try state.requireCurrent(files)
        }
        return try await BackupWriter.onOwnThread { () throws(StoreError) in
            try translatingErrors { try QuietReader(files).read(body) }
        }
    }

    /// Finishes what is under way and closes the store.
    ///
    /// Closing it again does nothing.
    public func close() async throws {
        let task = closing.withLock { closing in
            let task = closing ?? Task { try await finish() }
            closing = task
            return task
        }
        try await task.value
    }

    private func finish() async throws {
        await stopWatching()
        listeners.close()
        await writer.close()
        readers.close()
        // Beside a process that writes, writing the log back would make its writes wait; the last one does it.
        let isLast = !options.isReadOnly && lock?.takeAlone() ?? true
        try await pool.writeWithoutTransaction { [openFiles] in openFiles.lookIntoFile($0) }
        // What is in the log belongs into the file that was written over, and would make a mixture of the new one.
        try Self.close(pool, DatabaseFiles(path), lock, isLast: isLast && !openFiles.isOverwritten)
        fileClaim.withLock { $0 = nil }
        serverLock?.release()
        reader?.removeTraces()
    }

    /// Closes the connections; the last process that had the database open writes the log back and removes it.
    static func close(
        _ pool: DatabasePool,
        _ files: DatabaseFiles,
        _ lock: DatabaseLock?,
        isLast: Bool
    ) throws(StoreError) {
        try translatingErrors {
            if isLast {
                pool.writeWithoutTransaction { LogOwnership.writeBackAtEnd($0, lock) }
                // Where that couldn't be done, nothing was in it.
                if !files.hasLog, lock?.logState == .open { lock?.noteClosed() }
            }
            try pool.close()
        }
        // The last connection that GRDB closes only reads, and so leaves the log where it is.
        if isLast { QuietReader.removeEmptyLog(of: files) }
        lock?.release()
    }
}
