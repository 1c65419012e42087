extension LiquidValue {
    /// Creates a value from JSON in UTF-8.
    ///
    /// Whole numbers that fit become `int`, others `double`. Throws `invalid_json` with the byte at which reading
    /// failed as its column, also for nesting deeper than 100.
    public init(json: some Collection<UInt8>) throws(LiquidError) {
        var reader = JSONReader(bytes: Array(json), meter: nil)
        self = try reader.document()
    }

    /// Creates a value from JSON while a template is rendered.
    init(json: some Collection<UInt8>, _ meter: RenderMeter) throws(LiquidError) {
        try meter.spend(2 * json.count)
        var reader = JSONReader(bytes: Array(json), meter: meter)
        self = try reader.document()
    }
}

/// Reads JSON in one pass over its bytes.
private struct JSONReader {
    let bytes: [UInt8]
    let meter: RenderMeter?
    var place = 0
    var depth = 0

    init(bytes: [UInt8], meter: RenderMeter?) {
        self.bytes = bytes
        self.meter = meter
    }

    /// The number of bytes that a value takes in its list or hash.
    private static let nodeBytes = 40

    private func count(_ nodes: Int) throws(LiquidError) {
        guard let meter else { return }
        try meter.spend(nodes * Work.node)
        try meter.charge(nodes * Self.nodeBytes)
    }

    mutating func document() throws(LiquidError) -> LiquidValue {
        let value = try value()
        skipSpace()
        guard place == bytes.count else { throw failure("JSON goes on after its value.") }
        return value
    }

    private func failure(_ message: String) -> LiquidError {
        LiquidError(.invalidJSON, message, line: 1, column: place + 1)
    }

    private mutating func skipSpace() {
        while place < bytes.count, bytes[place].isLiquidSpace { place += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard place < bytes.count, bytes[place] == byte else { return false }
        place += 1
        return true
    }

    private mutating func value() throws(LiquidError) -> LiquidValue {
        skipSpace()
        guard place < bytes.count else { throw failure("JSON ends where a value is expected.") }
        depth += 1
        defer { depth -= 1 }
        guard depth <= 100 else { throw failure("JSON nests deeper than 100.") }
        try count(1)
        switch bytes[place] {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: String, _ value: LiquidValue) throws(LiquidError) -> LiquidValue {
        guard bytes.matches(word.bytes, at: place) else { throw failure("JSON has an unknown word.") }
        place += word.utf8.count
        return value
    }

    private mutating func object() throws(LiquidError) -> LiquidValue {
        place += 1
        var pairs: [(key: String, value: LiquidValue)] = []
        if take(UInt8(ascii: "}")) { return .hash(LiquidHash([])) }
        repeat {
            skipSpace()
            guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { throw failure("JSON lacks a key.") }
            let key = try string()
            // The key, and its place in the index.
            try count(1)
            guard take(UInt8(ascii: ":")) else { throw failure("JSON lacks a colon after a key.") }
            pairs.append((key: key, value: try value()))
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw failure("JSON lacks the end of an object.") }
        return .hash(LiquidHash(pairs))
    }

    private mutating func array() throws(LiquidError) -> LiquidValue {
        place += 1
        var items: [LiquidValue] = []
        if take(UInt8(ascii: "]")) { return .array([]) }
        repeat {
            items.append(try value())
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw failure("JSON lacks the end of an array.") }
        return .array(items)
    }

    private mutating func number() throws(LiquidError) -> LiquidValue {
        let start = place
        var isWhole = true
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") {
                isWhole = false
            } else if !byte.isDigit, byte != UInt8(ascii: "-"), byte != UInt8(ascii: "+") {
                break
            }
            place += 1
        }
        guard Self.isNumber(bytes[start..<place]) else { throw failure("JSON has a malformed number.") }
        let text = String(bytes: bytes[start..<place])
        if isWhole, let number = Int(text) { return .int(number) }
        guard let number = Double(text), number.isFinite else { throw failure("JSON has a malformed number.") }
        return .double(number)
    }

    /// Whether the bytes are a number as JSON writes it: without a plus sign, zeros before it or a point at its ends.
    private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = takeDigits(&rest)
        guard whole == 1 || (whole > 1 && !startsWithZero) else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard takeDigits(&rest) > 0 else { return false }
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
            guard takeDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    /// Removes the digits at the start, and returns their number.
    private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> Int {
        let digits = rest.prefix(while: \.isDigit)
        // safe: the digits end within the rest
        rest = rest[digits.endIndex...]
        return digits.count
    }

    private mutating func string() throws(LiquidError) -> String {
        place += 1
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: "\""), bytes[place] != UInt8(ascii: "\\") { place += 1 }
        guard place < bytes.count else { throw failure("JSON lacks the end of a string.") }
        try meter?.charge(place - start)
        if bytes[place] == UInt8(ascii: "\"") {
            place += 1
            return String(bytes: bytes[start..<place - 1])
        }
        return try escapedString(Array(bytes[start..<place]))
    }

    private mutating func escapedString(_ head: [UInt8]) throws(LiquidError) -> String {
        var text = head
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: "\"") {
                try meter?.charge(text.count - head.count)
                return String(bytes: text)
            }
            if byte == UInt8(ascii: "\\") {
                try escape(into: &text)
            } else {
                text.append(byte)
            }
        }
        throw failure("JSON lacks the end of a string.")
    }

    private mutating func escape(into text: inout [UInt8]) throws(LiquidError) {
        guard place < bytes.count else { throw failure("JSON ends in an escape.") }
        let byte = bytes[place]
        place += 1
        switch byte {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "u"): try unicodeEscape(into: &text)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        default: throw failure("JSON has an unknown escape.")
        }
    }

    private mutating func unicodeEscape(into text: inout [UInt8]) throws(LiquidError) {
        var code = try hexadecimal()
        if code >> 10 == 0x36, bytes.matches([0x5C, 0x75], at: place) {
            place += 2
            let low = try hexadecimal()
            // safe: ten bits each
            code = low >> 10 == 0x37 ? 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF) : 0xFFFD
        }
        text.append(contentsOf: String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
    }

    private mutating func hexadecimal() throws(LiquidError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard place < bytes.count, let digit = bytes[place].hexadecimalValue else {
                throw failure("JSON has a malformed escape.")
            }
            code = code << 4 | UInt32(digit)
            place += 1
        }
        return code
    }
}
