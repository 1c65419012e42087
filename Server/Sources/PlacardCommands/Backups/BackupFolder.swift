import CardModel
import Foundation
import SQLiteCardStore

/// A folder of backups of a database, of which the newest ones are kept.
struct BackupFolder {
    /// A backup that was made.
    struct Made {
        let path: String
        /// The contents of the backup.
        let contents: SQLiteCardStore.Contents
        /// The pictures of the media library that it has.
        let pictures: SQLiteCardStore.BackedUpPictures
        /// The paths of the older ones that were removed.
        let removed: [String]
        /// The paths of those that couldn't be removed.
        let left: [String]
    }

    /// The time that a backup can be ahead of the clock, in seconds.
    static let tolerance = 60.0
    /// The number of seconds after the present one that can be in a name, where others have theirs.
    private static let secondsAhead = 30

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
    /// Nothing is removed before the new copy has proved to be good and its pictures are beside it, and nothing where
    /// the media library has lost some or rows are damaged: older copies may have them. Several that run at once make
    /// a copy each, one after the other, so that the disk needs room for one more copy than are kept.
    ///
    /// - Parameters:
    ///   - kept: How many copies stay.
    ///   - clock: Returns the time, once no other command writes into the folder.
    ///   - onWait: Is called where another one does.
    /// - Returns: What was made.
    /// - Throws: What keeps the copy from being made.
    func backUp(keeping kept: Int, at clock: () -> UnixTime, onWait: () -> Void = {}) async throws -> Made {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandError("\(path) is no folder. Create it, on another disk than the database.")
        }
        let turn = FolderTurn(path)
        if let turn, !turn.isTaken {
            onWait()
            await turn.wait()
        }
        defer { turn?.end() }
        let (copy, time) = try freeName(at: clock())
        let (contents, pictures) = try await SQLiteCardStore.backUpVerified(databaseAt: database, to: copy)
        let isWhole = pictures.missing == 0 && contents.flaws.isEmpty
        let (removed, left) = isWhole ? try rotate(keeping: kept, until: time) : ([], [])
        return Made(path: copy, contents: contents, pictures: pictures, removed: removed, left: left)
    }

    /// Returns the path of a copy that is made at a time, and that time.
    ///
    /// It is later than that of any other copy: one that was removed a moment ago leaves its name to no newer one.
    private func freeName(at now: UnixTime) throws -> (path: String, time: UnixTime) {
        let seconds = (0..<Self.secondsAhead).map { now + Double($0) }
        let free = seconds.reversed().prefix { !FileManager.default.fileExists(atPath: path(of: names.name(at: $0))) }
        guard let second = free.last else {
            throw CommandError("\(path) has backups of this second and of those after it. Check the clock.")
        }
        let name = names.name(at: second)
        guard let time = names.time(of: name) else {
            throw CommandError("The clock says \(Timestamp.text(of: now)). Set it.")
        }
        return (path(of: name), time)
    }

    /// Returns when the newest backup was made, or `nil` where there is none.
    ///
    /// One that is ahead of the clock counts only where there is no other.
    func newest(at now: UnixTime) throws -> UnixTime? {
        let times = try backups().compactMap(names.time(of:))
        return times.filter { $0 <= now + Self.tolerance }.max() ?? times.min()
    }

    /// The paths of what is named as backups of the database are; none where the folder can't be read.
    var files: [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return all.filter { names.time(of: $0) != nil }.sorted().map(path(of:))
    }

    /// Returns the names of the backups, which are files: whatever else has such a name wasn't made by the command.
    ///
    /// Another database may have the same file name, such as a staging server's that keeps its backups on the same
    /// disk: a file counts where its content is a copy of this one's. Where this one can't be read, names alone are
    /// known.
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
