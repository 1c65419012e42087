/// A value of a column in the form that all stores in databases share, so that it can be copied from one to another.
package enum TransferValue: Sendable, Hashable {
    /// No value.
    case null
    /// A whole number, or 0 and 1 for false and true.
    case integer(Int64)
    /// A number.
    case real(Double)
    /// The UTF-8 of a text.
    case text([UInt8])
    /// Bytes that are no text.
    case bytes([UInt8])

    /// The approximate size in memory, in bytes.
    package var size: Int {
        switch self {
        case .null, .integer, .real: 16
        case .text(let bytes), .bytes(let bytes): bytes.count + 16
        }
    }
}

/// Rows and keys as bytes: each value as a tag, a length where it has one, and its content.
package enum TransferCoding {
    private static let lengthBytes = 8

    /// Returns the bytes of values; the same in every process, and different for different values.
    package static func encode(_ values: [TransferValue]) -> [UInt8] {
        var bytes: [UInt8] = []
        // safe: what is in memory
        bytes.reserveCapacity(values.reduce(0) { $0 + $1.size })
        for value in values { append(value, to: &bytes) }
        return bytes
    }

    private static func append(_ value: TransferValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(0)
        case .integer(let number): append(UInt64(bitPattern: number), tag: 1, to: &bytes)
        case .real(let number): append(number.bitPattern, tag: 2, to: &bytes)
        case .text(let text):
            append(UInt64(text.count), tag: 3, to: &bytes)
            bytes.append(contentsOf: text)
        case .bytes(let content):
            append(UInt64(content.count), tag: 4, to: &bytes)
            bytes.append(contentsOf: content)
        }
    }

    private static func append(_ number: UInt64, tag: UInt8, to bytes: inout [UInt8]) {
        bytes.append(tag)
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Returns the values that bytes were made from, or `nil` for other bytes.
    package static func decode(_ bytes: [UInt8]) -> [TransferValue]? {
        var rest = bytes[...]
        var values: [TransferValue] = []
        while let tag = rest.popFirst() {
            guard tag != 0 else {
                values.append(.null)
                continue
            }
            guard rest.count >= lengthBytes else { return nil }
            let number = rest.prefix(lengthBytes).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            rest.removeFirst(lengthBytes)
            switch tag {
            case 1: values.append(.integer(Int64(bitPattern: number)))
            case 2: values.append(.real(Double(bitPattern: number)))
            case 3, 4:
                guard let count = Int(exactly: number), count <= rest.count else { return nil }
                // safe: a count is not negative, and was compared with the rest
                let content = Array(rest.prefix(count))
                // safe: as above
                rest.removeFirst(count)
                values.append(tag == 3 ? .text(content) : .bytes(content))
            default: return nil
            }
        }
        return values
    }
}

/// A row that is being copied, read by the names of its columns.
package struct TransferRow: StoredRow {
    private let columns: [String]
    private let values: [TransferValue]

    /// Creates a row of a table.
    package init(_ values: [TransferValue], of table: TransferTable) {
        columns = table.columns.map(\.name)
        self.values = values
    }

    private func value(_ column: String) throws -> TransferValue {
        guard let place = columns.firstIndex(of: column), values.indices.contains(place) else {
            throw StoreError.unreadable("a row without “\(column)”")
        }
        return values[place]
    }

    package func optionalText(_ column: String) throws -> String? {
        try optionalBytes(column).map { String(decoding: $0, as: UTF8.self) }
    }

    package func optionalInteger(_ column: String) throws -> Int64? {
        switch try value(column) {
        case .integer(let number): number
        case .null: nil
        default: throw StoreError.unreadable("a column \(column)")
        }
    }

    package func optionalDouble(_ column: String) throws -> Double? {
        switch try value(column) {
        case .real(let number): number
        case .null: nil
        default: throw StoreError.unreadable("a column \(column)")
        }
    }

    package func optionalBytes(_ column: String) throws -> [UInt8]? {
        switch try value(column) {
        case .text(let bytes), .bytes(let bytes): bytes
        case .null: nil
        default: throw StoreError.unreadable("a column \(column)")
        }
    }

    package func flag(_ column: String) throws -> Bool { try integer(column) != 0 }
}
