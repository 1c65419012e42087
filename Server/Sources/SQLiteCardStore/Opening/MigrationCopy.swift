import CardModel
import CardStore
import Foundation
import GRDB
import WireJSON

/// The copy of a database that is made before it is migrated, so that the version before can be used again.
struct MigrationCopy {
    /// The room that has to stay free beside the copy, in bytes.
    static let margin: Int64 = 16 << 20

    private let files: DatabaseFiles

    init(_ files: DatabaseFiles) { self.files = files }

    /// The bytes that a copy takes, at most.
    var bytes: Int64 {
        let main = DatabaseFiles.size(of: files.main) ?? 0
        return main.saturatingAdd(DatabaseFiles.size(of: files.log) ?? 0)
    }

    /// Copies the database to a file beside it that is named after its last migration.
    ///
    /// - Returns: The path of the copy.
    /// - Throws: `StoreError.diskFull` where there is no room for it.
    func make(of source: any DatabaseReader, lastStep: String) throws(StoreError) -> String {
        try checkRoom()
        let path = path(lastStep)
        try BackupWriter(source: source, destination: path).copy()
        return path
    }

    /// The path that the next copy of a database with that last migration gets.
    func path(_ lastStep: String) -> String {
        let number = lastStep.prefix(before: "-")
        let base = "\(files.main).schema-\(number)"
        var path = base + ".backup"
        var attempt = 2
        while DatabaseFiles.size(of: path) != nil, attempt < 1_000 {
            path = "\(base)-\(attempt).backup"
            attempt += 1
        }
        return path
    }

    private func checkRoom() throws(StoreError) {
        guard let free = DatabaseFiles.freeBytes(in: files.folder), free < bytes.saturatingAdd(Self.margin) else {
            return
        }
        throw StoreError(
            .diskFull,
            "Before the migration, the database is copied, which takes \(Quantity.text(bytes, "byte")); "
                + "\(free) are free. Make room, or run "
                + "`placard migrate --no-copy` once a backup is in another place."
        )
    }
}

extension Int64 {
    /// The sum, or the largest number where it is larger.
    fileprivate func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
