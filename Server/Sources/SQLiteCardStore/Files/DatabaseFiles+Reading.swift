import CardStore
import Foundation

// What this account can read of a database, and how.
extension DatabaseFiles {
    /// The flag of a file system that is mounted read-only.
    private static let readOnlyFlag = 1

    /// Returns whether there is a file.
    ///
    /// - Throws: `StoreError.unavailable` where this account isn't allowed to look: it may well be there.
    func exists() throws(StoreError) -> Bool {
        if access(main, F_OK) == 0 { return true }
        let reason = errno
        guard reason == ENOENT else { throw Self.unreadable(main, reason) }
        return false
    }

    /// Throws where this account can't read what is there; nothing is thrown of a database that isn't there.
    ///
    /// - Throws: `StoreError.unavailable` with what to do.
    func requireReadable() throws(StoreError) {
        for path in [main, log, index, journal] where access(path, R_OK) != 0 {
            let reason = errno
            if reason != ENOENT { throw Self.unreadable(path, reason) }
        }
        guard isOnReadOnlyDisk, hasLog, access(index, F_OK) != 0 else { return }
        throw StoreError(
            .unavailable,
            "\(log) holds changes that can't be read on a disk that is mounted read-only. Mount it for writing, or "
                + "copy \(main), \(log) and, where it is there, \(main).key into a folder on another disk, and name "
                + "the copy with --database."
        )
    }

    // MARK: Folders

    /// Returns what is said where files have to be created beside the database, and this account isn't allowed to write
    /// to their folder.
    ///
    /// SQLite needs them for whoever reads, too.
    ///
    /// - Parameter isWritable: Returns whether this account may create files in a folder.
    /// - Returns: What is in the way and what to do, or `nil` where nothing is.
    func folderObstacle(isWritable: (String) -> Bool = { access($0, W_OK | X_OK) == 0 }) -> StoreError? {
        let files: [String] = [main, log, index, lock]
        let missing = files.first { access($0, F_OK) != 0 && errno == ENOENT }
        guard let missing, access(folder, F_OK) == 0, !isOnReadOnlyDisk, !isWritable(folder) else { return nil }
        let reason = "This account can't write to the folder \(folder), where \(missing) has to be created"
        let owner = Self.owner(of: folder)
        guard owner.id != geteuid() else {
            return StoreError(.unavailable, "\(reason), although it owns the folder: `chmod u+rwx \(folder)`.")
        }
        return StoreError(
            .unavailable,
            "\(reason). Run this as the account that owns the folder, such as `sudo -u \(owner.name) placard …`, "
                + "or give the folder to the account that runs the server: `chown ACCOUNT \(folder)`."
        )
    }

    /// Returns an error, or what is in the way of writing to the folder where that explains it.
    func explained(_ error: StoreError) -> StoreError {
        guard error.code == .unavailable, error != .unplayedJournal else { return error }
        return folderObstacle() ?? error
    }

    // MARK: Disks that are mounted read-only

    /// Whether the file system of the folder is mounted read-only.
    var isOnReadOnlyDisk: Bool {
        var status = statvfs()
        return statvfs(folder, &status) == 0 && Int(truncatingIfNeeded: status.f_flag) & Self.readOnlyFlag != 0
    }

    /// Whether all of the database is in its file, which nobody changes.
    ///
    /// SQLite reads a database with a log by an index that it would create. Where it can't, and there is no log to be
    /// read, it may rely on a file that stays as it is.
    var isFrozen: Bool {
        guard main.hasPrefix("/"), !hasLog, access(journal, F_OK) != 0, isOnReadOnlyDisk else { return false }
        // A server beyond another mount of the disk has both, and SQLite then reads by its index.
        return access(log, F_OK) != 0 || access(index, F_OK) != 0
    }

    /// The path that a connection that only reads opens.
    var readingPath: String {
        guard isFrozen, let path = main.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) else {
            return main
        }
        _ = SQLiteLibrary.acceptsAddresses
        return "file://\(path)?immutable=1"
    }

    // MARK: What is said

    private static func unreadable(_ path: String, _ reason: Int32) -> StoreError {
        let message =
            switch reason {
            case EACCES, EPERM: forbidden(path)
            case ENOTDIR: "\(path) can't be there: a part of the path is a file, and no folder. Check the path."
            default: "\(path) can't be looked at (\(String(cString: strerror(reason)))). Check the path and its disk."
            }
        return StoreError(.unavailable, message)
    }

    private static func forbidden(_ path: String) -> String {
        let owner = owner(of: path)
        guard owner.id != geteuid() else {
            return "This account can't read \(path), although it owns it: see the permissions of the file and of the "
                + "folders above it (`namei -l \(path)`)."
        }
        return "This account can't read \(path): run the command as the account that owns it, such as "
            + "`sudo -u \(owner.name) placard …`."
    }

    /// Returns who owns a file or, where that can't be told, the innermost folder above it that can be looked at.
    private static func owner(of path: String) -> (id: uid_t, name: String) {
        var status = stat()
        var place = URL(fileURLWithPath: path)
        while stat(place.path, &status) != 0, place.path != "/" { place = place.deletingLastPathComponent() }
        let name = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) }
        return (status.st_uid, name ?? "#\(status.st_uid)")
    }
}

extension SQLiteCardStore {
    /// Returns whether there is a database.
    ///
    /// - Parameter path: The file.
    /// - Returns: Whether it is there.
    /// - Throws: `StoreError.unavailable` where this account isn't allowed to look.
    public static func exists(at path: String) throws(StoreError) -> Bool { try DatabaseFiles(path).exists() }
}
