import Foundation

/// Holds any JSON value: what the properties of a custom event or a purchase are made of.
///
/// Write it as literals: `["plan": "gold", "seats": 3, "trial": false]`.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A number with a fraction. A value that is not finite is sent as `null`.
    case number(Double)
    /// Text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// An object.
    case object([String: JSONValue])
}

extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// Creates a boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Creates an object; of equal keys the last one counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
    /// Creates `null`.
    public init(nilLiteral: ()) { self = .null }
}

extension JSONValue: Codable {
    /// Decodes whatever JSON is there.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode([String: JSONValue].self) {
            self = .object(value)
        } else {
            self = .array(try container.decode([JSONValue].self))
        }
    }

    /// Encodes the value as plain JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue {
    /// The compact JSON text, with keys in order, so that equal values have equal texts.
    var text: String {
        var output = ""
        write(to: &output)
        return output
    }

    func write(to output: inout String) {
        switch self {
        case .null: output += "null"
        case .bool(let value): output += value ? "true" : "false"
        case .integer(let value): output += String(value)
        case .number(let value): output += JSONText.number(value)
        case .string(let value): JSONText.write(value, to: &output)
        case .array(let values): Self.write(values, to: &output)
        case .object(let values): Self.write(values, to: &output)
        }
    }

    private static func write(_ values: [JSONValue], to output: inout String) {
        output += "["
        for (index, value) in values.enumerated() {
            if index > 0 { output += "," }
            value.write(to: &output)
        }
        output += "]"
    }

    private static func write(_ values: [String: JSONValue], to output: inout String) {
        output += "{"
        for (index, key) in values.keys.sorted().enumerated() {
            if index > 0 { output += "," }
            JSONText.write(key, to: &output)
            output += ":"
            (values[key] ?? .null).write(to: &output)
        }
        output += "}"
    }
}

/// Writes JSON by hand: an event is encoded inside the log call, where an encoder would cost more than the disk.
enum JSONText {
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return "null" }
        if let whole = Int64(exactly: value) { return String(whole) }
        return String(value)
    }

    static func write(_ text: String, to output: inout String) {
        output += "\""
        if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
            for scalar in text.unicodeScalars { write(scalar, to: &output) }
        } else {
            output += text
        }
        output += "\""
    }

    private static func write(_ scalar: Unicode.Scalar, to output: inout String) {
        switch scalar {
        case "\"": output += "\\\""
        case "\\": output += "\\\\"
        case "\n": output += "\\n"
        case "\r": output += "\\r"
        case "\t": output += "\\t"
        case _ where scalar.value < 0x20:
            let hexadecimal = String(scalar.value, radix: 16)
            // safe: what is below 32 has two digits at most
            output += "\\u" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
        default: output.unicodeScalars.append(scalar)
        }
    }
}
