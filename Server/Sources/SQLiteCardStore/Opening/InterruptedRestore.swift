import CardStore
import Foundation

/// A restoration whose process was killed while it gave files other names.
struct InterruptedRestore {
    private static let ending = ".before-restore-"

    private let files: DatabaseFiles
    /// The name that the database before has, or was about to get.
    let previous: String
    /// Whether the backup has the database's name; otherwise the database is as it was.
    let isReplaced: Bool

    /// Looks for one; `nil` where there is none.
    ///
    /// - Parameters:
    ///   - files: The database, which this process doesn't have open.
    ///   - lock: Its lock, or `nil` where there is no file of it.
    init?(_ files: DatabaseFiles, _ lock: DatabaseLock?) {
        let previous = StoreFiles.copies(files).filter { $0.contains(Self.ending) && !$0.hasSuffix("-wal") }
        if let twin = previous.first(where: { Self.isSame($0, files.main) }) {
            (self.files, self.previous, isReplaced) = (files, twin, false)
            return
        }
        // The log that is still there is that of the database before, as the lock remembers.
        guard files.hasLog, let marks = lock?.marks,
            let left = previous.last(where: { path in
                access(path + "-wal", F_OK) != 0 && Self.mark(of: path).map { marks.contains($0) } ?? false
            }),
            let own = Self.mark(of: files.main), !marks.contains(own)
        else { return nil }
        (self.files, self.previous, isReplaced) = (files, left, true)
    }

    /// The error where the database can't be opened because of it.
    var refusal: StoreError {
        StoreError(
            .corrupt,
            "A restoration was interrupted: the backup is \(files.main) by now, but the log of the database before, "
                + "\(previous), still lies beside it. Run it again: `placard restore FILE --database "
                + "sqlite:\(files.main)`."
        )
    }

    /// Undoes what was done where the database is as it was; sets the log of the database before aside otherwise.
    ///
    /// - Parameter lock: The lock of the database, which is held alone.
    func settle(_ lock: DatabaseLock) {
        if isReplaced {
            guard rename(files.log, previous + "-wal") == 0 else { return }
            lock.keepMarks(beside: previous)
        } else {
            let journal = previous + "-journal"
            if access(journal, F_OK) == 0, access(files.journal, F_OK) != 0 { rename(journal, files.journal) }
            unlink(previous)
        }
    }

    /// Whether two paths lead to one file.
    private static func isSame(_ first: String, _ second: String) -> Bool {
        var (a, b) = (stat(), stat())
        return stat(first, &a) == 0 && stat(second, &b) == 0 && a.st_ino == b.st_ino && a.st_dev == b.st_dev
    }

    /// The mark of a database, ``LogOwnership``, or `nil` where it can't be read.
    private static func mark(of path: String) -> UInt32? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        guard let head = try? handle.read(upToCount: 64), head.count == 64 else { return nil }
        // safe: a byte
        return head.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension DatabaseLock {
    /// Says beside a database that was set aside that the log there is its own: it is restored from there, where the
    /// backup was the wrong one.
    func keepMarks(beside previous: String) {
        let files = DatabaseFiles(previous)
        guard files.hasLog, let marks, let first = marks.first, let last = marks.last else { return }
        _ = DatabaseLock(files, isCreated: true)?.note(first, last)
    }
}

extension SQLiteCardStore.Finding {
    /// Says that a restoration was interrupted, or returns `nil` where none was.
    static func interruptedRestore(of files: DatabaseFiles) -> Self? {
        guard let restore = InterruptedRestore(files, DatabaseLock(files, isCreated: false)) else { return nil }
        let message =
            restore.isReplaced
            ? restore.refusal.message
            : "A restoration was interrupted before it changed anything, and the database is as it was. Run it again; "
                + "where it isn't wanted any more, the next start of the server removes \(restore.previous)."
        return Self(
            level: .warning,
            subject: "leftovers",
            message: message,
            command: "placard restore FILE --database \("sqlite:\(files.main)".shellWord)"
        )
    }
}
