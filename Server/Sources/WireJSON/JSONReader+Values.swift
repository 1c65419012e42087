import Foundation
import OrderedCollections

extension JSONReader {
    /// Reads a value of any kind.
    public mutating func readValue() throws(JSONError) -> JSONValue {
        switch try peek() {
        case .null:
            try expect("null")
            return .null
        case .bool: return .bool(try readBool())
        case .string: return .string(try readString())
        case .number: return try readNumber()
        case .array:
            var elements: [JSONValue] = []
            try beginArray()
            while try nextElement() { elements.append(try readValue()) }
            return .array(elements)
        case .object:
            var members: OrderedDictionary<String, JSONValue> = [:]
            try beginObject()
            while let key = try nextKey() { members[key.string] = try readValue() }
            return .object(members)
        }
    }

    /// Passes over a value of any kind, checking it.
    public mutating func skipValue() throws(JSONError) {
        switch try peek() {
        case .null: try expect("null")
        case .bool: _ = try readBool()
        case .string:
            let (range, isEscaped) = try scanString()
            _ = try decode(range, isEscaped: isEscaped)
        case .number: _ = try scanNumber()
        case .array:
            try beginArray()
            while try nextElement() { try skipValue() }
        case .object:
            try beginObject()
            while try nextKey() != nil { try skipValue() }
        }
    }

    /// Passes over a value of any kind and returns the bytes it takes up, from the start of the text.
    public mutating func readRange() throws(JSONError) -> Range<Int> {
        skipSpace()
        let start = offset
        try skipValue()
        return start..<offset
    }

    /// Passes over `null` and returns `true`, or does nothing and returns `false`.
    public mutating func readNull() throws(JSONError) -> Bool {
        guard try peek() == .null else { return false }
        try expect("null")
        return true
    }

    /// Reads `true` or `false`.
    public mutating func readBool() throws(JSONError) -> Bool {
        guard try peek() == .bool else { throw error("true or false is expected") }
        if text[offset] == UInt8(ascii: "t") {
            try expect("true")
            return true
        }
        try expect("false")
        return false
    }

    /// Reads a string.
    public mutating func readString() throws(JSONError) -> String {
        guard try peek() == .string else { throw error("A string is expected") }
        let (range, isEscaped) = try scanString()
        return try decode(range, isEscaped: isEscaped)
    }

    /// Reads a string and hands over its bytes where it has no escapes, or `nil` where it has.
    ///
    /// For identifiers and the names of enumerations, which never need a string of their own.
    public mutating func readBytes<Result>(
        _ body: (UnsafeBufferPointer<UInt8>?) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        guard try peek() == .string else { throw error("A string is expected") }
        let (range, isEscaped) = try scanString()
        return try body(isEscaped ? nil : UnsafeBufferPointer(rebasing: text[range]))
    }

    /// Reads a number.
    public mutating func readDouble() throws(JSONError) -> Double {
        guard try peek() == .number else { throw error("A number is expected") }
        return try readNumber().double ?? .nan
    }

    /// Reads a whole number.
    public mutating func readInteger() throws(JSONError) -> Int64 {
        guard try peek() == .number else { throw error("A number is expected") }
        guard let value = try readNumber().integer else { throw error("A whole number is expected") }
        return value
    }

    mutating func expect(_ word: StaticString) throws(JSONError) {
        let count = word.utf8CodeUnitCount
        guard text.count - offset >= count,
            text[offset..<offset + count].elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: count))
        else { throw error("Not a JSON value") }
        offset += count
    }
}

// MARK: Numbers

extension JSONReader {
    private struct Number {
        var range: Range<Int>
        var mantissa: UInt64 = 0
        var digits = 0
        var fraction = 0
        var isNegative = false
        var hasExponent = false
    }

    private mutating func readNumber() throws(JSONError) -> JSONValue {
        let number = try scanNumber()
        if !number.hasExponent, number.digits <= 18 {
            let magnitude = Int64(number.mantissa)
            if number.fraction == 0 { return .integer(number.isNegative ? -magnitude : magnitude) }
            // Both operands are exact below 2^53 and 10^22, so the quotient is the nearest double.
            if number.mantissa < 1 << 53 {
                let value = Double(magnitude) / Self.powersOfTen[number.fraction]
                return .number(number.isNegative ? -value : value)
            }
        }
        return try readLongNumber(number)
    }

    private func readLongNumber(_ number: Number) throws(JSONError) -> JSONValue {
        let spelling = String(decoding: text[number.range], as: UTF8.self)
        if !number.hasExponent, number.fraction == 0, let whole = Int64(spelling) { return .integer(whole) }
        guard let value = Double(spelling), value.isFinite else {
            throw JSONError("The number is too large", at: number.range.lowerBound)
        }
        return .number(value)
    }

