/// A JSON value that keeps the order of its members.
///
/// Whole numbers that fit 64 bits stay whole, so identifiers and counts survive a round trip, and so do amounts of up
/// to 38 digits. A parsed value equals what parsing its ``text`` gives: `5.0` and `5` are both `integer(5)`. Strings
/// and names are compared by their bytes.
public enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number that fits 64 bits.
    case integer(Int64)
    /// Any other number that a `Double` holds, or none holds: its shortest text is the number.
    case number(Double)
    /// A number with at most nine decimals and more digits than a `Double` holds.
    case decimal(ExactDecimal)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object; the last of several members with one name wins.
    case object(JSONObject)
}

extension JSONValue: Hashable {
    /// Returns whether two values are of one kind and the same; strings where their bytes are.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes the kind and the value.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0 as UInt8)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value)
        case .string(let value): value.hashBytes(into: &hasher)
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }
}

extension JSONValue {
    /// The string, or `nil` for any other kind.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The truth value, or `nil` for any other kind; a number is not one.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number, whole or not, or the `Double` that is nearest to it; `nil` for any other kind.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .decimal(let value): value.double
        default: nil
        }
    }

    /// The whole number, or `nil` for any other kind and for a number with a fraction.
    public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        case .decimal(let value): value.integer
        default: nil
        }
    }

    /// The elements, or `nil` for any other kind.
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members in the order of the text, or `nil` for any other kind.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// Whether this is `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The member of that name, or `nil` where there is none or this is not an object.
    public subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }
}

// There is no literal for null: `nil` would be taken for it where an absent value is meant. Say `.null`.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates a truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Creates an object; the last of several members with one name wins.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements, uniquingKeysWith: { _, last in last }))
    }
}

extension JSONValue {
    /// Parses one JSON text.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - maximumDepth: How deep arrays and objects may nest.
    ///   - isUnambiguous: Whether an object with a name that stands in it twice is refused; else the last one counts.
    /// - Throws: `JSONError` with the place of the first problem.
    public init(
        parsing bytes: some Sequence<UInt8>,
        maximumDepth: Int = JSONReader.defaultMaximumDepth,
        isUnambiguous: Bool = false
    )
        throws(JSONError)
    {
        self = try JSONReader.read(bytes, maximumDepth: maximumDepth) { reader throws(JSONError) in
            try reader.readValue(isUnambiguous: isUnambiguous)
        }
    }

    /// Parses one JSON text.
    ///
    /// - Throws: `JSONError` with the place of the first problem.
    public init(parsing text: String) throws(JSONError) {
        try self.init(parsing: text.utf8)
    }

    /// The compact JSON text in UTF-8.
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }

    /// The compact JSON text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}
