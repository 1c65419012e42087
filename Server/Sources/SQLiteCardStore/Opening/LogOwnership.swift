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
        try log(of: files, lock)?.end() ?? .whole
    }

    /// Returns the log beside a database, or `nil` where there is none that could be another's.
    ///
    /// Only the one who holds the lock alone may ask; the log's frames can be read without it.
    ///
    /// - Parameters:
    ///   - files: The database.
    ///   - lock: Its lock, as for ``check(_:_:)``.
    /// - Returns: The log.
    /// - Throws: `StoreError.corrupt` where the database isn't there.
    static func log(of files: DatabaseFiles, _ lock: DatabaseLock?) throws(StoreError) -> FoundLog? {
        guard files.hasLog else { return nil }
        guard DatabaseFiles.size(of: files.main) ?? 0 > 0 else {
            throw StoreError(
                .corrupt,
                "\(files.main) is missing or empty, but its write-ahead log \(files.log) is there. "
                    + "Put the database back, "
                    + "or restore a backup with `placard restore FILE`."
            )
        }
        guard let header = Header(files.main) else { return nil }
        return FoundLog(files: files, mark: header.mark, pageBytes: header.pageBytes, known: lock?.marks)
    }

    /// The size of the database's pages in bytes, or `nil` where it can't be read.
    ///
    /// Only the one who holds the lock alone may ask.
    static func pageBytes(of files: DatabaseFiles) -> Int? { Header(files.main)?.pageBytes }

    /// Keeps a copy of a log that is damaged before SQLite plays what comes before the damage, and writes over it.
    ///
    /// The copy takes the place of an earlier one, so that there is one at most. Where it can't be made, as on a full
    /// disk, the database is opened all the same: SQLite would have lost as much.
    static func keepDamaged(_ files: DatabaseFiles) {
        try? FileManager.default.removeItem(atPath: files.damagedLog)
        try? FileManager.default.copyItem(atPath: files.log, toPath: files.damagedLog)
    }

    /// Whether a log that has to be there isn't any more, or was emptied or written over by zeros.
    ///
    /// One that a stop left beside a process that read may have been written back by that process since.
    ///
    /// Only the one who holds the lock alone may ask.
    static func isLogLost(_ files: DatabaseFiles, _ lock: DatabaseLock) -> Bool {
        guard (DatabaseFiles.size(of: files.main) ?? 0) > 0 else { return false }
        return switch lock.logState {
        case .closed: false
        case .open: DatabaseFiles.size(of: files.log) == nil
        case .written: isWithoutContent(files)
        case .left: isWithoutContent(files) && Header(files.main)?.mark != lock.marks?.last
        }
    }

    private static func isWithoutContent(_ files: DatabaseFiles) -> Bool {
        !files.hasLog || LogScan.isBlank(files.log)
    }

    /// Writes the log back before the last process closes the database, and notes what becomes of the log.
    ///
    /// A process that reads can keep it from that. The log then stays, and SQLite may write it back, and remove it,
    /// when that process ends.
    ///
    /// - Parameters:
    ///   - database: The connection that writes.
    ///   - lock: The database's lock, held alone.
    static func writeBackAtEnd(_ database: Database, _ lock: DatabaseLock?) {
        guard (try? database.checkpoint(.full)) != nil else {
            if let lock { leave(database, lock) }
            return
        }
        // Before it is emptied: whoever is killed in between has lost nothing, nor does it go with one that reads.
        lock?.noteClosed()
        _ = try? database.checkpoint(.truncate)
    }

    /// Writes a last mark, after all else that is in the log: a database that has it in its file lacks nothing.
    private static func leave(_ database: Database, _ lock: DatabaseLock) {
        let number = Int32.random(in: 1...Int32.max)
        // While nobody else can write, the log doesn't begin again, and has each mark that the file may get.
        try? database.inTransaction(.immediate) {
            guard let present = try Int32.fetchOne(database, sql: "PRAGMA user_version") else { return .rollback }
            let own = FileMark.read(by: database) ?? UInt32(bitPattern: present)
            // Until the mark is written, the file hasn't got it, so that a log that goes is missed.
            guard lock.note(own, UInt32(bitPattern: number), .left) else { return .rollback }
            try database.execute(sql: "PRAGMA user_version = \(number)")
            return .commit
        }
    }

    /// Gives the database a new mark, and remembers it; a failure leaves the old one.
    ///
    /// Only the one who holds the lock alone may do this.
    static func renew(_ pool: DatabasePool, _ lock: DatabaseLock) {
        pool.writeWithoutTransaction { database in
            guard let number = try? Int32.fetchOne(database, sql: "PRAGMA user_version") else { return }
            let present = UInt32(bitPattern: number)
            // Two marks are remembered. Where the file has another one than its log, as after a start while another
            // process read, which still does, it is these two: with a third, the file's own would be forgotten.
            if FileMark.read(by: database) ?? present != present { _ = writeBack(database) }
            let own = FileMark.read(by: database) ?? present
            guard own == present else {
                _ = lock.note(own, present, .written)
                return
            }
            draw(after: present, database, lock)
        }
    }

    private static func draw(after present: UInt32, _ database: Database, _ lock: DatabaseLock) {
        let number = Int32.random(in: 1...Int32.max)
        let next = UInt32(bitPattern: number)
        var state = lock.logState
        // A log that was left is in the file, or was lost, which the next start says again.
        if state == .left { state = lock.marks?.last == present ? .closed : .written }
        // Both count until the new one is in the file itself.
        guard lock.note(present, next, state) else { return }
        let isDrawn = (try? database.execute(sql: "PRAGMA user_version = \(number)")) != nil
        // Where it can't be written back, the log is missed all the same if it goes.
        guard lock.note(present, next, isDrawn ? .written : .open), isDrawn, writeBack(database) else { return }
        guard lock.note(next, next, .open) else { return }
        _ = try? withoutPatience(database) { try database.checkpoint(.truncate) }
    }

    /// Writes all of the log into the database; returns whether nobody who reads kept it from that.
    private static func writeBack(_ database: Database) -> Bool {
        (try? withoutPatience(database) { try database.checkpoint(.full) }) != nil
    }

    /// Runs what a reader may be in the way of, such as a backup, for which a start needn't wait.
    private static func withoutPatience<Value>(_ database: Database, _ body: () throws -> Value) throws -> Value {
        let patience = try Int.fetchOne(database, sql: "PRAGMA busy_timeout") ?? 0
        try database.execute(sql: "PRAGMA busy_timeout = \(Self.patienceMilliseconds)")
        defer { try? database.execute(sql: "PRAGMA busy_timeout = \(patience)") }
        return try body()
    }

    private static let patienceMilliseconds = 250

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
