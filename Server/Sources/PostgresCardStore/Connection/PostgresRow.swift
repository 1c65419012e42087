import CPostgreSQL
import CardModel
import CardStore

/// The result of a statement; freed with the last row of it.
///
/// Sendable without a check because nothing of it changes.
final class PostgresResult: @unchecked Sendable {
    let handle: OpaquePointer
    /// The columns, by name.
    let columns: PostgresColumns

    init(_ handle: OpaquePointer, columns: PostgresColumns?) {
        self.handle = handle
        self.columns = columns ?? PostgresColumns(of: handle)
    }

    deinit { PQclear(handle) }

    var count: Int { Int(PQntuples(handle)) }

    /// The number of rows that a statement changed.
    var changed: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// The command that was done, in the server's words.
    var command: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

    var rows: [PostgresRow] { (0..<PQntuples(handle)).map { PostgresRow(self, $0) } }
    var first: PostgresRow? { count > 0 ? PostgresRow(self, 0) : nil }
}

/// The columns of a statement's rows.
struct PostgresColumns: Sendable {
    struct Column: Sendable {
        let index: Int32
        let type: UInt32
    }

    private let columns: [String: Column]

    init(of result: OpaquePointer) {
        var columns: [String: Column] = [:]
        for index in 0..<PQnfields(result) {
            guard let name = PQfname(result, index) else { continue }
            columns[String(cString: name)] = Column(index: index, type: PQftype(result, index))
        }
        self.columns = columns
    }

    subscript(_ name: String) -> Column? { columns[name] }
}

/// A row, whose columns are read by name.
///
/// What is absent, NULL or of another type is an error, and never ends the process.
struct PostgresRow: StoredRow, Sendable {
    private let result: PostgresResult
    private let index: Int32

    init(_ result: PostgresResult, _ index: Int32) {
        self.result = result
        self.index = index
    }

    // MARK: Values

    func optionalText(_ column: String) throws -> String? {
        try withBytes(column, Self.texts) { EscapedText.string($0) }
    }

    func optionalInteger(_ column: String) throws -> Int64? {
        try withBytes(column, Self.integers) { bytes in
            switch bytes.count {
            case 8: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
            case 4: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
            default: Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
            }
        }
    }

    func optionalDouble(_ column: String) throws -> Double? {
        try withBytes(column, Self.doubles) { bytes in
            Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
        }
    }

    func flag(_ column: String) throws -> Bool {
        let flag = try withBytes(column, Self.booleans) { bytes in bytes.first.map { $0 != 0 } ?? false }
        guard let flag else { throw Self.unreadable(column) }
        return flag
    }

    /// Reads bytes, or the UTF-8 of a text.
    func optionalBytes(_ column: String) throws -> [UInt8]? {
        guard let found = result.columns[column] else { throw Self.unreadable(column) }
        if found.type == 17 { return try withBytes(column, Self.binary) { Array($0) } }
        return try withBytes(column, Self.texts) { EscapedText.restore($0) }
    }

    /// Reads an amount that is kept as a text.
    func amount(_ column: String) throws -> Amount {
        guard let amount = Amount(exactly: try text(column)) else { throw StoreError.unreadable("an amount") }
        return amount
    }

    func isNull(_ name: String) throws -> Bool {
        guard let column = result.columns[name] else { throw Self.unreadable(name) }
        return PQgetisnull(result.handle, index, column.index) != 0
    }

    /// Reads the bytes of a value where they are; `nil` for NULL.
    func withBytes<Value>(
        _ name: String,
        _ types: ColumnTypes = binary,
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) throws -> Value? {
        guard let column = result.columns[name] else { throw Self.unreadable(name) }
        if PQgetisnull(result.handle, index, column.index) != 0 { return nil }
        let count = Int(PQgetlength(result.handle, index, column.index))
        guard let start = PQgetvalue(result.handle, index, column.index), types.contains(column.type, count) else {
            throw Self.unreadable(name)
        }
        return try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    private static func unreadable(_ name: String) -> StoreError { .unreadable("a column \(name)") }
}

/// Types of columns that one Swift type is read from, and the length that their values have.
struct ColumnTypes: Sendable {
    /// The types, the commonest first.
    ///
    /// A list, since each value of each row asks for it: to look at the few there are costs less than to hash one.
    fileprivate let lengths: [(type: UInt32, length: Int?)]

    fileprivate func contains(_ type: UInt32, _ count: Int) -> Bool {
        for known in lengths where known.type == type { return known.length == nil || known.length == count }
        return false
    }
}

extension PostgresRow {
    /// TEXT, VARCHAR, NAME, JSON, CHAR and texts without a type.
    static let texts = ColumnTypes(lengths: [
        (25, nil), (1043, nil), (19, nil), (114, nil), (1042, nil), (705, nil),
    ])
    /// BYTEA.
    static let binary = ColumnTypes(lengths: [(17, nil)])
    fileprivate static let integers = ColumnTypes(lengths: [(20, 8), (23, 4), (21, 2)])
    fileprivate static let doubles = ColumnTypes(lengths: [(701, 8)])
    fileprivate static let booleans = ColumnTypes(lengths: [(16, 1)])
}
