import CardStore
import Foundation
import GRDB
import GRDBSQLite

/// Reads a database that others may be using, and leaves nothing behind.
///
/// A reader can't remove the empty log that SQLite creates for it; this has SQLite remove it where there was none
/// before.
struct QuietReader {
    let files: DatabaseFiles
    private let hadLog: Bool
    /// The path of the file that is opened.
    private let path: String

    init(_ files: DatabaseFiles) {
        self.files = files
        hadLog = DatabaseFiles.size(of: files.log) != nil
        path = files.readingPath
    }

    /// Opens a connection that only reads, lends it and closes it.
    func read<Value>(_ body: (DatabaseQueue) throws -> Value) throws -> Value {
        defer { removeTraces() }
        let queue = try DatabaseQueue(path: path, configuration: Self.configuration)
        defer { try? queue.close() }
        return try body(queue)
    }

    /// Removes the empty log, once the connections that read are closed.
    func removeTraces() {
        if !hadLog, path == files.main { Self.removeEmptyLog(of: files) }
    }

    /// Has SQLite remove a log that has nothing in it, unless a connection is open.
    static func removeEmptyLog(of files: DatabaseFiles) {
        guard DatabaseFiles.size(of: files.log) == 0 else { return }
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        guard sqlite3_open_v2(files.main, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK else {
            return
        }
        // The last connection that closes removes the log, and this one becomes one by reading.
        sqlite3_exec(handle, "SELECT 1 FROM sqlite_schema LIMIT 1", nil, nil, nil)
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "placard-reader"
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        configuration.allowsUnsafeTransactions = true
        return configuration
    }
}
