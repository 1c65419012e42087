/// A number in arithmetic: whole numbers stay whole, others are computed in decimal so that 10.1 - 2.2 is 7.9.
enum Number {
    case int(Int)
    case double(Double)

    init(_ value: LiquidValue) {
        switch value {
        case .int(let number): self = .int(number)
        case .double(let number): self = .double(number)
        case .string(let text): self.init(parsing: text)
        default: self = .int(0)
        }
    }

    /// Reads `-?digits.digits` as a decimal and otherwise the leading digits, 0 when there are none.
    init(parsing text: String) {
        let bytes = text.utf8.drop(while: \.isLiquidSpace)
        let end = bytes.lastIndex { !$0.isLiquidSpace }.map { bytes.index(after: $0) } ?? bytes.startIndex
        let trimmed = Array(bytes[..<end])
        if Self.isDecimal(trimmed), let number = Double(String(bytes: trimmed)) {
            self = .double(number)
        } else {
            self = .int(Self.leadingInteger(trimmed))
        }
    }

    private static func isDecimal(_ bytes: [UInt8]) -> Bool {
        let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
        guard let point = digits.firstIndex(of: UInt8(ascii: ".")) else { return false }
        let whole = digits[..<point]
        let part = digits[(point + 1)...]
        return !whole.isEmpty && !part.isEmpty && whole.allSatisfy(\.isDigit) && part.allSatisfy(\.isDigit)
    }

    /// The digits at the start of a text, with a sign before them; 0 without digits.
    static func leadingInteger(_ bytes: some Sequence<UInt8>) -> Int {
        var magnitude = 0
        var isNegative = false
        var isStart = true
        for byte in bytes {
            if isStart, byte.isLiquidSpace { continue }
            if isStart, byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") {
                isNegative = byte == UInt8(ascii: "-")
            } else if byte.isDigit {
                let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
                if overflow { return isNegative ? .min : .max }
                // safe: a digit
                let (sum, overflowed) = product.addingReportingOverflow(Int(byte - 0x30))
                if overflowed { return isNegative ? .min : .max }
                magnitude = sum
            } else if byte != UInt8(ascii: "_") || isStart {
                break
            }
            isStart = false
        }
        // safe: not negative
        return isNegative ? -magnitude : magnitude
    }

    var value: LiquidValue {
        switch self {
        case .int(let number): .int(number)
        case .double(let number): .double(number)
        }
    }

    var double: Double {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        }
    }

    var isZero: Bool { double == 0 }

    static func < (left: Number, right: Number) -> Bool {
        if case .int(let left) = left, case .int(let right) = right { return left < right }
        return left.double < right.double
    }
}

extension Number {
    static func + (left: Number, right: Number) -> Number {
        if case .int(let left) = left, case .int(let right) = right {
            let (sum, overflow) = left.addingReportingOverflow(right)
            return overflow ? .double(Double(left) + Double(right)) : .int(sum)
        }
        return .double(ScaledDecimal.sum(left, right) ?? left.double + right.double)
    }

    static func - (left: Number, right: Number) -> Number {
        // The smallest number has no opposite, so that it is not added.
        if case .int(let left) = left, case .int(let right) = right {
            let (difference, overflow) = left.subtractingReportingOverflow(right)
            return overflow ? .double(Double(left) - Double(right)) : .int(difference)
        }
        return left + -right
    }

    // safe: the smallest number is taken apart
    static prefix func - (number: Number) -> Number {
        switch number {
        case .int(.min): .double(-Double(Int.min))
        case .int(let number): .int(-number)
        case .double(let number): .double(-number)
        }
    }

    static func * (left: Number, right: Number) -> Number {
        if case .int(let left) = left, case .int(let right) = right {
            let (product, overflow) = left.multipliedReportingOverflow(by: right)
            return overflow ? .double(Double(left) * Double(right)) : .int(product)
        }
        return .double(ScaledDecimal.product(left, right) ?? left.double * right.double)
    }

    // safe: neither 0 nor -1 divides the smallest; the rest rounds towards 0
    /// Divides, rounding whole numbers down; `nil` by zero.
    func divided(by divisor: Number) -> Number? {
        guard !divisor.isZero else { return nil }
        guard case .int(let left) = self, case .int(let right) = divisor else {
            return .double(double / divisor.double)
        }
        if left == .min, right == -1 { return .double(-Double(left)) }
        let quotient = left / right
        return .int(left % right != 0 && (left < 0) != (right < 0) ? quotient - 1 : quotient)
    }

