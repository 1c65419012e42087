import CardModel
import CardStore
import Foundation

/// Says that a server serves a database, and keeps a second one from serving it.
///
/// Limits of requests, open streams and what is cached belong to one process where the database is a file: with two,
/// each user would have every limit twice. Commands may use the database beside the server, so this isn't
/// ``DatabaseLock``. The system releases the lock when the process ends, however it ends; the file stays, and names who
/// had it last.
final class ServerLock: Sendable {
    /// The time that a server waits for one that is stopping, in microseconds a time.
    private static let pause: useconds_t = 20_000
    private static let recordBytes = 512

    private let descriptor: Int32
    /// The file that is held; `nil` where there is none.
    let identity: FileIdentity?

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - files: The database.
    ///   - patience: How long to wait for a server that is stopping.
    ///   - now: The time that is noted as the server's start.
    /// - Throws: `StoreError.unavailable` where another server has it for longer, or where the file can't be opened.
    init(_ files: DatabaseFiles, patience: Duration, now: UnixTime) throws(StoreError) {
        PrivateFile.createEmpty(files.serverLock)
        descriptor = open(files.serverLock, O_RDWR | O_CLOEXEC)
        identity = FileIdentity(files.serverLock, descriptor: descriptor)
        guard descriptor >= 0 else {
            // Where a database can't be written at all, opening it says so.
            guard errno == EACCES || errno == EPERM else { return }
            throw StoreError(
                .unavailable,
                "\(files.serverLock) can't be opened, and without it a second server isn't kept away. "
                    + "Give it to the account "
                    + "that runs the server: chown --reference=\(files.folder) \(files.serverLock)"
            )
        }
        let end = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            // A file system without such locks has no answer to give.
            guard errno == EWOULDBLOCK || errno == EINTR else { return }
            guard ContinuousClock.now < end else {
                throw StoreError(
                    .unavailable,
                    "Another server\(Self.holder(descriptor)) serves \(files.main), "
                        + "and a SQLite database has one server. "
                        + "Stop that one first; several servers share a PostgreSQL database (`placard copy` "
                        + "moves everything)."
                )
            }
            usleep(Self.pause)
        }
        note(now)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether a server serves a database, as far as it can be told.
    static func isHeld(_ files: DatabaseFiles) -> Bool {
        let descriptor = open(files.serverLock, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Lets another server serve the database.
    func release() { flock(descriptor, LOCK_UN) }

    private func note(_ now: UnixTime) {
        let record = Array("\(getpid()) \(Timestamp.text(of: now)) \(Self.host)\n".utf8.prefix(Self.recordBytes))
        // Without the record, the lock is as good; only who has it can't be told.
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = pwrite(descriptor, record, record.count, 0)
    }

    /// Says who has the lock, as the record has it: anything may be in the file.
    private static func holder(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: recordBytes)
        let count = pread(descriptor, &bytes, recordBytes, 0)
        let words = bytes.prefix(max(0, count)).split { $0 <= UInt8(ascii: " ") || $0 > UInt8(ascii: "~") }
        var texts = words.map { String(decoding: $0, as: UTF8.self) }
        guard texts.count == 3, let host = texts.popLast(), let start = texts.popLast(), let process = texts.popLast()
        else { return "" }
        return " (process \(process) on \(host), since \(start))"
    }

    private static var host: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return bytes.isEmpty ? "unknown" : String(decoding: bytes, as: UTF8.self)
    }
}
