/// The id of a trace: all that programs did for one request.
struct TraceID: Sendable, Hashable {
    let high: UInt64
    /// The half whose lower 56 bits count as random, by W3C Trace Context.
    let low: UInt64

    /// The 32 digits.
    var text: String { HexadecimalDigits.text(of: high) + HexadecimalDigits.text(of: low) }
}

/// The id of a span of a trace.
struct SpanID: Sendable, Hashable {
    let rawValue: UInt64

    /// The 16 digits.
    var text: String { HexadecimalDigits.text(of: rawValue) }
}

/// Sixteen lowercase hexadecimal digits.
enum HexadecimalDigits {
    private static let count = 16

    /// Returns the digits of a number.
    static func text(of number: UInt64) -> String {
        String(unsafeUninitializedCapacity: count) { buffer in
            for index in 0..<count {
                // safe: four bits, of sixteen digits
                let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - index * 4)) & 0xF
                // safe: one of sixteen digits
                buffer[index] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            }
            return count
        }
    }

    /// Returns the number of sixteen digits, or `nil` for anything else.
    static func number(_ digits: some Collection<UInt8>) -> UInt64? {
        guard digits.count == count else { return nil }
        var number: UInt64 = 0
        for byte in digits {
            guard let digit = value(of: byte) else { return nil }
            number = number << 4 | UInt64(digit)
        }
        return number
    }

    /// Returns the value of a digit; capital letters are none, as W3C Trace Context has it.
    static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
