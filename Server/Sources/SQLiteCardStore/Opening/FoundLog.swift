import CardStore
import Foundation
import GRDB

/// A log that lies beside a database, and what is needed to tell whether it is that database's.
struct FoundLog {
    let files: DatabaseFiles
    /// The mark of the database, ``LogOwnership``.
    let mark: UInt32
    let pageBytes: Int
    /// The marks that the lock remembers, the newest last, or `nil` where there is no file of it.
    let known: [UInt32]?

    /// Reads the frames of the log, and returns how it ends.
    ///
    /// - Throws: `StoreError.corrupt` where it is another database's.
    func end() throws(StoreError) -> LogScan.End {
        let scan = LogScan(files.log, pageBytes: pageBytes)
        guard isOwn(scan) else {
            var message =
                "The write-ahead log \(files.log) belongs to another database than \(files.main): "
                + "a file was put in its place. "
                + "Restore backups with `placard restore FILE`, which sets the log aside."
            if isForgotten(scan) {
                message +=
                    " If no file was put there, an earlier version of Placard has forgotten the mark of the database: "
                    + "make a copy of both files, and run `placard repair --accept-log`."
            }
            throw StoreError(.corrupt, message)
        }
        return scan.end
    }

    /// Whether the log is that of the database, as far as it can be told.
    private func isOwn(_ scan: LogScan) -> Bool {
        guard let known else { return scan.marks.isEmpty || scan.marks.contains(mark) }
        // A file whose mark is in the log's pages is as it was when the log began, or newer. That of backups is 0.
        return known.contains(mark) || mark != 0 && scan.marks.contains(mark)
    }

    /// Whether the lock may lack the mark of the file because two more were drawn while another process read.
    ///
    /// Earlier versions drew one at each start, and remembered the last two; both are in the log then.
    private func isForgotten(_ scan: LogScan) -> Bool {
        guard let known, mark != 0, !isOwn(scan), Set(known).count > 1 else { return false }
        return scan.marks.isSuperset(of: known)
    }

    /// Remembers the mark of a file that an earlier version has forgotten, where the file and the log fit together.
    ///
    /// - Parameter lock: The lock of the database, held alone.
    /// - Throws: `StoreError.corrupt` where they don't make a whole database; then nothing is changed.
    func accept(_ lock: DatabaseLock) throws(StoreError) {
        guard let newest = known?.last, isForgotten(LogScan(files.log, pageBytes: pageBytes)) else { return }
        let problems = try translatingErrors {
            try QuietReader(files).read { queue in
                try queue.read { try String.fetchAll($0, sql: "PRAGMA integrity_check(1)") }
            }
        }
        guard problems == ["ok"] else {
            throw StoreError(
                .corrupt,
                "\(files.main) and its write-ahead log don't fit together: \(problems.joined(separator: " ")). "
                    + "Restore a backup with `placard restore FILE`, which sets the log aside. Nothing was changed."
            )
        }
        _ = lock.note(mark, newest, .written)
    }
}
