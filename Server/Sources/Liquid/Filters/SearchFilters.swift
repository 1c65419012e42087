/// Filters that look for one text in another.
enum SearchFilters {
    static let all: [LiquidFilter] = [
        LiquidFilter("remove", arguments: 1...1, weight: 4, apply: replace),
        LiquidFilter("remove_first", arguments: 1...1, weight: 4, apply: replaceFirst),
        LiquidFilter("remove_last", arguments: 1...1, weight: 4, apply: replaceLast),
        LiquidFilter("replace", arguments: 1...2, weight: 4, apply: replace),
        LiquidFilter("replace_first", arguments: 1...2, weight: 4, apply: replaceFirst),
        LiquidFilter("replace_last", arguments: 2...2, weight: 4, apply: replaceLast),
        LiquidFilter("split", arguments: 1...1, weight: 4, apply: split),
    ]

    // safe: places in the text, each found after the one before
    private static func replace(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        let (text, needle) = (call.text, call.text(0))
        let replacement = call.text(1).bytes
        var output = call.sink
        if needle.isEmpty {
            try output.append(replacement)
            for scalar in text.unicodeScalars {
                for byte in scalar.utf8 { try output.append(byte) }
                try output.append(replacement)
            }
            return .string(output.text)
        }
        let (bytes, search) = (text.bytes, ByteSearch(needle))
        guard var found = search.first(in: bytes, from: 0) else { return .string(text) }
        var start = 0
        while true {
            try output.append(bytes[start..<found])
            try output.append(replacement)
            start = found + search.needle.count
            guard let next = search.first(in: bytes, from: start) else { break }
            found = next
        }
        try output.append(bytes[start...])
        return .string(output.text)
    }

    private static func replaceFirst(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        let (text, needle) = (call.text.bytes, call.text(0).bytes)
        return try spliced(call, text, needle, at: needle.isEmpty ? 0 : ByteSearch(needle).first(in: text, from: 0))
    }

    private static func replaceLast(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        let (text, needle) = (call.text.bytes, call.text(0).bytes)
        return try spliced(call, text, needle, at: ByteSearch(needle).last(in: text))
    }

    // safe: a place in the text
    private static func spliced(
        _ call: LiquidFilterCall,
        _ text: [UInt8],
        _ needle: [UInt8],
        at place: Int?
    ) throws(LiquidError) -> LiquidValue {
        var output = call.sink
        guard let place else {
            try output.append(text)
            return .string(output.text)
        }
        try output.append(text[..<place])
        try output.append(call.text(1))
        try output.append(text[(place + needle.count)...])
        return .string(output.text)
    }

    // safe: places in the text, each found after the one before
    private static func split(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        let (text, pattern) = (call.text, call.text(0))
        var parts = ListSink(call.meter)
        if pattern.isEmpty {
            for scalar in text.unicodeScalars { try parts.append(String(scalar)) }
        } else if pattern == " " {
            var rest = Substring(text).utf8
            while let word = rest.takeWord() { try parts.append(word) }
        } else {
            let (bytes, search) = (text.bytes, ByteSearch(pattern))
            var start = 0
            while let found = search.first(in: bytes, from: start) {
                try parts.append(String(bytes: bytes[start..<found]))
                start = found + search.needle.count
            }
            try parts.append(String(bytes: bytes[start...]))
            parts.dropEmptyTexts()
        }
        return .array(parts.items)
    }
}
