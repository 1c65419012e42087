import CardModel
import Foundation
import SQLiteCardStore

/// A folder of backups of a database, of which the newest ones are kept.
struct BackupFolder {
    /// A backup that was made.
    struct Made {
        let path: String
        /// What it holds.
        let contents: SQLiteCardStore.Contents
        /// What it has of the media library.
        let pictures: SQLiteCardStore.BackedUpPictures
        /// The paths of the older ones that were removed.
        let removed: [String]
        /// The paths of those that couldn't be removed.
        let left: [String]
    }

    /// How far ahead of the clock a backup may be, in seconds.
    static let tolerance = 60.0

    private let path: String
    private let database: String
    private let names: BackupNames

    init(_ path: String, of database: String) {
        self.path = path
        self.database = database
        names = BackupNames(database: database)
    }

    /// Backs the database up, checks every page of the copy, and removes the oldest copies.
    ///
    /// Nothing is removed before the new copy has proved to be good and its pictures are beside it, and nothing where the
    /// media library has lost some: older copies may have them. Two that run at once make a copy each.
    func backUp(keeping kept: Int, at now: UnixTime) async throws -> Made {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandFailure("\(path) is no folder. Create it, on another disk than the database.")
        }
        let name = names.name(at: now)
        guard let time = names.time(of: name) else {
            throw CommandFailure("The clock says \(Timestamp.text(of: now)). Set it.")
        }
        let copy = self.path(of: name)
        let (contents, pictures) = try await SQLiteCardStore.backUpVerified(databaseAt: database, to: copy)
        let (removed, left) = pictures.missing > 0 ? ([], []) : try rotate(keeping: kept, until: time)
        return Made(path: copy, contents: contents, pictures: pictures, removed: removed, left: left)
    }

    /// Returns when the newest backup was made, or `nil` where there is none.
    ///
    /// One that is ahead of the clock counts only where there is no other.
    func newest(at now: UnixTime) throws -> UnixTime? {
        let times = try backups().compactMap(names.time(of:))
        return times.filter { $0 <= now + Self.tolerance }.max() ?? times.min()
    }

    /// Returns the names of the backups, which are files: whatever else has such a name wasn't made by the command.
    ///
    /// Another database may have the same file name, such as a staging server's that keeps its backups on the same disk:
    /// a file counts where its content is a copy of this one's. Where this one can't be read, names alone are known.
    private func backups() throws -> [String] {
        let origin = SQLiteCardStore.origin(ofDatabaseAt: database)
        return try FileManager.default.contentsOfDirectory(atPath: path).filter { name in
            guard names.time(of: name) != nil else { return false }
            let type = try? FileManager.default.attributesOfItem(atPath: path(of: name))[.type] as? FileAttributeType
            guard type == .typeRegular else { return false }
            return origin == nil || SQLiteCardStore.origin(ofDatabaseAt: path(of: name)) == origin
        }
    }

    private func rotate(keeping kept: Int, until newest: UnixTime) throws -> (removed: [String], left: [String]) {
        // Without it, copies of another database might be removed.
        guard SQLiteCardStore.origin(ofDatabaseAt: database) != nil else { return ([], []) }
        let surplus = names.surplus(try backups(), keeping: kept, until: newest).map(path(of:))
        let left = surplus.filter { !remove($0) }
        return (surplus.filter { !left.contains($0) }, left)
    }

    /// Removes a backup and then its pictures, and returns whether both are gone.
    private func remove(_ backup: String) -> Bool {
        // Another command may have removed it already.
        guard unlink(backup) == 0 || errno == ENOENT else { return false }
        let pictures = SQLiteCardStore.mediaPath(of: backup)
        try? FileManager.default.removeItem(atPath: pictures)
        return !FileManager.default.fileExists(atPath: pictures)
    }

    private func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }
}
