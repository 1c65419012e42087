/// Filters that change text.
enum TextFilters {
    static let all: [LiquidFilter] = [
        LiquidFilter("append", arguments: 1...1, apply: append),
        LiquidFilter("capitalize", apply: capitalize),
        LiquidFilter("downcase", apply: downcase),
        LiquidFilter("lstrip", apply: lstrip),
        LiquidFilter("newline_to_br", apply: newlineToBreak),
        LiquidFilter("prepend", arguments: 1...1, apply: prepend),
        LiquidFilter("remove", arguments: 1...1, apply: replace),
        LiquidFilter("remove_first", arguments: 1...1, apply: replaceFirst),
        LiquidFilter("remove_last", arguments: 1...1, apply: replaceLast),
        LiquidFilter("replace", arguments: 1...2, apply: replace),
        LiquidFilter("replace_first", arguments: 1...2, apply: replaceFirst),
        LiquidFilter("replace_last", arguments: 2...2, apply: replaceLast),
        LiquidFilter("rstrip", apply: rstrip),
        LiquidFilter("split", arguments: 1...1, apply: split),
        LiquidFilter("strip", apply: strip),
        LiquidFilter("strip_newlines", apply: stripNewlines),
        LiquidFilter("truncate", arguments: 0...2, apply: truncate),
        LiquidFilter("truncatewords", arguments: 0...2, apply: truncateWords),
        LiquidFilter("upcase", apply: upcase),
    ]

    private static func append(_ call: LiquidFilterCall) -> LiquidValue {
        .string(call.text + call.text(0))
    }

    private static func prepend(_ call: LiquidFilterCall) -> LiquidValue {
        .string(call.text(0) + call.text)
    }

    private static func upcase(_ call: LiquidFilterCall) -> LiquidValue { .string(call.text.uppercased()) }

    private static func downcase(_ call: LiquidFilterCall) -> LiquidValue { .string(call.text.lowercased()) }

    private static func capitalize(_ call: LiquidFilterCall) -> LiquidValue {
        let text = call.text
        return .string(text.prefix(1).uppercased() + text.dropFirst().lowercased())
    }

    private static func strip(_ call: LiquidFilterCall) -> LiquidValue { strip(call, left: true, right: true) }

    private static func lstrip(_ call: LiquidFilterCall) -> LiquidValue { strip(call, left: true, right: false) }

    private static func rstrip(_ call: LiquidFilterCall) -> LiquidValue { strip(call, left: false, right: true) }

    private static func strip(_ call: LiquidFilterCall, left: Bool, right: Bool) -> LiquidValue {
        var bytes = Substring(call.text).utf8
        while left, let first = bytes.first, first.isLiquidSpace || first == 0 { bytes.removeFirst() }
        while right, let last = bytes.last, last.isLiquidSpace || last == 0 { bytes.removeLast() }
        return .string(String(Substring(bytes)))
    }

    private static func stripNewlines(_ call: LiquidFilterCall) -> LiquidValue { .string(newlines(call.text, as: [])) }

    private static func newlineToBreak(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try call.reserve(LiquidFilterCall.saturating(call.text.utf8.count, 7))
        return .string(newlines(call.text, as: "<br />\n".bytes))
    }

    private static func newlines(_ text: String, as replacement: [UInt8]) -> String {
        var output: [UInt8] = []
        for byte in text.utf8 {
            if byte == 0x0A {
                if output.last == 0x0D { output.removeLast() }
                output += replacement
            } else {
                output.append(byte)
            }
        }
        return String(bytes: output)
    }
}

extension TextFilters {
    private static func replace(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        let (text, needle, replacement) = (call.text.bytes, call.text(0).bytes, call.text(1).bytes)
        let occurrences = needle.isEmpty ? text.count + 1 : text.count / needle.count
        try call.reserve(LiquidFilterCall.saturating(occurrences, replacement.count / 4))
        if needle.isEmpty { return .string(interleaved(call.text, replacement)) }
        guard var found = text.firstIndex(of: needle) else { return .string(call.text) }
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var start = 0
        while true {
            output += text[start..<found]
            output += replacement
            if output.count > call.limits.memoryBytes { try call.reserve(output.count) }
            start = found + needle.count
            guard let next = text.firstIndex(of: needle, from: start) else { break }
            found = next
        }
        output += text[start...]
        return .string(String(bytes: output))
    }

    private static func interleaved(_ text: String, _ separator: [UInt8]) -> String {
        var output = separator
        for scalar in text.unicodeScalars {
            output.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
            output += separator
        }
        return String(bytes: output)
    }

    private static func replaceFirst(_ call: LiquidFilterCall) -> LiquidValue {
        let (text, needle) = (call.text.bytes, call.text(0).bytes)
        return spliced(call, needle.isEmpty ? 0 : text.firstIndex(of: needle))
    }

    private static func replaceLast(_ call: LiquidFilterCall) -> LiquidValue {
        spliced(call, call.text.bytes.lastIndex(of: call.text(0).bytes))
    }

    private static func spliced(_ call: LiquidFilterCall, _ place: Int?) -> LiquidValue {
        guard let place else { return .string(call.text) }
        let text = call.text.bytes
        let end = place + call.text(0).utf8.count
        return .string(String(bytes: text[..<place] + call.text(1).utf8 + text[end...]))
    }

    private static func split(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        let (text, pattern) = (call.text, call.text(0))
        try call.reserve(LiquidFilterCall.saturating(text.utf8.count, 8))
        if pattern.isEmpty { return .array(text.unicodeScalars.map { .string(String($0)) }) }
        if pattern == " " { return .array(words(text).map { .string($0) }) }
        let (bytes, needle) = (text.bytes, pattern.bytes)
        var parts: [String] = []
        var start = 0
        while let found = bytes.firstIndex(of: needle, from: start) {
            parts.append(String(bytes: bytes[start..<found]))
            start = found + needle.count
        }
        parts.append(String(bytes: bytes[start...]))
        while parts.last?.isEmpty == true { parts.removeLast() }
        return .array(parts.map { .string($0) })
    }

    /// The words of a text; when there are more than the most wanted, the last one is all the rest.
    private static func words(_ text: String, most: Int = .max) -> [String] {
        text.utf8.split(maxSplits: most, whereSeparator: \.isLiquidSpace).map { String(Substring($0)) }
    }

    private static func truncate(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        guard !call.input.isNull else { return .null }
        let length = call.arguments.isEmpty ? 50 : try call[0].integer()
        let ending = call.arguments.count < 2 ? "..." : call.text(1)
        let scalars = call.text.unicodeScalars
        guard scalars.count > length else { return .string(call.text) }
        // No text is shorter than nothing, so a length below it is none.
        let kept = max(0, max(0, length) - ending.unicodeScalars.count)
        return .string(String(scalars.prefix(kept)) + ending)
    }

    private static func truncateWords(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        guard !call.input.isNull else { return .null }
        let count = max(1, call.arguments.isEmpty ? 15 : try call[0].integer())
        let ending = call.arguments.count < 2 ? "..." : call.text(1)
        let text = call.text
        let words = words(text, most: count)
        // White space after the last word counts as one more, as in the reference language.
        let isLonger = words.count > count || words.count == count && text.utf8.last?.isLiquidSpace == true
        return .string(isLonger ? words.prefix(count).joined(separator: " ") + ending : text)
    }
}
