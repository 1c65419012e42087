import Foundation

/// The files of one database, under the names that SQLite gives them.
struct DatabaseFiles: Sendable {
    /// The database itself; symbolic links are followed, as SQLite does before it names the other files.
    let main: String

    init(_ path: String) {
        guard let resolved = realpath(path, nil) else {
            main = path
            return
        }
        defer { free(resolved) }
        main = String(cString: resolved)
    }

    /// The write-ahead log.
    var log: String { main + "-wal" }
    /// A copy of a log that was damaged.
    var damagedLog: String { log + ".damaged" }
    /// The index of the log, in memory that processes share.
    var index: String { main + "-shm" }
    /// The file from which a transaction outside the log would be rolled back.
    var journal: String { main + "-journal" }
    /// The file of ``DatabaseLock``.
    var lock: String { main + ".lock" }
    /// The file of ``ServerLock``.
    var serverLock: String { main + ".server" }
    /// The folder of all of them.
    var folder: String { URL(fileURLWithPath: main).deletingLastPathComponent().path }

    /// Returns the size of a file in bytes, or `nil` where there is none.
    static func size(of path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// Returns the bytes that this account can still write to the file system of a folder, or `nil` where it can't be
    /// told.
    static func freeBytes(in folder: String) -> Int64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        // safe: numbers of the system, and the result is checked
        let (bytes, overflows) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflows ? .max : Int64(clamping: bytes)
    }

    /// Whether the log holds anything beside its header.
    var hasLog: Bool { (Self.size(of: log) ?? 0) > Self.logHeaderBytes }
    private static let logHeaderBytes: Int64 = 32
}
