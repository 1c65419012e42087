import CardStore

/// A row whose columns a test writes, and damages: one that is being copied, which knows the kinds of its values.
struct SampleRow: StoredRow {
    private(set) var values: [String: TransferValue]

    init(_ values: [String: TransferValue]) { self.values = values }

    /// Values that no store writes, of every kind.
    static let hostileValues: [TransferValue] = [
        .null, .integer(.min), .integer(-1), .integer(0), .integer(.max), .real(.nan), .real(.infinity),
        .real(-.infinity), .real(-1e300), .real(1e300), .text([]), .text([0xFF, 0x00, 0xC3]), .bytes([]),
        .bytes(Array(repeating: 0x80, count: 40)), .string("{}"), .string("[null]"), .string("e\u{301}"),
        .string(String(repeating: "[", count: 2_000)),
    ]

    /// Returns the row with another value in a column.
    func with(_ column: String, _ value: TransferValue) -> SampleRow {
        var row = self
        row.values[column] = value
        return row
    }

    /// Returns the row without a column, as of an older version.
    func without(_ column: String) -> SampleRow {
        var row = self
        row.values[column] = nil
        return row
    }

    /// Returns the columns that may not be NULL.
    func required<Value>(_ read: (SampleRow) throws -> Value) -> Set<String> {
        Set(values.keys.filter { column in !Self.isRead(with(column, .null), read) })
    }

    /// Returns whether a row can be read.
    static func isRead<Value>(_ row: SampleRow, _ read: (SampleRow) throws -> Value) -> Bool {
        do {
            _ = try read(row)
            return true
        } catch {
            return false
        }
    }

    private var row: TransferRow {
        let names = values.keys.sorted()
        let table = TransferTable("sample", columns: names.map { TransferTable.Column($0, .bytes) }, key: [])
        return TransferRow(names.map { values[$0] ?? .null }, of: table)
    }

    func optionalText(_ column: String) throws -> String? { try row.optionalText(column) }

    func optionalInteger(_ column: String) throws -> Int64? { try row.optionalInteger(column) }

    func optionalDouble(_ column: String) throws -> Double? { try row.optionalDouble(column) }

    func optionalBytes(_ column: String) throws -> [UInt8]? { try row.optionalBytes(column) }

    func flag(_ column: String) throws -> Bool { try row.flag(column) }
}

extension TransferValue {
    /// A text.
    static func string(_ text: String) -> TransferValue { .text(Array(text.utf8)) }
}