    // safe: neither 0 nor -1 divides the smallest; a rest is nearer to 0 than the divisor
    /// The remainder with the sign of the divisor; `nil` by zero.
    func modulo(_ divisor: Number) -> Number? {
        guard !divisor.isZero else { return nil }
        if case .int(let left) = self, case .int(let right) = divisor {
            if right == -1 { return .int(0) }
            let remainder = left % right
            return .int(remainder != 0 && (remainder < 0) != (right < 0) ? remainder + right : remainder)
        }
        if let exact = ScaledDecimal.remainder(self, divisor) { return .double(exact) }
        let remainder = double.truncatingRemainder(dividingBy: divisor.double)
        let isOff = remainder != 0 && (remainder < 0) != (divisor.double < 0)
        return .double(isOff ? remainder + divisor.double : remainder)
    }
}

/// A decimal fraction `mantissa / 10^scale`.
struct ScaledDecimal {
    var mantissa: Int
    var scale: Int

    /// 1, 10, 100 … 10^18.
    // safe: up to 10^18
    private static let powers: [Int] = (0...18).map { exponent in (0..<exponent).reduce(1) { power, _ in power * 10 } }

    // safe: fifteen digits at most
    /// The shortest decimal that reads back as the number; `nil` when it does not fit.
    init?(_ number: Number) {
        switch number {
        case .int(let number): (mantissa, scale) = (number, 0)
        case .double(let number):
            guard number.isFinite, abs(number) < 1e15 else { return nil }
            for scale in 0...15 {
                let scaled = (number * Double(Self.powers[scale])).rounded()
                guard abs(scaled) < 9e15 else { return nil }
                if scaled / Double(Self.powers[scale]) == number {
                    (mantissa, self.scale) = (Int(scaled), scale)
                    return
                }
            }
            return nil
        }
    }

    private init(mantissa: Int, scale: Int) {
        (self.mantissa, self.scale) = (mantissa, scale)
    }

    // safe: a scale is 15 at most where it is read
    private func scaled(to target: Int) -> Int? {
        guard target - scale < Self.powers.count else { return nil }
        let (product, overflow) = mantissa.multipliedReportingOverflow(by: Self.powers[target - scale])
        return overflow ? nil : product
    }

    var double: Double {
        if mantissa.magnitude < 1 << 53, scale < 19 { return Double(mantissa) / Double(Self.powers[scale]) }
        return Double("\(mantissa)e-\(scale)") ?? 0
    }

    private static func aligned(_ left: Number, _ right: Number) -> (left: Int, right: Int, scale: Int)? {
        guard let left = ScaledDecimal(left), let right = ScaledDecimal(right) else { return nil }
        let scale = max(left.scale, right.scale)
        guard let first = left.scaled(to: scale), let second = right.scaled(to: scale) else { return nil }
        return (first, second, scale)
    }

    static func sum(_ left: Number, _ right: Number) -> Double? {
        guard let pair = aligned(left, right) else { return nil }
        let (sum, overflow) = pair.left.addingReportingOverflow(pair.right)
        return overflow ? nil : ScaledDecimal(mantissa: sum, scale: pair.scale).double
    }

    static func product(_ left: Number, _ right: Number) -> Double? {
        guard let left = ScaledDecimal(left), let right = ScaledDecimal(right) else { return nil }
        let (product, overflow) = left.mantissa.multipliedReportingOverflow(by: right.mantissa)
        // safe: 15 each at most
        return overflow ? nil : ScaledDecimal(mantissa: product, scale: left.scale + right.scale).double
    }

    // safe: neither 0 nor -1 divides the smallest; a rest is nearer to 0 than the divisor
    static func remainder(_ left: Number, _ right: Number) -> Double? {
        guard let pair = aligned(left, right), pair.right != 0 else { return nil }
        if pair.right == -1 { return 0 }
        let remainder = pair.left % pair.right
        let isOff = remainder != 0 && (remainder < 0) != (pair.right < 0)
        return ScaledDecimal(mantissa: isOff ? remainder + pair.right : remainder, scale: pair.scale).double
    }

    // safe: places within twice the powers, and a rest leaves room
    /// The number rounded half away from zero to so many places; negative places round tens, hundreds and so on.
    ///
    /// `nil` where the result is beyond whole numbers.
    func rounded(to places: Int) -> ScaledDecimal? {
        guard places < scale else { return self }
        // Beyond the powers there is nothing but zero; places may be any number that a template or its data says.
        let cut = scale - max(places, -2 * Self.powers.count)
        guard cut < Self.powers.count else { return ScaledDecimal(mantissa: 0, scale: 0) }
        let unit = Self.powers[cut]
        let (units, rest) = mantissa.quotientAndRemainder(dividingBy: unit)
        let isUp = rest.magnitude >= unit.magnitude - rest.magnitude
        // With a rest there was a division by ten at least, so there is room for one more.
        let rounded = isUp ? (mantissa < 0 ? units - 1 : units + 1) : units
        if places >= 0 { return ScaledDecimal(mantissa: rounded, scale: places) }
        let (product, overflow) = rounded.multipliedReportingOverflow(by: Self.powers[-places])
        return overflow ? nil : ScaledDecimal(mantissa: product, scale: 0)
    }
}
