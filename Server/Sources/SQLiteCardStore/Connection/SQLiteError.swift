import CardStore
import GRDB
import GRDBSQLite

/// The error of SQLite instead of doing what it was asked.
struct SQLiteError: Error {
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

/// SQLite's code and words for what went wrong, which carry no data of users.
struct SQLiteReason: CustomStringConvertible {
    /// SQLite's extended code.
    let code: Int32
    private let words: String

    /// Finds the reason of an error, or returns `nil` where SQLite didn't make it.
    init?(_ error: any Error) {
        switch error {
        case let failure as SQLiteError: self.init(failure.code, failure.message)
        case let error as DatabaseError: self.init(error.extendedResultCode.rawValue, error.message ?? "")
        default: return nil
        }
    }

    private init(_ code: Int32, _ words: String) {
        self.code = code
        // A copy fails on a connection of which nobody asked anything: its last words are that there is no error.
        let isAbsent = words.isEmpty || words == String(cString: sqlite3_errstr(SQLITE_OK))
        self.words = isAbsent ? String(cString: sqlite3_errstr(code)) : words
    }

    /// The code without what tells its cases apart.
    var primary: Int32 { code & 0xFF }

    /// Whether the statement is one that the database's tables don't allow.
    var isStatement: Bool { primary == SQLITE_ERROR }

    /// Whether the file is damaged or no database.
    var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }

    /// Whether the index of the log can't grow, for which even a reader needs room.
    var lacksRoomForIndex: Bool { code == SQLITE_IOERR | 19 << 8 }

    var description: String { "SQLite \(code): \(words)" }
}

extension StoreError {
    /// Says in the store's words what went wrong below it.
    init(_ error: any Error) {
        if let reason = SQLiteReason(error) {
            self.init(reason)
            return
        }
        switch error {
        case let error as StoreError: self = error
        case is CancellationError: self.init(.unavailable, "The caller gave up before the store had answered.")
        default: self.init(.unavailable, "The store failed in a way it does not know; see the log, then try again.")
        }
    }

    /// A program was killed while it wrote without a log; only whoever may write can undo that.
    static let unplayedJournal = StoreError(
        .unavailable,
        "A program was killed while it wrote the database, and what it had begun has to be undone, for which the "
            + "database is opened for writing. A server that starts does it, and so does `placard migrate`."
    )

    private init(_ reason: SQLiteReason) {
        switch reason.primary {
        case _ where reason.code == SQLITE_READONLY | 3 << 8: self = .unplayedJournal
        case SQLITE_FULL:
            self.init(.diskFull, "The disk is full (\(reason)). Make room; a server that runs then goes on by itself.")
        case SQLITE_IOERR where reason.lacksRoomForIndex:
            self.init(
                .diskFull,
                "The disk of the database is full: the index of its log has no room (\(reason)). Make room, then try "
                    + "again; a server that runs goes on by itself."
            )
        case SQLITE_IOERR:
            self.init(
                .diskFull,
                "The disk cannot be read or written (\(reason)). Check its space and health; no restart is needed."
            )
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN:
            self.init(
                .unavailable,
                "The database cannot be opened for writing (\(reason)). "
                    + "Check that its folder exists and may be written."
            )
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            self.init(
                .corrupt,
                "The database is damaged or is none (\(reason)). Stop the server, then run `placard restore FILE`."
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
