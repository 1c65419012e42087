/// A decimal number with at most nine digits after its point, such as an amount of money.
///
/// Binary fractions can't hold a tenth: ten times 0.1 is 1 here and 0.9999999999999999 as `Double`. There is room for
/// 29 digits before the point; a sum beyond that stays at the end of the range, and doesn't end the process.
public struct ExactDecimal: Sendable, Hashable {
    /// The largest number of billionths, of either sign: 38 digits.
    private static let limit: Int128 = 99_999_999_999_999_999_999_999_999_999_999_999_999

    // An Int128 would have every JSON value aligned to 16 bytes.
    private let high: Int64
    private let low: UInt64

    /// The number of billionths.
    public var billionths: Int128 { Int128(high) << 64 | Int128(truncatingIfNeeded: low) }

    /// Creates a number of billionths; beyond the range, its nearest end.
    public init(billionths: Int128) {
        let billionths = min(max(billionths, 0 &- Self.limit), Self.limit)
        high = Int64(truncatingIfNeeded: billionths >> 64)
        low = UInt64(truncatingIfNeeded: billionths)
    }

    /// Creates a whole number.
    public init(_ whole: Int64) {
        // safe: 19 digits and nine
        self.init(billionths: Int128(whole) * 1_000_000_000)
    }

    /// Zero.
    public static let zero = ExactDecimal(0)
}

// MARK: - Texts

extension ExactDecimal {
    /// Creates the number that a text says, as JSON spells numbers; `nil` for another text, more than nine decimals, or
    /// a number beyond the range.
    public init?(exactly text: some StringProtocol) {
        guard let (value, isExact) = Self.read(text.utf8), isExact else { return nil }
        self = value
    }

    /// Creates the number that a text says, as JSON spells numbers, rounded to nine decimals, half to even; `nil` for
    /// another text or a number beyond the range.
    public init?(rounding text: some Collection<UInt8>) {
        guard let (value, _) = Self.read(text) else { return nil }
        self = value
    }

    private static func read(_ text: some Collection<UInt8>) -> (value: ExactDecimal, isExact: Bool)? {
        let isNegative = text.first == UInt8(ascii: "-")
        let unsigned = text.dropFirst(isNegative ? 1 : 0)
        let mantissa = unsigned.prefix { isDigit($0) || $0 == UInt8(ascii: ".") }
        guard mantissa.contains(where: isDigit), let exponent = exponent(of: unsigned.dropFirst(mantissa.count)) else {
            return nil
        }
        let fraction = mantissa.drop { $0 != UInt8(ascii: ".") }.dropFirst()
        guard fraction.allSatisfy(isDigit) else { return nil }
        let digits = mantissa.lazy.filter(isDigit).drop { $0 == UInt8(ascii: "0") }
        return units(digits, count: digits.count, shift: exponent - fraction.count + 9).map { units, isExact in
            (ExactDecimal(billionths: isNegative ? 0 &- units : units), isExact)
        }
    }

    /// Returns the digits times ten to the power of `shift`, rounded half to even, and whether nothing was rounded off.
    private static func units(
        _ digits: some Sequence<UInt8>,
        count: Int,
        shift: Int
    ) -> (Int128, isExact: Bool)? {
        // A text in memory has fewer digits than an Int holds, and an exponent is bounded.
        let kept = count + shift
        if count == 0 || kept < 0 { return (0, count == 0) }
        guard kept <= 38 else { return nil }
        var units: Int128 = 0
        var (next, hasMore) = (UInt8(0), false)
        for (index, byte) in digits.enumerated() {
            let digit = byte &- UInt8(ascii: "0")
            // 38 digits fit.
            if index < kept { units = units &* 10 &+ Int128(digit) }
            if index == kept { next = digit }
            if index > kept { hasMore = hasMore || digit > 0 }
        }
        for _ in 0..<max(0, shift) { units = units &* 10 }
        if next > 5 || next == 5 && (hasMore || units & 1 == 1) { units = units &+ 1 }
        return units > limit ? nil : (units, next == 0 && !hasMore)
    }

