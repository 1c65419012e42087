import CardStore
import Foundation

/// Keeps a second server from a database that it reaches by another name: a mount of the file alone, or a hard link.
///
/// The other locks are files beside the database, and beside another name there are others. This one is on a byte of
/// the database's own file that SQLite never uses. It belongs to the descriptor and not to the process, so neither
/// SQLite's locks nor this one release each other, but closing the descriptor releases SQLite's: it is closed after
/// the database.
final class FileClaim: Sendable {
    /// Behind the bytes that SQLite locks, in the page that it never writes.
    private static let byte: off_t = 0x4000_0400
    #if os(Linux)
    private static let setLock: Int32 = 37
    #else
    private static let setLock: Int32 = 90
    #endif

    private let descriptor: Int32

    /// Takes the lock, where the file system has such locks.
    ///
    /// - Throws: `StoreError.unavailable` where another server has it.
    init(_ files: DatabaseFiles) throws(StoreError) {
        descriptor = open(files.main, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        guard FileBytes(start: Self.byte, count: 1).areTaken(descriptor, Self.setLock) else { return }
        throw StoreError(
            .unavailable,
            "Another server serves the file of \(files.main) under another name: a mount of the file alone, or a hard "
                + "link. Each would lose what the other one writes. Stop one of them; several servers share a "
                + "PostgreSQL database (`placard copy` moves everything)."
        )
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
