import CardStore
import Foundation

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
        guard known?.contains(mark) ?? (scan.marks.isEmpty || scan.marks.contains(mark)) else {
            throw StoreError(
                .corrupt,
                "The write-ahead log \(files.log) belongs to another database than \(files.main): "
                    + "a file was put in its place. "
                    + "Restore backups with `placard restore FILE`, which sets the log aside."
            )
        }
        return scan.end
    }
}