    /// The exponent that a mantissa is followed by, 0 for none; one that no number has counts as the largest.
    private static func exponent(of text: some Collection<UInt8>) -> Int? {
        guard let first = text.first else { return 0 }
        guard first | 0x20 == UInt8(ascii: "e") else { return nil }
        let signed = text.dropFirst()
        let isSigned = signed.first == UInt8(ascii: "+") || signed.first == UInt8(ascii: "-")
        let digits = signed.dropFirst(isSigned ? 1 : 0)
        guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
        let magnitude = digits.reduce(0) { min($0 &* 10 &+ Int($1 &- UInt8(ascii: "0")), 1_000_000) }
        // safe: a million at most
        return signed.first == UInt8(ascii: "-") ? -magnitude : magnitude
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }
}

extension ExactDecimal: CustomStringConvertible {
    /// The number in digits, with no more of them than it needs and without an exponent.
    public var description: String {
        let (whole, part) = billionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        let sign = high < 0 ? "-" : ""
        if part == 0 { return "\(sign)\(whole)" }
        let digits = String(String(part + 1_000_000_000).dropFirst())  // safe: below two billion
        let zeros = digits.utf8.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        return "\(sign)\(whole).\(digits.dropLast(zeros))"
    }
}

// MARK: - Numbers

extension ExactDecimal {
    /// Creates the number that is the shortest text of a `Double`; `nil` for more than nine decimals and beyond the
    /// range.
    public init?(exactly number: Double) {
        self.init(exactly: number.description)
    }

    /// Creates the number that is the shortest text of a `Double`, rounded to nine decimals, half to even; `nil` beyond
    /// the range.
    public init?(rounding number: Double) {
        self.init(rounding: number.description.utf8)
    }

    /// The nearest `Double`.
    public var double: Double {
        let billionths = billionths
        // Both are exact, so the quotient is the nearest.
        if billionths.magnitude < 1 << 53 { return Double(billionths) / 1e9 }
        return Double(description) ?? 0
    }

    /// The whole number, or `nil` for one with a fraction or beyond 64 bits.
    public var integer: Int64? {
        let (whole, part) = billionths.quotientAndRemainder(dividingBy: 1_000_000_000)
        return part == 0 ? Int64(exactly: whole) : nil
    }
}

extension ExactDecimal: Comparable {
    /// Returns whether a number is less than another.
    public static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

extension ExactDecimal: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Creates a whole number.
    public init(integerLiteral value: Int64) { self.init(value) }

    /// Creates a number as it is written, where a `Double` holds its digits.
    public init(floatLiteral value: Double) { self = Self(rounding: value) ?? .zero }
}

extension ExactDecimal {
    /// Returns a sum, at most the end of the range.
    public static func + (left: Self, right: Self) -> Self {
        let (sum, overflows) = left.billionths.addingReportingOverflow(right.billionths)
        return Self(billionths: overflows ? (left.high < 0 ? .min : .max) : sum)
    }

    /// Returns a difference, at most the end of the range.
    public static func - (left: Self, right: Self) -> Self { left + -right }

    /// Adds a number.
    public static func += (left: inout Self, right: Self) { left = left + right }

    /// Subtracts a number.
    public static func -= (left: inout Self, right: Self) { left = left - right }

    /// Returns the number with the other sign.
    public static prefix func - (number: Self) -> Self {
        Self(billionths: 0 &- number.billionths)
    }

    /// Returns a product with a whole number, at most the end of the range.
    public static func * (number: Self, count: Int64) -> Self {
        let (product, overflows) = number.billionths.multipliedReportingOverflow(by: Int128(count))
        return Self(billionths: overflows ? (number.high < 0) == (count < 0) ? .max : .min : product)
    }
}
