import CardStore
import Foundation

/// The files of a database, which only their owner may read.
///
/// SQLite gives `-wal`, `-shm` and `-journal` the permissions of the database, so a file that is created with the right
/// ones keeps all of them private.
enum StoreFiles {
    /// Takes the permissions of other accounts away, before SQLite creates files with the same ones.
    ///
    /// - Parameters:
    ///   - files: The database.
    ///   - secrets: The files of keys. One that root gave to the server's group stays as it is: a command of root's
    ///     would keep the server from it.
    /// - Returns: The files that other accounts could read, and whether they still can.
    static func tighten(_ files: DatabaseFiles, secrets: [String]) -> [SQLiteCardStore.ExposedFile] {
        (all(files) + secrets.filter(PrivateFile.isSecretExposed)).compactMap { file in
            switch PrivateFile.tighten(file) {
            case .none: nil
            case .ended: SQLiteCardStore.ExposedFile(path: file, isStillExposed: false)
            case .remains: SQLiteCardStore.ExposedFile(path: file, isStillExposed: true)
            }
        }
    }

    /// Returns the files that other accounts can read, and changes nothing.
    static func exposed(
        _ files: DatabaseFiles,
        and copies: [String] = [],
        secrets: [String]
    ) -> [SQLiteCardStore.ExposedFile] {
        let exposed = (all(files) + copies).filter(PrivateFile.isExposed)
        return (exposed + secrets.filter(PrivateFile.isSecretExposed)).map {
            SQLiteCardStore.ExposedFile(path: $0, isStillExposed: true)
        }
    }

    /// Returns the copies of a database beside it: those that were made before a migration, and those that a backup
    /// took the place of.
    static func copies(_ files: DatabaseFiles) -> [String] {
        let name = URL(fileURLWithPath: files.main).lastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: files.folder)) ?? []
        return names.filter { $0.hasPrefix("\(name).before-restore-") || $0.hasPrefix("\(name).schema-") }
            .sorted().map { "\(files.folder)/\($0)" }
    }

    /// Whether other accounts can put another file in the place of those in a folder.
    static func isOpenToWriters(_ folder: String) -> Bool {
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
        return isOpenToWriters(status) { AccountGroups.isAlone(in: $0) }
    }

    /// Whether other accounts can put another file in the place of those in a folder with such rights.
    ///
    /// A folder of root's that the group of one account can write to is that account's: so a cluster gives a volume to
    /// its pod (`fsGroup`).
    ///
    /// - Parameters:
    ///   - status: The folder's status.
    ///   - isAlone: Whether this process's account is in a group, and no other one.
    /// - Returns: Whether they can.
    static func isOpenToWriters(_ status: stat, isAlone: (gid_t) -> Bool) -> Bool {
        // In a folder with the sticky bit, such as /tmp, only its owner removes a file.
        guard status.st_mode & S_ISVTX == 0 else { return false }
        if status.st_mode & S_IWOTH != 0 { return true }
        return status.st_mode & S_IWGRP != 0 && (status.st_uid != 0 || !isAlone(status.st_gid))
    }

    private static func all(_ files: DatabaseFiles) -> [String] { [files.main, files.log, files.index, files.journal] }
}

extension SQLiteCardStore {
    /// A file that other accounts of the machine could read when the store was opened.
    public struct ExposedFile: Sendable, Hashable {
        /// The file.
        public let path: String
        /// Whether they still can, because the file belongs to another account.
        public let isStillExposed: Bool
    }
}
