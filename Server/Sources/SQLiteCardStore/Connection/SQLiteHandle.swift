import GRDBSQLite

/// Opens connections of our own, beside GRDB's.
enum SQLiteHandle {
    static let busyMilliseconds: Int32 = 5_000

    /// Opens a connection that only reads.
    ///
    /// It is used by one thread at a time, so SQLite needs no lock of its own. Memory-mapped reads stay off: an error
    /// of the disk would then kill the process instead of failing one request.
    static func open(_ path: String, cacheKiB: Int) throws(SQLiteError) -> OpaquePointer {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            throw SQLiteError(code: code, on: handle)
        }
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, busyMilliseconds)
        sqlite3_exec(
            handle,
            "PRAGMA cache_size = -\(cacheKiB); PRAGMA mmap_size = 0; PRAGMA query_only = 1",
            nil,
            nil,
            nil
        )
        return handle
    }
}
