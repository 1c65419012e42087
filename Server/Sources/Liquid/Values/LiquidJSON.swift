/// Writes text and values as JSON.
enum LiquidJSON {
    static func write(_ text: String, to output: inout TextSink) throws(LiquidError) {
        try output.append(UInt8(ascii: "\""))
        try escape(text, to: &output)
        try output.append(UInt8(ascii: "\""))
    }

    /// Appends text as it stands between the quotes of a JSON string.
    static func escape(_ text: String, to output: inout TextSink) throws(LiquidError) {
        let bytes = text.bytes
        var place = 0
        while place < bytes.count {
            let start = place
            while place < bytes.count, !isSpecial(bytes, place) { place += 1 }
            if place > start { try output.append(bytes[start..<place]) }
            guard place < bytes.count else { return }
            place += try escape(bytes, place, to: &output)
        }
    }

    private static func isSpecial(_ bytes: [UInt8], _ place: Int) -> Bool {
        // safe: asked at places of the bytes
        switch bytes[place] {
        case 0x00..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"): true
        // U+0085, U+2028 and U+2029 are ends of lines to some readers, and a line is one answer.
        case 0xC2: bytes.matches([0xC2, 0x85], at: place)
        case 0xE2: bytes.matches([0xE2, 0x80, 0xA8], at: place) || bytes.matches([0xE2, 0x80, 0xA9], at: place)
        default: false
        }
    }

    // safe: asked where it is, with all of its bytes
    /// Appends what is special at a place, and returns how many bytes that is.
    private static func escape(_ bytes: [UInt8], _ place: Int, to output: inout TextSink) throws(LiquidError) -> Int {
        switch bytes[place] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            try output.append(UInt8(ascii: "\\"))
            try output.append(bytes[place])
        case 0x0A: try output.append("\\n")
        case 0x0D: try output.append("\\r")
        case 0x09: try output.append("\\t")
        case 0xC2:
            try output.append("\\u0085")
            return 2
        case 0xE2:
            try output.append(bytes[place + 2] == 0xA8 ? "\\u2028" : "\\u2029")
            return 3
        default:
            try output.append(bytes[place] < 0x10 ? "\\u000" : "\\u00")
            try output.append(String(bytes[place], radix: 16))
        }
        return 1
    }

    static func write(_ value: LiquidValue, to output: inout TextSink) throws(LiquidError) {
        switch value {
        case .null, .empty, .blank: try output.append("null")
        // JSON has no other numbers than finite ones.
        case .double(let number) where !number.isFinite: try output.append("null")
        case .bool, .int, .double: try value.write(to: &output)
        case .string(let text): try write(text, to: &output)
        case .array(let items):
            try output.append(UInt8(ascii: "["))
            for (place, item) in items.enumerated() {
                try output.spend(2 * Work.element)
                if place > 0 { try output.append(UInt8(ascii: ",")) }
                try write(item, to: &output)
            }
            try output.append(UInt8(ascii: "]"))
        case .hash(let hash): try write(hash.pairs, to: &output)
        case .object(let object): try write(object.pairs, to: &output)
        case .range, .date:
            try output.spend(Work.date)
            try write(value.text, to: &output)
        }
    }

    private static func write(
        _ pairs: [(key: String, value: LiquidValue)],
        to output: inout TextSink
    ) throws(LiquidError) {
        try output.append(UInt8(ascii: "{"))
        for (place, pair) in pairs.enumerated() {
            try output.spend(4 * Work.element)
            if place > 0 { try output.append(UInt8(ascii: ",")) }
            try write(pair.key, to: &output)
            try output.append(UInt8(ascii: ":"))
            try write(pair.value, to: &output)
        }
        try output.append(UInt8(ascii: "}"))
    }
}
