import CardModel
import CardStore
import GRDBSQLite
import WireJSON

/// One statement, prepared once and run many times, on the connection of whoever holds it.
///
/// The hot paths use it in place of GRDB's statements, whose rows and arguments cost more than SQLite itself does.
final class PreparedStatement {
    private let handle: OpaquePointer
    private var bindingFailure: Int32 = SQLITE_OK

    init(_ sql: String, on connection: OpaquePointer) throws(SQLiteError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw SQLiteError(code: code, on: connection) }
        self.handle = handle
    }

    deinit { sqlite3_finalize(handle) }

    /// Lends the statement for one run and resets it afterwards, which ends a read's transaction.
    @inline(__always)
    func use<Value>(_ body: (PreparedStatement) throws -> Value) rethrows -> Value {
        defer { sqlite3_reset(handle) }
        return try body(self)
    }

    /// Steps to the next row, or returns `false` at the end.
    @inline(__always)
    func step() throws(SQLiteError) -> Bool {
        guard bindingFailure == SQLITE_OK else { throw failedBinding() }
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else { throw SQLiteError(code: extendedCode, on: sqlite3_db_handle(handle)) }
        return false
    }

    /// Steps to the end and returns how many rows were changed, by a statement that changes rows.
    @inline(__always)
    @discardableResult
    func run() throws(SQLiteError) -> Int {
        while try step() {}
        return Int(sqlite3_changes(sqlite3_db_handle(handle)))
    }

    private var extendedCode: Int32 { sqlite3_extended_errcode(sqlite3_db_handle(handle)) }

    private func failedBinding() -> SQLiteError {
        defer { bindingFailure = SQLITE_OK }
        return SQLiteError(code: bindingFailure, message: String(cString: sqlite3_errstr(bindingFailure)))
    }
}

// MARK: Parameters, from 1

extension PreparedStatement {
    /// SQLite takes a copy, since the text may be gone before the statement is run.
    // safe: the constant of SQLite that makes it copy
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    @inline(__always)
    func bind(_ index: Int32, _ text: String) {
        var text = text
        text.withUTF8 { utf8 in bindText(index, utf8) }
    }

    func bind(_ index: Int32, _ text: String?) {
        if let text { bind(index, text) } else { bindNull(index) }
    }

    /// Binds text that is in UTF-8 already.
    func bind(_ index: Int32, utf8: [UInt8]?) {
        guard let utf8 else { return bindNull(index) }
        utf8.withUnsafeBufferPointer { bindText(index, $0) }
    }

    func bind(_ index: Int32, blob: [UInt8]) { blob.withUnsafeBytes { bind(index, blob: $0) } }

    @inline(__always)
    func bind(_ index: Int32, blob: UnsafeRawBufferPointer) {
        check(sqlite3_bind_blob64(handle, index, blob.baseAddress, UInt64(blob.count), Self.transient))
    }

    @inline(__always)
    func bind(_ index: Int32, _ number: Int64) { check(sqlite3_bind_int64(handle, index, number)) }

    @inline(__always)
    func bind(_ index: Int32, _ number: Double) { check(sqlite3_bind_double(handle, index, number)) }

    @inline(__always)
    func bind(_ index: Int32, _ truth: Bool) { check(sqlite3_bind_int64(handle, index, truth ? 1 : 0)) }

    func bind(_ index: Int32, _ number: Double?) {
        if let number { bind(index, number) } else { bindNull(index) }
    }

    /// Binds an amount as text: a column of numbers would make a binary fraction of it.
    func bind(_ index: Int32, _ amount: Amount) { bind(index, amount.description) }

    func bindNull(_ index: Int32) { check(sqlite3_bind_null(handle, index)) }

    @inline(__always)
    private func bindText(_ index: Int32, _ utf8: UnsafeBufferPointer<UInt8>) {
        guard let start = utf8.baseAddress else {
            return check(sqlite3_bind_text64(handle, index, "", 0, Self.transient, UInt8(SQLITE_UTF8)))
        }
        start.withMemoryRebound(to: CChar.self, capacity: utf8.count) { text in
            check(sqlite3_bind_text64(handle, index, text, UInt64(utf8.count), Self.transient, UInt8(SQLITE_UTF8)))
        }
    }

    @inline(__always)
    private func check(_ code: Int32) {
        if code != SQLITE_OK { bindingFailure = code }
    }
}

// MARK: Columns, from 0

extension PreparedStatement {
    @inline(__always)
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    @inline(__always)
    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    @inline(__always)
    func bool(_ column: Int32) -> Bool { sqlite3_column_int64(handle, column) != 0 }

    @inline(__always)
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    @inline(__always)
    func text(_ column: Int32) -> String {
        withText(column) { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    func optionalText(_ column: Int32) -> String? {
        withText(column) { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of a text, or `nil` for NULL.
    func bytes(_ column: Int32) -> [UInt8]? { withText(column) { Array($0) } }

    func optionalDouble(_ column: Int32) -> Double? {
        isNull(column) ? nil : double(column)
    }

    /// Reads an amount that was bound as text.
    func amount(_ column: Int32) throws -> Amount {
        guard let amount = (withText(column) { Amount(rounding: $0) } ?? nil) else {
            throw StoreError.unreadable("an amount")
        }
        return amount
    }

    /// Lends the bytes of a blob, none for NULL.
    func withBlob<Value>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        let start = sqlite3_column_blob(handle, column)
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// Lends the bytes of a text, or returns `nil` for NULL.
    @inline(__always)
    func withText<Value>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) throws -> Value) rethrows -> Value? {
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        return try body(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }
}
