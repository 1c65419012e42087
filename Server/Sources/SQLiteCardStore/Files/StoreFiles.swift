import CardStore

/// The files of a database, which only their owner may read.
///
/// SQLite gives `-wal`, `-shm` and `-journal` the permissions of the database, so a file that is created with the right
/// ones keeps all of them private.
enum StoreFiles {
    private static let suffixes = ["", "-wal", "-shm", "-journal"]

    /// Creates the database's file where there is none, and takes the permissions of other accounts away where it is
    /// there.
    ///
    /// - Parameters:
    ///   - path: The database.
    ///   - others: Further files that are to be private.
    /// - Returns: The files that other accounts could read, and whether they still can.
    static func prepare(_ path: String, and others: [String]) -> [SQLiteCardStore.ExposedFile] {
        PrivateFile.createEmpty(path)
        return (suffixes.map { path + $0 } + others).compactMap { file in
            switch PrivateFile.tighten(file) {
            case .none: nil
            case .ended: SQLiteCardStore.ExposedFile(path: file, isStillExposed: false)
            case .remains: SQLiteCardStore.ExposedFile(path: file, isStillExposed: true)
            }
        }
    }
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
