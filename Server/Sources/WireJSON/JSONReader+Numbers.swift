/// A number as it is spelled: digits, a scale, and where it stands.
struct NumberToken {
    /// From the sign to the last digit.
    var range: Range<Int>
    /// The digits before and after the point as one number; only meaningful for up to 19 of them.
    var mantissa: UInt64 = 0
    var digitCount = 0
    var fractionCount = 0
    var exponent = 0
    var hasExponent = false
    var isNegative = false

    /// Whether neither a point nor an exponent is in the spelling.
    var isPlain: Bool { fractionCount == 0 && !hasExponent }
}

extension JSONReader {
    /// Whole numbers below this are exact as a `Double`, and so is their spelling.
    private static let exactLimit: UInt64 = 1 << 53

    /// The bytes that a number may take: more than any that means something.
    private static let longestNumber = 1_024

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// The value, whole where it is: so `5.0` is read as it will be written, `5`.
    func value(of number: NumberToken) throws(JSONError) -> JSONValue {
        if number.isPlain, let whole = try integer(of: number) { return .integer(whole) }
        let value = try double(of: number)
        if number.digitCount > 15, let exact = ExactDecimal(exactly: spelling(of: number)),
            exact != ExactDecimal(exactly: value)
        {
            return JSONValue(exact)
        }
        if value.magnitude < Double(Self.exactLimit), let whole = Int64(exactly: value) { return .integer(whole) }
        return .number(value)
    }

    /// The number rounded to nine decimals, half to even, or `nil` beyond the range.
    func decimal(of number: NumberToken) -> ExactDecimal? {
        // safe: the reader has passed over them
        ExactDecimal(rounding: text[number.range])
    }

    func integer(of number: NumberToken) throws(JSONError) -> Int64? {
        guard number.isPlain else { return Int64(exactly: try double(of: number)) }
        guard number.digitCount <= 18 else { return Int64(spelling(of: number)) }
        // safe: eighteen digits fit
        let magnitude = Int64(number.mantissa)
        // safe: eighteen digits fit
        return number.isNegative ? -magnitude : magnitude
    }

    // safe: the scale is looked up only where the table has it
    func double(of number: NumberToken) throws(JSONError) -> Double {
        // safe: an exponent is below a billion, and a fraction no longer than the text
        let scale = number.exponent - number.fractionCount
        if number.digitCount <= 19, number.mantissa < Self.exactLimit, abs(scale) < Self.powersOfTen.count {
            // Both operands are exact, so the result is the nearest double.
            let whole = Double(number.mantissa)
            let value = scale < 0 ? whole / Self.powersOfTen[-scale] : whole * Self.powersOfTen[scale]
            return number.isNegative ? -value : value
        }
        guard let value = Double(spelling(of: number)), value.isFinite else {
            throw JSONError("The number is too large", at: number.range.lowerBound)
        }
        return value
    }

    private func spelling(of number: NumberToken) -> String {
        // safe: the number was read there
        String(decoding: text[number.range], as: UTF8.self)
    }

    // MARK: Scanning

    // safe: places only grow while a text is read
    mutating func scanNumber() throws(JSONError) -> NumberToken {
        let start = offset
        var number = NumberToken(range: start..<start)
        if text[offset] == UInt8(ascii: "-") {
            number.isNegative = true
            offset += 1
        }
        let first = offset
        try scanDigits(&number)
        if offset - first > 1, text[first] == UInt8(ascii: "0") {
            throw JSONError("A number starts with a zero", at: first)
        }
        if offset < text.count, text[offset] == UInt8(ascii: ".") {
            offset += 1
            let before = offset
            try scanDigits(&number)
            number.fractionCount = offset - before
        }
        if offset < text.count, text[offset] | 0x20 == UInt8(ascii: "e") { try scanExponent(&number) }
        guard offset - start <= Self.longestNumber else { throw JSONError("The number is too long", at: start) }
        number.range = start..<offset
        return number
    }

    // safe: places only grow, and nine digits fit
    private mutating func scanExponent(_ number: inout NumberToken) throws(JSONError) {
        offset += 1
        number.hasExponent = true
        var isNegative = false
        if offset < text.count, text[offset] == UInt8(ascii: "+") || text[offset] == UInt8(ascii: "-") {
            isNegative = text[offset] == UInt8(ascii: "-")
            offset += 1
        }
        var exponent = NumberToken(range: offset..<offset)
        try scanDigits(&exponent)
        // Those beyond any double are the same; the spelling decides.
        let magnitude = exponent.digitCount <= 9 ? Int(exponent.mantissa) : 1_000_000_000
        number.exponent = isNegative ? -magnitude : magnitude
    }

    private mutating func scanDigits(_ number: inout NumberToken) throws(JSONError) {
        var index = offset
        var mantissa = number.mantissa
        while index < text.count, case let digit = text[index] &- UInt8(ascii: "0"), digit <= 9 {
            // safe: a byte fits
            mantissa = mantissa &* 10 &+ UInt64(digit)
            index &+= 1
        }
        guard index > offset else { throw error("A digit is expected") }
        number.mantissa = mantissa
        number.digitCount += index - offset
        offset = index
    }
}
