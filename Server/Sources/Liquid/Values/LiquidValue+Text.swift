extension LiquidValue {
    /// The text that an output of the value prints.
    public var text: String {
        if case .string(let text) = self { return text }
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(bytes: bytes)
    }

    /// The text that a filter works on, in which a list looks as it does inside a printed hash.
    var inspectedText: String {
        guard case .array = self else { return text }
        var bytes: [UInt8] = []
        inspect(to: &bytes)
        return String(bytes: bytes)
    }

    /// Appends the text of the value.
    func write(to output: inout [UInt8]) {
        switch self {
        case .null, .empty, .blank: break
        case .string(let text): output.append(contentsOf: text.utf8)
        case .int(let number): Self.write(number, to: &output)
        case .double(let number): output.append(contentsOf: Self.text(of: number).utf8)
        case .bool(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
        case .array(let items):
            for item in items { item.write(to: &output) }
        case .hash(let hash): Self.inspect(hash.pairs, to: &output)
        case .object(let object): Self.inspect(object.pairs, to: &output)
        case .range(let range): output.append(contentsOf: "\(range.first)..\(range.last)".utf8)
        case .date(let date): output.append(contentsOf: date.format("%Y-%m-%d %H:%M:%S %z").utf8)
        }
    }

    private static func write(_ number: Int, to output: inout [UInt8]) {
        if number >= 0, number < 10 {
            output.append(0x30 + UInt8(number))
        } else {
            output.append(contentsOf: String(number).utf8)
        }
    }

    /// A decimal number as the reference language prints it: always with a point, with an exponent from 1e16.
    static func text(of number: Double) -> String {
        guard number.isFinite else { return number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity" }
        let text = number.description
        guard let mark = text.firstIndex(of: "e") else {
            return abs(number) >= 1e16 ? exponential(text) : text
        }
        var mantissa = String(text[..<mark])
        if !mantissa.contains(".") { mantissa += ".0" }
        let exponent = Int(text[text.index(after: mark)...]) ?? 0
        if exponent < 0, exponent >= -4 { return text }
        let digits = String(abs(exponent))
        return mantissa + "e" + (exponent < 0 ? "-" : "+") + (digits.count < 2 ? "0" : "") + digits
    }

    private static func exponential(_ text: String) -> String {
        let negative = text.hasPrefix("-")
        var digits = text.filter(\.isNumber)
        if text.hasSuffix(".0") { digits.removeLast() }
        let exponent = digits.count - 1
        while digits.count > 2, digits.hasSuffix("0") { digits.removeLast() }
        digits.insert(".", at: digits.index(after: digits.startIndex))
        return (negative ? "-" : "") + digits + "e+\(exponent)"
    }

    private static func inspect(_ pairs: [(key: String, value: LiquidValue)], to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        for (place, pair) in pairs.enumerated() {
            if place > 0 { output.append(contentsOf: ", ".utf8) }
            LiquidValue.string(pair.key).inspect(to: &output)
            output.append(contentsOf: "=>".utf8)
            pair.value.inspect(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    /// Appends the value as it looks inside a printed hash.
    private func inspect(to output: inout [UInt8]) {
        switch self {
        case .null: output.append(contentsOf: "nil".utf8)
        case .string(let text):
            output.append(UInt8(ascii: "\""))
            for byte in text.utf8 {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
                output.append(byte)
            }
            output.append(UInt8(ascii: "\""))
        case .array(let items):
            output.append(UInt8(ascii: "["))
            for (place, item) in items.enumerated() {
                if place > 0 { output.append(contentsOf: ", ".utf8) }
                item.inspect(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        default: write(to: &output)
        }
    }
}
