import Foundation

/// Writes values one after the other.
///
/// The cache of a feed is read at every start of the app, where decoding JSON would take longer than all else together.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ number: UInt32) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ number: Double) {
        write(number.bitPattern)
    }

    mutating func write(_ text: String) {
        let utf8 = text.utf8
        // safe: no reply has texts of 4 GB
        write(UInt32(utf8.count))
        bytes.append(contentsOf: utf8)
    }

    mutating func write<Value>(optional value: Value?, _ body: (inout ByteWriter, Value) -> Void) {
        bytes.append(value == nil ? 0 : 1)
        if let value { body(&self, value) }
    }

    mutating func write<Values: Collection>(list: Values, _ body: (inout ByteWriter, Values.Element) -> Void) {
        // safe: no reply has lists of billions
        write(UInt32(list.count))
        for value in list { body(&self, value) }
    }
}

/// Reads what a `ByteWriter` wrote, and throws where the bytes end too early.
struct ByteReader {
    struct OverrunError: Error {}

    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes[...]
    }

    mutating func uint32() throws -> UInt32 { UInt32(littleEndian: try load()) }

    mutating func uint64() throws -> UInt64 { UInt64(littleEndian: try load()) }

    /// Reads a number; dates and ratios are finite, or the file was damaged.
    mutating func double() throws -> Double {
        let number = Double(bitPattern: try uint64())
        guard number.isFinite else { throw OverrunError() }
        return number
    }

    mutating func text() throws -> String {
        String(decoding: try take(count()), as: UTF8.self)
    }

    mutating func optional<Value>(_ body: (inout ByteReader) throws -> Value) throws -> Value? {
        try take(1).first == 1 ? body(&self) : nil
    }

    mutating func list<Value>(_ body: (inout ByteReader) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        // No room is made in advance: the count may be false, and a value take many times its bytes.
        for _ in 0..<(try count()) { values.append(try body(&self)) }
        return values
    }

    /// Reads a count of bytes or of values, each of which takes a byte at least: one beyond what is left is none.
    private mutating func count() throws -> Int {
        guard let count = Int(exactly: try uint32()), count <= rest.count else { throw OverrunError() }
        return count
    }

    private mutating func load<Number: FixedWidthInteger>() throws -> Number {
        let bytes = try take(MemoryLayout<Number>.size)
        return UnsafeRawBufferPointer(rebasing: bytes).loadUnaligned(as: Number.self)
    }

    // safe: a count is never negative
    private mutating func take(_ count: Int) throws -> Slice<UnsafeRawBufferPointer> {
        guard count <= rest.count else { throw OverrunError() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
