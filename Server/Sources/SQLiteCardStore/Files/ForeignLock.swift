import CardStore
import Foundation

/// Keeps programs other than this one from a database while its file is replaced: what they write would go into a file
/// that has another name by then.
///
/// They know nothing of ``DatabaseLock``, but every program that has a database open holds SQLite's own lock on its
/// file. Opening it by SQLite would play the log into it, so the same bytes are locked here.
struct ForeignLock {
    /// The bytes that SQLite locks: one that says a writer waits, one that a writer has, and those of readers.
    private static let (first, count): (off_t, off_t) = (0x4000_0000, 512)

    private let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Throws: `StoreError.unavailable` where a program has the database open.
    init(_ files: DatabaseFiles) throws(StoreError) {
        descriptor = open(files.main, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        guard FileBytes(start: Self.first, count: Self.count).areTaken(descriptor, F_SETLK) else { return }
        close(descriptor)
        throw StoreError(
            .unavailable,
            "Another program has \(files.main) open: `fuser -v \(files.main)` names it. End it, then restore. "
                + "Nothing was changed."
        )
    }

    /// Lets others at the file that was the database.
    func release() { if descriptor >= 0 { close(descriptor) } }
}

/// Bytes of a file that are locked.
struct FileBytes {
    let start: off_t
    let count: off_t

    /// Locks the bytes, unless another program has them.
    ///
    /// - Parameters:
    ///   - descriptor: The file.
    ///   - command: `F_SETLK`, or the like of it for a lock that belongs to the descriptor.
    /// - Returns: Whether another program has them.
    func areTaken(_ descriptor: Int32, _ command: Int32) -> Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (start, count)
        // A file system without locks has no answer to give.
        return fcntl(descriptor, command, &lock) != 0 && (errno == EACCES || errno == EAGAIN)
    }
}
