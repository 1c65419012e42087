import CardStore
import Foundation
import GRDB

/// Ties a write-ahead log to its database.
///
/// SQLite plays any log that lies beside a database into it, also one of another file of that name: a backup that was
/// copied over a database whose server had not ended in good order becomes a mixture of both. So a database has a mark,
/// its `user_version`, which is drawn whenever it is opened while its log is empty; the lock file remembers it. The log
/// belongs to the database whose mark is remembered. See `docs/decisions/0040-whose-log-it-is.md`.
enum LogOwnership {
    /// Throws where the log isn't that of the database beside it.
    ///
    /// Only the one who holds the lock alone may ask: reading the file here would release locks of this process.
    ///
    /// - Parameters:
    ///   - files: The database.
    ///   - lock: Its lock, or `nil` where there is no file of it, as beside a database that was copied: then only a
    ///     log that shows by itself that it is another's is refused.
    /// - Returns: How the log ends.
    /// - Throws: `StoreError.corrupt` with what to do.
    @discardableResult
    static func check(_ files: DatabaseFiles, _ lock: DatabaseLock?) throws(StoreError) -> LogScan.End {
        guard files.hasLog else { return .whole }
        guard DatabaseFiles.size(of: files.main) ?? 0 > 0 else {
            throw StoreError(
                .corrupt,
                "\(files.main) is missing or empty, but its write-ahead log \(files.log) is there. "
                    + "Put the database back, "
                    + "or restore a backup with `placard restore FILE`."
            )
        }
        guard let header = Header(files.main) else { return .whole }
        let scan = LogScan(files.log, pageBytes: header.pageBytes)
        let known = lock?.marks
        guard known?.contains(header.mark) ?? (scan.marks.isEmpty || scan.marks.contains(header.mark)) else {
            throw StoreError(
                .corrupt,
                "The write-ahead log \(files.log) belongs to another database than \(files.main): "
                    + "a file was put in its place. "
                    + "Restore backups with `placard restore FILE`, which sets the log aside."
            )
        }
        return scan.end
    }

    /// Returns the end of the log, whosever it is.
    static func endOfLog(_ files: DatabaseFiles) -> LogScan.End {
        LogScan(files.log, pageBytes: Header(files.main)?.pageBytes).end
    }

    /// Keeps a copy of a log that is damaged before SQLite plays what comes before the damage, and writes over it.
    ///
    /// The copy takes the place of an earlier one, so that there is one at most. Where it can't be made, as on a full
    /// disk, the database is opened all the same: SQLite would have lost as much.
    static func keepDamaged(_ files: DatabaseFiles) {
        try? FileManager.default.removeItem(atPath: files.damagedLog)
        try? FileManager.default.copyItem(atPath: files.log, toPath: files.damagedLog)
    }

    /// Whether a process that wrote the database was killed, and its log isn't there any more.
    ///
    /// Only the one who holds the lock alone may ask.
    static func isLogLost(_ files: DatabaseFiles, _ lock: DatabaseLock) -> Bool {
        lock.isOpenNoted && DatabaseFiles.size(of: files.log) == nil && (DatabaseFiles.size(of: files.main) ?? 0) > 0
    }

    /// Gives the database a new mark, and remembers it; a failure leaves the old one.
    ///
    /// Only the one who holds the lock alone may do this.
    static func renew(_ pool: DatabasePool, _ lock: DatabaseLock) {
        pool.writeWithoutTransaction { database in
            guard let present = try? Int32.fetchOne(database, sql: "PRAGMA user_version") else { return }
            let next = Int32.random(in: 1...Int32.max)
            // Both count until the new one is in the file itself.
            guard lock.note(UInt32(bitPattern: present), UInt32(bitPattern: next)) else { return }
            guard (try? database.execute(sql: "PRAGMA user_version = \(next)")) != nil,
                (try? database.checkpoint(.truncate)) != nil
            else { return }
            _ = lock.note(UInt32(bitPattern: next), UInt32(bitPattern: next), isOpen: true)
        }
    }

    /// The values in the head of a database, without its log.
    private struct Header {
        let mark: UInt32
        let pageBytes: Int

        init?(_ path: String) {
            guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
            defer { try? handle.close() }
            guard let head = try? handle.read(upToCount: 64), head.count == 64,
                head.starts(with: "SQLite format 3\0".utf8)
            else { return nil }
            // safe: a byte
            mark = head.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
            // safe: two bytes; 1 stands for 65,536
            let said = head.dropFirst(16).prefix(2).reduce(0) { $0 << 8 | Int($1) }
            pageBytes = said == 1 ? 65_536 : said
        }
    }
}
