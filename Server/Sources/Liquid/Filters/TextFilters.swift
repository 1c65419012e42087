/// Filters that change text.
enum TextFilters {
    static let all: [LiquidFilter] = [
        LiquidFilter("append", arguments: 1...1, apply: append),
        LiquidFilter("capitalize", weight: 8, apply: capitalize),
        LiquidFilter("downcase", weight: 8, apply: downcase),
        LiquidFilter("lstrip", apply: lstrip),
        LiquidFilter("newline_to_br", apply: newlineToBreak),
        LiquidFilter("prepend", arguments: 1...1, apply: prepend),
        LiquidFilter("rstrip", apply: rstrip),
        LiquidFilter("strip", apply: strip),
        LiquidFilter("strip_newlines", apply: stripNewlines),
        LiquidFilter("truncate", arguments: 0...2, apply: truncate),
        LiquidFilter("truncatewords", arguments: 0...2, apply: truncateWords),
        LiquidFilter("upcase", weight: 8, apply: upcase),
    ]

    private static func append(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try joined(call.text, call.text(0), call)
    }

    private static func prepend(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try joined(call.text(0), call.text, call)
    }

    private static func joined(
        _ first: String,
        _ second: String,
        _ call: LiquidFilterCall
    ) throws(LiquidError) -> LiquidValue {
        try call.reserve(first.utf8.count + second.utf8.count)
        return .string(first + second)
    }

    private static func upcase(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        .string(try cased(call).uppercased())
    }

    private static func downcase(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        .string(try cased(call).lowercased())
    }

    private static func capitalize(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        let text = try cased(call)
        guard let first = text.unicodeScalars.first else { return .string("") }
        return .string(String(first).uppercased() + String(text.unicodeScalars.dropFirst()).lowercased())
    }

    /// The text, where there is room for it in another case: some letters have three in theirs.
    private static func cased(_ call: LiquidFilterCall) throws(LiquidError) -> String {
        let text = call.text
        try call.reserve(3 * text.utf8.count)
        return text
    }

    private static func strip(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try strip(call, left: true, right: true)
    }

    private static func lstrip(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try strip(call, left: true, right: false)
    }

    private static func rstrip(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try strip(call, left: false, right: true)
    }

    private static func strip(
        _ call: LiquidFilterCall,
        left: Bool,
        right: Bool
    ) throws(LiquidError) -> LiquidValue {
        let bytes = call.text.bytes
        var (start, end) = (0, bytes.count)
        while left, start < end, bytes[start].isLiquidSpace || bytes[start] == 0 { start += 1 }
        while right, start < end, bytes[end - 1].isLiquidSpace || bytes[end - 1] == 0 { end -= 1 }
        return .string(String(bytes: bytes[start..<end]))
    }

    private static func stripNewlines(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try newlines(call, as: [])
    }

    private static func newlineToBreak(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try newlines(call, as: "<br />\n".bytes)
    }

    private static func newlines(
        _ call: LiquidFilterCall,
        as replacement: [UInt8]
    ) throws(LiquidError) -> LiquidValue {
        var output = call.sink
        for byte in call.text.utf8 {
            if byte == 0x0A {
                if output.bytes.last == 0x0D { output.removeLast() }
                try output.append(replacement)
            } else {
                try output.append(byte)
            }
        }
        return .string(output.text)
    }

    private static func truncate(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        guard !call.input.isNull else { return .null }
        let length = call.arguments.isEmpty ? 50 : try call[0].integer()
        let ending = call.arguments.count < 2 ? "..." : call.text(1)
        let text = call.text
        let scalars = text.unicodeScalars
        guard scalars.count > length else { return .string(text) }
        // No text is shorter than nothing, so a length below it is none.
        // safe: a length that is not negative, less what is in memory
        let kept = max(0, max(0, length) - ending.unicodeScalars.count)
        return .string(String(scalars.prefix(kept)) + ending)
    }

    private static func truncateWords(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        guard !call.input.isNull else { return .null }
        let count = max(1, call.arguments.isEmpty ? 15 : try call[0].integer())
        let ending = call.arguments.count < 2 ? "..." : call.text(1)
        let text = call.text
        var output = call.sink
        var words = 0
        var rest = Substring(text).utf8
        while words < count, let word = rest.takeWord() {
            if words > 0 { try output.append(UInt8(ascii: " ")) }
            try output.append(word)
            words += 1
        }
        // White space after the last word counts as one more, as in the reference language.
        guard words == count, !rest.isEmpty else { return .string(text) }
        try output.append(ending)
        return .string(output.text)
    }
}
