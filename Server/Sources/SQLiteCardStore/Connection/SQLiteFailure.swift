import CardStore
import GRDB
import GRDBSQLite

/// What SQLite said instead of doing what it was asked.
struct SQLiteFailure: Error {
    /// The extended result code.
    let code: Int32
    /// SQLite's own words, which carry no data of users.
    let message: String

    init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    init(code: Int32, on connection: OpaquePointer?) {
        self.code = code
        message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? String(cString: sqlite3_errstr(code))
    }

    /// Whether the connection's file is not what it was when it was opened, so that a new connection is in order.
    var spoilsConnection: Bool {
        switch code & 0xFF {
        case SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CANTOPEN: true
        default: false
        }
    }
}

extension StoreError {
    /// Says in the store's words what went wrong below it.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let failure as SQLiteFailure: self.init(code: failure.code, message: failure.message)
        case let error as DatabaseError:
            self.init(code: error.extendedResultCode.rawValue, message: error.message ?? "")
        case is CancellationError: self.init(.unavailable, "The caller gave up before the store had answered.")
        default: self.init(.unavailable, "The store failed in a way it does not know; see the log, then try again.")
        }
    }

    private init(code: Int32, message: String) {
        let reason = "SQLite \(code)" + (message.isEmpty ? "" : ": \(message)")
        switch code & 0xFF {
        case SQLITE_FULL:
            self.init(.diskFull, "The disk is full (\(reason)). Free some space; the store then works on by itself.")
        case SQLITE_IOERR:
            self.init(
                .diskFull,
                "The disk cannot be read or written (\(reason)). Check its space and health; no restart is needed."
            )
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN:
            self.init(
                .unavailable,
                "The database cannot be opened for writing (\(reason)). Check that its folder exists and may be written."
            )
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            self.init(
                .corrupt,
                "The database is damaged or is none (\(reason)). Stop the server and put the last backup in its place."
            )
        case SQLITE_CONSTRAINT:
            self.init(.conflict, "The change contradicts what is stored (\(reason)). Read again, then try again.")
        case SQLITE_BUSY, SQLITE_LOCKED:
            self.init(.unavailable, "Another process holds the database (\(reason)). Try again in a moment.")
        case SQLITE_MISUSE:
            self = .closed
        default:
            self.init(.unavailable, "The database did not answer (\(reason)). Try again; see `doctor` if it persists.")
        }
    }
}

/// Runs a body and turns whatever it throws into a `StoreError`.
func translatingErrors<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
    do { return try body() } catch { throw StoreError(error) }
}
