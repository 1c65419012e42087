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
    /// Throws where the log isn't that of the database beside it, or is damaged.
    ///
    /// Only the one who holds the lock alone may ask: reading the file here would release locks of this process.
    ///
    /// - Parameters:
    ///   - files: The database.
    ///   - lock: Its lock, or `nil` where there is no file of it, as beside a database that was copied: then the log
    ///     has to show by itself whose it is.
    /// - Throws: `StoreError.corrupt` with what to do.
    static func check(_ files: DatabaseFiles, _ lock: DatabaseLock?) throws(StoreError) {
        guard files.hasLog else { return }
        guard DatabaseFiles.size(of: files.main) ?? 0 > 0 else {
            throw StoreError(
                .corrupt,
                "\(files.main) is missing or empty, but its write-ahead log \(files.log) is there. "
                    + "Put the database back, "
                    + "or restore a backup with `placard restore FILE`."
            )
        }
        guard let header = Header(files.main) else { return }
        let scan = LogScan(files.log, pageBytes: header.pageBytes)
        if let marks = lock?.marks {
            guard marks.contains(header.mark) else { throw foreign(files) }
        } else {
            // Beside a lock that was only just created, the log of a database that is being created may say nothing.
            let isOwn = scan.marks.contains(header.mark) || lock != nil && scan.marks.isEmpty
            guard isOwn else { throw foreign(files, isUnmarked: true) }
        }
        guard scan.end != .damaged else {
            throw StoreError(
                .corrupt,
                "The write-ahead log \(files.log) is damaged: what was written after the damage is lost. "
                    + "Restore a backup with `placard restore FILE`, which sets the database and its log aside."
            )
        }
    }

    private static func foreign(_ files: DatabaseFiles, isUnmarked: Bool = false) -> StoreError {
        let advice =
            isUnmarked
            ? " Where you are sure that the two belong together, put \(files.lock) beside them, too, or create it: "
                + "touch \(files.lock)"
            : ""
        return StoreError(
            .corrupt,
            "The write-ahead log \(files.log) belongs to another database than \(files.main): "
                + "a file was put in its place. "
                + "Restore backups with `placard restore FILE`, which sets the log aside.\(advice)"
        )
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

    /// What the head of a database says, without its log.
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
