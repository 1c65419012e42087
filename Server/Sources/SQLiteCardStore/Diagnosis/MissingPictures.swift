import CardModel
public import CardStore
import Foundation
import GRDB

extension SQLiteCardStore {
    /// The number of pictures of a database that lack files.
    public struct MissingPictures: Sendable, Hashable {
        /// The pictures of which at least one size isn't there, or whose files don't have as many bytes as they had.
        public let count: Int
        /// All pictures.
        public let all: Int
        /// Those whose bytes are in a bucket, where nobody looked.
        public let inBucket: Int
    }

    /// Looks whether the pictures of a database, or of a backup, have their files.
    ///
    /// - Parameters:
    ///   - path: The database or backup, which is only read.
    ///   - places: The databases and backups in whose folders the files may be.
    /// - Returns: How many pictures lack files in all of these; none where the database is of a version without
    ///   pictures.
    /// - Throws: `StoreError` where the database can't be read.
    public static func missingPictures(
        of path: String,
        beside places: [String]
    ) async throws(StoreError) -> MissingPictures {
        let folders = places.map { MediaFolder(DatabaseFiles($0)) }
        return try await BackupWriter.onOwnThread { () throws(StoreError) in
            try translatingErrors {
                try QuietReader(DatabaseFiles(path)).read { queue in
                    try queue.unsafeRead { try MissingPictures(of: $0, in: folders) }
                }
            }
        }
    }
}

extension SQLiteCardStore.MissingPictures {
    /// Looks for the files of the pictures in folders.
    init(of database: Database, in folders: [MediaFolder]) throws {
        let (ids, all, inBucket) = try Self.find(in: database, beside: folders)
        self.init(count: ids.count, all: all, inBucket: inBucket)
    }

    /// Returns the ids of the pictures of which at least one size is in none of the folders, or whose sizes don't have
    /// as many bytes together as when they were uploaded; how many pictures there are; and how many of them are in a
    /// bucket, which aren't looked for.
    ///
    /// Of files of one name, the one in the first folder counts.
    static func find(
        in database: Database,
        beside folders: [MediaFolder]
    ) throws -> (ids: [String], all: Int, inBucket: Int) {
        guard try database.tableExists("media") else { return ([], 0, 0) }
        let there = folders.reduce(into: [String: Int64]()) { $0.merge($1.fileSizes) { first, _ in first } }
        var (ids, all, inBucket): ([String], Int, Int) = ([], 0, 0)
        // A backup may be of a version that knew no buckets.
        let knowsBuckets = try database.columns(in: "media").contains { $0.name == "bucket_folder" }
        let isInBucket = knowsBuckets ? "bucket_folder IS NOT NULL" : "0"
        let rows = try Row.fetchCursor(database, sql: "SELECT id, widths, bytes, \(isInBucket) AS is_away FROM media")
        while let row = try rows.next() {
            let (id, widths, isAway) = (try row.text("id"), try row.text("widths"), try row.flag("is_away"))
            all += 1
            guard !isAway else {
                inBucket += 1
                continue
            }
            let sizes = widths.split(separator: " ").map { there["\(id)-\($0)"] }
            let known = sizes.compactMap(\.self)
            // A file in a backup may be said to have any number of bytes.
            let sum: Int64 = known.reduce(0) { $0.addingReportingOverflow($1).partialValue }
            let bytes = Int64.fromDatabaseValue(row["bytes"])
            if known.count != sizes.count || sum != bytes { ids.append(id) }
        }
        return (ids, all, inBucket)
    }
}

extension MediaFolder {
    /// The names of what is in the folder; none where there is no folder, or this account can't read it.
    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

    /// The bytes of the files by their names; a link and what is no file doesn't count.
    fileprivate var fileSizes: [String: Int64] {
        names.reduce(into: [:]) { sizes, name in
            var status = stat()
            guard lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
            sizes[name] = Int64(clamping: status.st_size)
        }
    }

    /// The number of files that this account can't read.
    fileprivate var unreadableCount: Int { names.count { access("\(path)/\($0)", R_OK) != 0 } }
}

extension SQLiteCardStore.Finding {
    /// Looks whether the files of the media library are there.
    static func pictures(of files: DatabaseFiles, in database: Database) throws -> Self {
        let folder = MediaFolder(files)
        if access(folder.path, F_OK) == 0, access(folder.path, R_OK | X_OK) != 0 {
            return Self(
                level: .warning,
                subject: "media",
                message: "This account can't read \(folder.path), so that it isn't known whether pictures are missing.",
                command: "ls -ld \(folder.path.shellWord)"
            )
        }
        let missing = try SQLiteCardStore.MissingPictures(of: database, in: [folder])
        let unreadable = folder.unreadableCount
        guard unreadable == 0 else {
            return Self(
                level: .warning,
                subject: "media",
                message: "This account can't read \(Quantity.text(unreadable, "file")) in \(folder.path), "
                    + "so that backups of it fail.",
                command: "ls -l \(folder.path.shellWord)"
            )
        }
        guard missing.count > 0 else {
            let away = missing.inBucket > 0 ? "; \(missing.inBucket) of them in a bucket" : ""
            let pictures = Quantity.text(missing.all, "picture")
            return Self(level: .good, subject: "media", message: "\(pictures), each with its files\(away)")
        }
        return Self(
            level: .bad,
            subject: "media",
            message: "Of \(Quantity.text(missing.all, "picture")), \(missing.count) without files in \(folder.path), "
                + "or with other bytes: cards that show them have no image. "
                + "Copy the files from the folder FILE.media of a backup, "
                + "or upload the same pictures again.",
            command: "cp -r FILE.media/. \("\(folder.path)/".shellWord)"
        )
    }
}
