extension LiquidValue {
    /// The text that an output of the value prints.
    public var text: String {
        if case .string(let text) = self { return text }
        var sink = TextSink()
        // Without a meter there is nothing that it could fail by.
        try? write(to: &sink)
        return sink.text
    }

    /// The text that an output of the value prints, as long as there is room for it.
    func text(_ meter: RenderMeter) throws(LiquidError) -> String {
        if case .string(let text) = self { return text }
        var sink = TextSink(valueOf: meter)
        try write(to: &sink)
        return sink.text
    }

    /// The text that a filter works on, in which a list looks as it does inside a printed hash.
    func inspectedText(_ meter: RenderMeter) throws(LiquidError) -> String {
        guard case .array = self else { return try text(meter) }
        var sink = TextSink(valueOf: meter)
        try inspect(to: &sink)
        return sink.text
    }

    /// Appends the text of the value.
    func write(to output: inout TextSink) throws(LiquidError) {
        switch self {
        case .null, .empty, .blank: break
        case .string(let text): try output.append(text)
        case .int(let number): try Self.write(number, to: &output)
        case .double(let number):
            try output.spend(Work.number)
            try output.append(Self.text(of: number))
        case .bool(let flag): try output.append(flag ? "true" : "false")
        case .array(let items):
            for item in items {
                try output.spend(Work.element)
                try item.write(to: &output)
            }
        case .hash(let hash): try Self.inspect(hash.pairs, to: &output)
        case .object(let object): try Self.inspect(object.pairs, to: &output)
        case .range(let range): try output.append("\(range.first)..\(range.last)")
        case .date(let date): try date.format("%Y-%m-%d %H:%M:%S %z", to: &output)
        }
    }

    private static func write(_ number: Int, to output: inout TextSink) throws(LiquidError) {
        if number >= 0, number < 10 {
            // safe: below 10
            try output.append(0x30 + UInt8(truncatingIfNeeded: number))
        } else {
            try output.append(String(number))
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
        // characters: digits alone
        if !mantissa.contains(".") { mantissa += ".0" }
        let exponent = Int(text[text.index(after: mark)...]) ?? 0
        if exponent < 0, exponent >= -4 { return text }
        // safe: a whole number, since it has an exponent, below 1e16
        if exponent > 0, abs(number) < 1e16 { return "\(Int64(number)).0" }
        // safe: three digits at most
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

    private static func inspect(
        _ pairs: [(key: String, value: LiquidValue)],
        to output: inout TextSink
    ) throws(LiquidError) {
        try output.append(UInt8(ascii: "{"))
        for (place, pair) in pairs.enumerated() {
            try output.spend(2 * Work.element)
            if place > 0 { try output.append(", ") }
            try LiquidValue.string(pair.key).inspect(to: &output)
            try output.append("=>")
            try pair.value.inspect(to: &output)
        }
        try output.append(UInt8(ascii: "}"))
    }

    /// Appends the value as it looks inside a printed hash.
    private func inspect(to output: inout TextSink) throws(LiquidError) {
        switch self {
        case .null: try output.append("nil")
        case .string(let text):
            try output.append(UInt8(ascii: "\""))
            for byte in text.utf8 {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { try output.append(UInt8(ascii: "\\")) }
                try output.append(byte)
            }
            try output.append(UInt8(ascii: "\""))
        case .array(let items):
            try output.append(UInt8(ascii: "["))
            for (place, item) in items.enumerated() {
                try output.spend(2 * Work.element)
                if place > 0 { try output.append(", ") }
                try item.inspect(to: &output)
            }
            try output.append(UInt8(ascii: "]"))
        default: try write(to: &output)
        }
    }
}
