/// A value that can be a parameter of a statement.
///
/// The type of a parameter follows from the Swift type, also where the value is `nil`, so that a statement is prepared
/// once.
protocol PostgresEncodable: Sendable {
    /// The object id of the PostgreSQL type.
    static var postgresType: UInt32 { get }
    /// Appends the parameter in the binary format.
    func append(to parameters: inout PostgresParameters)
}

/// A value that can be an element of an array.
protocol PostgresElement: PostgresEncodable {
    /// The object id of the type of arrays.
    static var postgresArrayType: UInt32 { get }
    /// Whether the value is NULL.
    var isNull: Bool { get }
    /// Appends the value in the binary format.
    func encode(into bytes: inout [UInt8])
}

extension PostgresElement {
    var isNull: Bool { false }

    func append(to parameters: inout PostgresParameters) {
        parameters.append(Self.postgresType) { encode(into: &$0) }
    }
}

/// The parameters of one call.
struct PostgresParameters {
    /// The values, one after the other; never empty, so that an empty value has an address.
    private(set) var bytes: [UInt8] = [0]
    /// The positions at which the values begin, or -1 for NULL.
    private(set) var offsets: [Int] = []
    private(set) var lengths: [Int32] = []
    private(set) var types: [UInt32] = []

    init(_ values: [any PostgresEncodable]) {
        offsets.reserveCapacity(values.count)
        lengths.reserveCapacity(values.count)
        types.reserveCapacity(values.count)
        for value in values { value.append(to: &self) }
    }

    mutating func append(_ type: UInt32, _ encode: (inout [UInt8]) -> Void) {
        let start = bytes.count
        encode(&bytes)
        offsets.append(start)
        lengths.append(Int32(clamping: bytes.count - start))
        types.append(type)
    }

    mutating func appendNull(_ type: UInt32) {
        offsets.append(-1)
        lengths.append(0)
        types.append(type)
    }
}

extension [UInt8] {
    /// Appends a number, the most significant byte first.
    mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}

extension String: PostgresElement {
    static var postgresType: UInt32 { 25 }
    static var postgresArrayType: UInt32 { 1009 }

    func encode(into bytes: inout [UInt8]) {
        var text = self
        text.withUTF8 { EscapedText.append($0, to: &bytes) }
    }
}

extension Int64: PostgresElement {
    static var postgresType: UInt32 { 20 }
    static var postgresArrayType: UInt32 { 1016 }

    func encode(into bytes: inout [UInt8]) { bytes.append(bigEndian: self) }
}

extension Int: PostgresElement {
    static var postgresType: UInt32 { 20 }
    static var postgresArrayType: UInt32 { 1016 }

    func encode(into bytes: inout [UInt8]) { bytes.append(bigEndian: Int64(self)) }
}

extension Double: PostgresElement {
    static var postgresType: UInt32 { 701 }
    static var postgresArrayType: UInt32 { 1022 }

    func encode(into bytes: inout [UInt8]) { bytes.append(bigEndian: bitPattern) }
}

extension Bool: PostgresElement {
    static var postgresType: UInt32 { 16 }
    static var postgresArrayType: UInt32 { 1000 }

    func encode(into bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
}

/// Makes an array of bytes a parameter of the type BYTEA.
extension UInt8: PostgresElement {
    static var postgresType: UInt32 { 18 }
    static var postgresArrayType: UInt32 { 17 }

    func encode(into bytes: inout [UInt8]) { bytes.append(self) }
}

/// UTF-8 that is kept in a column of text, such as JSON.
struct UTF8Text: PostgresElement {
    static var postgresType: UInt32 { String.postgresType }
    static var postgresArrayType: UInt32 { String.postgresArrayType }

    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns `nil` for no bytes.
    init?(_ bytes: [UInt8]?) {
        guard let bytes else { return nil }
        self.bytes = bytes
    }

    func encode(into bytes: inout [UInt8]) {
        self.bytes.withUnsafeBufferPointer { EscapedText.append($0, to: &bytes) }
    }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    static var postgresType: UInt32 { Wrapped.postgresType }

    func append(to parameters: inout PostgresParameters) {
        switch self {
        case .some(let value): value.append(to: &parameters)
        case .none: parameters.appendNull(Wrapped.postgresType)
        }
    }
}

extension Optional: PostgresElement where Wrapped: PostgresElement {
    static var postgresArrayType: UInt32 { Wrapped.postgresArrayType }

    var isNull: Bool { self == nil }

    func encode(into bytes: inout [UInt8]) { self?.encode(into: &bytes) }
}

extension Array: PostgresEncodable where Element: PostgresElement {
    static var postgresType: UInt32 { Element.postgresArrayType }

    func append(to parameters: inout PostgresParameters) {
        parameters.append(Self.postgresType) { encode(into: &$0) }
    }
}

extension Array: PostgresElement where Element: PostgresElement {
    /// The type of arrays of the elements: of what is an array itself there are only arrays of bytes.
    static var postgresArrayType: UInt32 { Element.self == UInt8.self ? 1001 : 0 }

    func encode(into bytes: inout [UInt8]) {
        // An empty array can be cast to any other, so its type is asked for first.
        if Element.self == UInt8.self, let raw = self as? [UInt8] { return bytes.append(contentsOf: raw) }
        // Whoever encodes a parameter doesn't know its type, and code for any type is many times slower than code for
        // one: events come as arrays of these.
        if Element.self == String.self, let texts = self as? [String] { return texts.encodeElements(into: &bytes) }
        if Element.self == String?.self, let texts = self as? [String?] { return texts.encodeElements(into: &bytes) }
        if Element.self == [UInt8].self, let blobs = self as? [[UInt8]] { return blobs.encodeElements(into: &bytes) }
        if Element.self == Double.self, let times = self as? [Double] { return times.encodeElements(into: &bytes) }
        if Element.self == Int64.self, let numbers = self as? [Int64] { return numbers.encodeElements(into: &bytes) }
        if Element.self == Bool.self, let flags = self as? [Bool] { return flags.encodeElements(into: &bytes) }
        if Element.self == UTF8Text?.self, let texts = self as? [UTF8Text?] {
            return texts.encodeElements(into: &bytes)
        }
        encodeElements(into: &bytes)
    }

    @inline(__always)
    private func encodeElements(into bytes: inout [UInt8]) {
        // Dimensions, whether elements are NULL, their type; of the only dimension the length and the first index.
        bytes.append(bigEndian: Int32(isEmpty ? 0 : 1))
        bytes.append(bigEndian: Int32(contains { $0.isNull } ? 1 : 0))
        bytes.append(bigEndian: Element.postgresType)
        guard !isEmpty else { return }
        bytes.append(bigEndian: Int32(clamping: count))
        bytes.append(bigEndian: Int32(1))
        for element in self { Self.append(element, to: &bytes) }
    }

    @inline(__always)
    private static func append(_ element: Element, to bytes: inout [UInt8]) {
        if element.isNull { return bytes.append(bigEndian: Int32(-1)) }
        let place = bytes.count
        bytes.append(bigEndian: Int32(0))
        element.encode(into: &bytes)
        Swift.withUnsafeBytes(of: Int32(clamping: bytes.count - place - 4).bigEndian) { length in
            // safe: the four bytes above
            for index in 0..<4 { bytes[place + index] = length[index] }
        }
    }
}
