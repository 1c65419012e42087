/// Writes compact JSON into a byte array.
///
/// Commas between members and elements are the caller's, except in ``write(_:)``: the hot paths know their shape, and
/// a writer that keeps a stack would cost them more than the text itself.
public struct JSONWriter: Sendable {
    /// The text so far, in UTF-8.
    public var bytes: [UInt8]

    /// Creates a writer with room for a text of that many bytes.
    public init(capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Appends text that is JSON already.
    @inlinable
    public mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends bytes that are JSON already.
    @inlinable
    public mutating func raw(_ text: [UInt8]) {
        bytes.append(contentsOf: text)
    }

    /// Appends a string with its quotes.
    public mutating func string(_ value: String) {
        var value = value
        value.withUTF8 { utf8 in string(utf8: utf8) }
    }

    /// Appends a whole number.
    @inlinable
    public mutating func integer(_ value: some BinaryInteger) {
        digits(UInt64(value.magnitude), isNegative: value < 0)
    }

    /// Appends a number, without a fraction where it has none; one that JSON cannot say becomes `null`.
    public mutating func number(_ value: Double) {
        guard value.isFinite else { return raw("null") }
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 {
            integer(whole)
        } else if let thousandths = Int64(exactly: (value * 1_000).rounded()), thousandths.magnitude < 1 << 53,
            Double(thousandths) / 1_000 == value
        {
            // Times and prices: many times quicker than the search for the shortest text of any number.
            digits(ofThousandths: thousandths)
        } else if value.magnitude < 1e-4, let exact = ExactDecimal(exactly: value) {
            // Small amounts in digits, as large ones are.
            decimal(exact)
        } else {
            bytes.append(contentsOf: value.description.utf8)
        }
    }

    /// Appends a number to its last digit.
    public mutating func decimal(_ value: ExactDecimal) {
        bytes.append(contentsOf: value.description.utf8)
    }

    /// Appends `true` or `false`.
    public mutating func bool(_ value: Bool) {
        value ? raw("true") : raw("false")
    }

    /// Appends a whole value.
    public mutating func write(_ value: JSONValue) {
        switch value {
        case .null: raw("null")
        case .bool(let value): bool(value)
        case .integer(let value): integer(value)
        case .number(let value): number(value)
        case .decimal(let value): decimal(value)
        case .string(let value): string(value)
        case .array(let elements): write(elements)
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            var isFirst = true
            for (name, member) in members {
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                string(name)
                bytes.append(UInt8(ascii: ":"))
                write(member)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private mutating func write(_ elements: [JSONValue]) {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Appends the digits of a whole number.
    @usableFromInline
    mutating func digits(_ magnitude: UInt64, isNegative: Bool) {
        if isNegative { bytes.append(UInt8(ascii: "-")) }
        // safe: it is a digit
        guard magnitude > 9 else { return bytes.append(UInt8(ascii: "0") + UInt8(magnitude)) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
            var rest = magnitude
            var start = 20
            repeat {
                start -= 1
                // safe: 64 bits have twenty digits at most, each below 10
                buffer[start] = UInt8(truncatingIfNeeded: rest % 10) + UInt8(ascii: "0")
                rest /= 10
            } while rest > 0
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[start...]))
        }
    }

    // safe: what is left is below 1,000, and the place goes from 100 to 1
    private mutating func digits(ofThousandths number: Int64) {
        let (whole, fraction) = number.magnitude.quotientAndRemainder(dividingBy: 1_000)
        digits(whole, isNegative: number < 0)
        bytes.append(UInt8(ascii: "."))
        var (rest, place) = (fraction, UInt64(100))
        while rest > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(rest / place))
            (rest, place) = (rest % place, place / 10)
        }
    }

    // safe: a run ends where it begins or behind that
    private mutating func string(utf8: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        var clean = 0
        var ignored: UInt64 = 0
        while true {
            let stop = EightBytes.endOfRun(in: utf8, from: clean, seen: &ignored)
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[clean..<stop]))
            guard stop < utf8.count else { break }
            escape(utf8[stop])
            clean = stop + 1
        }
        bytes.append(UInt8(ascii: "\""))
    }

    // safe: half a byte is below 16
    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x22: raw("\\\"")
        case 0x5C: raw("\\\\")
        case 0x0A: raw("\\n")
        case 0x0D: raw("\\r")
        case 0x09: raw("\\t")
        default:
            raw("\\u00")
            for digit in [byte >> 4, byte & 0x0F] {
                bytes.append(digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a"))
            }
        }
    }
}
