import GRDB
import GRDBSQLite

/// The mark of a database as its file has it by now, whatever is in the log and in memory.
///
/// The file is read by the connection's own descriptor: closing another one would release SQLite's locks.
enum FileMark {
    /// The position of the mark, `user_version`, in the file.
    private static let offset: sqlite3_int64 = 60

    /// Reads the mark, or returns `nil` where it can't be read, as of a file that is empty yet.
    static func read(by database: Database) -> UInt32? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard let connection = database.sqliteConnection,
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
            let methods = file.pointee.pMethods, let read = methods.pointee.xRead
        else { return nil }
        var bytes: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
        let code = withUnsafeMutableBytes(of: &bytes) { read(file, $0.baseAddress, 4, offset) }
        guard code == SQLITE_OK else { return nil }
        return [bytes.0, bytes.1, bytes.2, bytes.3].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
