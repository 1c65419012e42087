import CardStore
import Foundation
import GRDB
import Synchronization

/// The files of a database that is open: what is written into one that was deleted or replaced would be acknowledged,
/// and nobody would find it.
final class OpenFiles: Sendable {
    private let files: DatabaseFiles
    private let main: FileIdentity?
    /// The log and its index, once they are there.
    private let beside: Mutex<[FileIdentity]>
    /// The marks that the database can have while it is open: that of its file, and the one that its log may bring.
    private let marks: Set<UInt32>
    private let hasForeignContent = Atomic(false)
    /// The lock that remembers that the log has content.
    private let lock: DatabaseLock?

    /// Notes the files of a database.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - database: The connection that writes.
    ///   - lock: The database's lock, or `nil` where it isn't held.
    init(_ files: DatabaseFiles, _ database: Database, _ lock: DatabaseLock?) {
        (self.files, self.lock) = (files, lock)
        let coming = (try? Int32.fetchOne(database, sql: "PRAGMA user_version")).map { UInt32(bitPattern: $0) }
        marks = Set([FileMark.read(by: database), coming].compactMap(\.self))
        main = FileIdentity(files.main)
        beside = Mutex([files.log, files.index].compactMap { FileIdentity($0) })
    }

    /// Whether something else was written into the file: a backup that was copied over it, or another server that
    /// reaches it by another name.
    ///
    /// Then nothing may be written to it any more, not even what is in the log.
    var isOverwritten: Bool { hasForeignContent.load(ordering: .relaxed) }

    /// Looks whether the file is still that of this database; only on the writer's queue.
    func lookIntoFile(_ database: Database) {
        guard !isOverwritten, let mark = FileMark.read(by: database), !marks.contains(mark) else { return }
        hasForeignContent.store(true, ordering: .relaxed)
    }

    /// Remembers that the log has content by now, before that is acknowledged: should it be emptied, it is missed.
    func noteWritten() {
        // A group whose jobs were all refused writes nothing.
        guard let state = lock?.logState, state == .open || state == .left, files.hasLog else { return }
        lock?.noteWritten()
    }

    /// The error where a file isn't there any more, or another's, or `nil` where all are.
    var loss: StoreError? {
        guard !isOverwritten else {
            return StoreError(
                .unavailable,
                "The database file \(files.main) was written over by another program while it is in use, such as by "
                    + "copying a backup to it, or by a server that reaches it under another name, so that nothing is "
                    + "written to it any more. Stop the servers that use it, and restore a backup with "
                    + "`placard restore FILE`."
            )
        }
        if let main, let event = main.loss {
            return StoreError(
                .unavailable,
                "The database file \(main.path) was \(event) while it is in use, "
                    + "so that nothing is written to it any more. Put the "
                    + "file back under its name, or stop the server and restore a backup with `placard restore FILE`."
            )
        }
        for identity in known() {
            guard let event = identity.loss else { continue }
            return StoreError(
                .unavailable,
                "\(identity.path), a part of the database, was \(event) while it is in use, "
                    + "so that nothing is written any more. Stop the server in good order (SIGTERM, never SIGKILL), "
                    + "which writes what it holds into the database, and start it again."
            )
        }
        return nil
    }

    /// The files beside the database that were there before.
    private func known() -> [FileIdentity] {
        beside.withLock { known in
            guard known.count < 2 else { return known }
            // They come with the first change.
            for path in [files.log, files.index] where !known.contains(where: { $0.path == path }) {
                if let identity = FileIdentity(path) { known.append(identity) }
            }
            return known
        }
    }
}
