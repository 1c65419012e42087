/// Filters that encode and decode.
enum CodingFilters {
    static let all: [LiquidFilter] = [
        LiquidFilter("base64_decode", weight: 4, apply: base64Decode),
        LiquidFilter("base64_encode", weight: 4, apply: base64Encode),
        LiquidFilter("base64_url_safe_decode", weight: 4, apply: base64URLDecode),
        LiquidFilter("base64_url_safe_encode", weight: 4, apply: base64URLEncode),
        LiquidFilter("escape", apply: escape),
        LiquidFilter("escape_once", weight: 4, apply: escapeOnce),
        LiquidFilter("h", apply: escape),
        LiquidFilter("strip_html", weight: 6, apply: stripHTML),
        LiquidFilter("url_decode", weight: 4, apply: urlDecode),
        LiquidFilter("url_encode", weight: 4, apply: urlEncode),
    ]

    private static func escape(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        guard !call.input.isNull else { return .null }
        var output = call.sink
        for byte in call.text.utf8 { try appendEscaped(byte, to: &output) }
        return .string(output.text)
    }

    @inline(__always)
    private static func appendEscaped(_ byte: UInt8, to output: inout TextSink) throws(LiquidError) {
        switch byte {
        case UInt8(ascii: "&"): try output.append("&amp;")
        case UInt8(ascii: "<"): try output.append("&lt;")
        case UInt8(ascii: ">"): try output.append("&gt;")
        case UInt8(ascii: "\""): try output.append("&quot;")
        case UInt8(ascii: "'"): try output.append("&#39;")
        default: try output.append(byte)
        }
    }

    private static func escapeOnce(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        let text = call.text.bytes
        var output = call.sink
        for (place, byte) in text.enumerated() {
            if byte == UInt8(ascii: "&"), isEntity(text[(place + 1)...]) {
                try output.append(byte)
            } else {
                try appendEscaped(byte, to: &output)
            }
        }
        return .string(output.text)
    }

    /// Whether an entity goes on here: letters, or a sign and digits, and a semicolon.
    private static func isEntity(_ rest: ArraySlice<UInt8>) -> Bool {
        let isNumber = rest.first == UInt8(ascii: "#")
        let body = isNumber ? rest.dropFirst() : rest
        guard let end = body.firstIndex(where: { isNumber ? !$0.isDigit : !$0.isLetter }) else { return false }
        return end > body.startIndex && body[end] == UInt8(ascii: ";")
    }

    private static func urlEncode(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        guard !call.input.isNull else { return .null }
        return .string(try PercentCoding.form.encoded(call.text, into: call.sink))
    }

    private static func urlDecode(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        guard !call.input.isNull else { return .null }
        guard let text = String(validating: PercentCoding.decoded(call.text), as: UTF8.self) else {
            throw LiquidError(.argument, "'url_decode' needs text that decodes to UTF-8.")
        }
        return .string(text)
    }

    private static func base64Encode(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try encoded(call, .standard)
    }

    private static func base64URLEncode(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try encoded(call, .urlSafe)
    }

    private static func encoded(_ call: LiquidFilterCall, _ base64: Base64) throws(LiquidError) -> LiquidValue {
        let text = call.text
        try call.reserve(Base64.size(of: text.utf8.count))
        return .string(base64.encoded(text.bytes))
    }

    private static func base64Decode(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try decoded(call, .standard)
    }

    private static func base64URLDecode(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        try decoded(call, .urlSafe)
    }

    private static func decoded(_ call: LiquidFilterCall, _ base64: Base64) throws(LiquidError) -> LiquidValue {
        guard let bytes = base64.decoded(call.text.bytes) else {
            throw LiquidError(.argument, "This text is not base64.")
        }
        return .string(String(bytes: bytes))
    }
}

extension CodingFilters {
    private static let htmlBlocks = [
        HTMLPart(open: "<script", close: "</script>"), HTMLPart(open: "<!--", close: "-->"),
        HTMLPart(open: "<style", close: "</style>"),
    ]
    private static let htmlTags = [HTMLPart(open: "<", close: ">")]

    private static func stripHTML(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        let text = call.text
        guard text.utf8.contains(UInt8(ascii: "<")) else { return .string(text) }
        return .string(String(bytes: removing(htmlTags, from: removing(htmlBlocks, from: text.bytes))))
    }

    private static func removing(_ parts: [HTMLPart], from text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        // An ending that is not found once is not found later either; searching again would take quadratic time.
        var missing: [Bool] = parts.map { _ in false }
        var start = 0
        while let opening = text[start...].firstIndex(of: UInt8(ascii: "<")) {
            // safe: looked for from the start on
            output += text[start..<opening]
            if let end = end(of: parts, in: text, at: opening, &missing) {
                start = end
            } else {
                output.append(text[opening])
                start = opening + 1
            }
        }
        return output + text[start...]
    }

    /// Returns the end of the part that begins at a place.
    private static func end(
        of parts: [HTMLPart],
        in text: [UInt8],
        at opening: Int,
        _ missing: inout [Bool]
    ) -> Int? {
        for (index, part) in parts.enumerated() where !missing[index] && text.matches(part.open, at: opening) {
            if let end = part.close.first(in: text, from: opening + part.open.count) {
                // safe: a place in the text
                return end + part.close.needle.count
            }
            missing[index] = true
        }
        return nil
    }
}

/// The part that goes when HTML is stripped, with its ends.
private struct HTMLPart {
    let open: [UInt8]
    let close: ByteSearch

    init(open: String, close: String) {
        self.open = open.bytes
        self.close = ByteSearch(close)
    }
}