    private static let powersOfTen: [Double] = (0...18).map { pow(10, Double($0)) }

    private mutating func scanNumber() throws(JSONError) -> Number {
        let start = offset
        var number = Number(range: start..<start)
        if text[offset] == UInt8(ascii: "-") {
            number.isNegative = true
            offset += 1
        }
        let first = offset
        try scanDigits(&number)
        if offset - first > 1, text[first] == UInt8(ascii: "0") { throw error("A number starts with a zero") }
        if offset < text.count, text[offset] == UInt8(ascii: ".") {
            offset += 1
            let before = offset
            try scanDigits(&number)
            number.fraction = offset - before
        }
        try scanExponent(&number)
        number.range = start..<offset
        return number
    }

    private mutating func scanExponent(_ number: inout Number) throws(JSONError) {
        guard offset < text.count, text[offset] | 0x20 == UInt8(ascii: "e") else { return }
        offset += 1
        number.hasExponent = true
        if offset < text.count, text[offset] == UInt8(ascii: "+") || text[offset] == UInt8(ascii: "-") { offset += 1 }
        var exponent = Number(range: offset..<offset)
        try scanDigits(&exponent)
    }

    private mutating func scanDigits(_ number: inout Number) throws(JSONError) {
        let start = offset
        while offset < text.count, case let digit = text[offset] &- UInt8(ascii: "0"), digit <= 9 {
            number.mantissa = number.mantissa &* 10 &+ UInt64(digit)
            number.digits += 1
            offset += 1
        }
        if offset == start { throw error("A digit is expected") }
    }
}

// MARK: Strings

extension JSONReader {
    mutating func scanString() throws(JSONError) -> (range: Range<Int>, isEscaped: Bool) {
        offset += 1
        let start = offset
        var isEscaped = false
        while offset < text.count {
            switch text[offset] {
            case UInt8(ascii: "\""):
                offset += 1
                return (start..<offset - 1, isEscaped)
            case UInt8(ascii: "\\"):
                isEscaped = true
                offset += 2
            case 0..<0x20: throw error("A control character stands in a string")
            default: offset += 1
            }
        }
        offset = text.count
        throw error("The text ends inside a string")
    }

    func decode(_ range: Range<Int>, isEscaped: Bool) throws(JSONError) -> String {
        let raw = UnsafeBufferPointer(rebasing: text[range])
        if !isEscaped {
            guard let string = String(validating: raw, as: UTF8.self) else {
                throw JSONError("A string is not valid UTF-8", at: range.lowerBound)
            }
            return string
        }
        let bytes = try unescape(raw, at: range.lowerBound)
        guard let string = String(validating: bytes, as: UTF8.self) else {
            throw JSONError("A string is not valid UTF-8", at: range.lowerBound)
        }
        return string
    }

    private func unescape(_ raw: UnsafeBufferPointer<UInt8>, at start: Int) throws(JSONError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var index = 0
        while index < raw.count {
            guard raw[index] == UInt8(ascii: "\\") else {
                bytes.append(raw[index])
                index += 1
                continue
            }
            let problem = JSONError("A string has an escape that JSON does not know", at: start + index)
            guard index + 1 < raw.count else { throw problem }
            if raw[index + 1] == UInt8(ascii: "u") {
                guard let (scalar, length) = Self.unicodeEscape(raw, index) else { throw problem }
                bytes.append(contentsOf: String(Character(scalar)).utf8)
                index += length
            } else {
                guard let byte = Self.simpleEscapes[raw[index + 1]] else { throw problem }
                bytes.append(byte)
                index += 2
            }
        }
        return bytes
    }

    private static let simpleEscapes: [UInt8: UInt8] = [
        UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "b"): 0x08,
        UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]

    private static func unicodeEscape(_ raw: UnsafeBufferPointer<UInt8>, _ index: Int) -> (Unicode.Scalar, Int)? {
        guard let high = hexadecimal(raw, index + 2) else { return nil }
        if let scalar = Unicode.Scalar(high) { return (scalar, 6) }
        guard high < 0xDC00, index + 7 < raw.count, raw[index + 6] == UInt8(ascii: "\\"),
            raw[index + 7] == UInt8(ascii: "u"), let low = hexadecimal(raw, index + 8), 0xDC00...0xDFFF ~= low,
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else { return nil }
        return (scalar, 12)
    }

    private static func hexadecimal(_ raw: UnsafeBufferPointer<UInt8>, _ start: Int) -> UInt32? {
        guard start + 4 <= raw.count else { return nil }
        var value: UInt32 = 0
        for byte in raw[start..<start + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
