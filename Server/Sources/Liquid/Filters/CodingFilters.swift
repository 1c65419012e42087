/// Filters that encode and decode.
enum CodingFilters {
    static let all: [LiquidFilter] = [
        LiquidFilter("base64_decode", apply: base64Decode),
        LiquidFilter("base64_encode", apply: base64Encode),
        LiquidFilter("base64_url_safe_decode", apply: base64URLDecode),
        LiquidFilter("base64_url_safe_encode", apply: base64URLEncode),
        LiquidFilter("escape", apply: escape),
        LiquidFilter("escape_once", apply: escapeOnce),
        LiquidFilter("h", apply: escape),
        LiquidFilter("strip_html", apply: stripHTML),
        LiquidFilter("url_decode", apply: urlDecode),
        LiquidFilter("url_encode", apply: urlEncode),
    ]

    private static func escape(_ call: LiquidFilterCall) -> LiquidValue {
        guard !call.input.isNull else { return .null }
        var output: [UInt8] = []
        for byte in call.text.utf8 { appendEscaped(byte, to: &output) }
        return .string(String(bytes: output))
    }

    private static func appendEscaped(_ byte: UInt8, to output: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
        case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
        case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
        case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
        case UInt8(ascii: "'"): output.append(contentsOf: "&#39;".utf8)
        default: output.append(byte)
        }
    }

    private static func escapeOnce(_ call: LiquidFilterCall) -> LiquidValue {
        let text = call.text.bytes
        var output: [UInt8] = []
        for (place, byte) in text.enumerated() {
            if byte == UInt8(ascii: "&"), isEntity(text[(place + 1)...]) {
                output.append(byte)
            } else {
                appendEscaped(byte, to: &output)
            }
        }
        return .string(String(bytes: output))
    }

    /// Whether an entity goes on here: letters, or a sign and digits, and a semicolon.
    private static func isEntity(_ rest: ArraySlice<UInt8>) -> Bool {
        let isNumber = rest.first == UInt8(ascii: "#")
        let body = isNumber ? rest.dropFirst() : rest
        guard let end = body.firstIndex(where: { isNumber ? !$0.isDigit : !$0.isLetter }) else { return false }
        return end > body.startIndex && body[end] == UInt8(ascii: ";")
    }

    private static let htmlBlocks = [("<script", "</script>"), ("<!--", "-->"), ("<style", "</style>")]
        .map { (open: $0.bytes, close: $1.bytes) }
    private static let htmlTags = [(open: "<".bytes, close: ">".bytes)]

    private static func stripHTML(_ call: LiquidFilterCall) -> LiquidValue {
        let text = call.text.bytes
        guard text.contains(UInt8(ascii: "<")) else { return .string(call.text) }
        return .string(String(bytes: removing(htmlTags, from: removing(htmlBlocks, from: text))))
    }

    private static func removing(_ pairs: [(open: [UInt8], close: [UInt8])], from text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        // An ending that is not found once is not found later either; searching again would take quadratic time.
        var missing: [Bool] = pairs.map { _ in false }
        var start = 0
        while let opening = text[start...].firstIndex(of: UInt8(ascii: "<")) {
            output += text[start..<opening]
            if let end = end(of: pairs, in: text, at: opening, &missing) {
                start = end
            } else {
                output.append(text[opening])
                start = opening + 1
            }
        }
        return output + text[start...]
    }

    /// Where the pair ends that begins at a place.
    private static func end(
        of pairs: [(open: [UInt8], close: [UInt8])],
        in text: [UInt8],
        at opening: Int,
        _ missing: inout [Bool]
    ) -> Int? {
        for (index, pair) in pairs.enumerated() where !missing[index] && text.matches(pair.open, at: opening) {
            if let end = text.firstIndex(of: pair.close, from: opening + pair.open.count) {
                return end + pair.close.count
            }
            missing[index] = true
        }
        return nil
    }

    private static func urlEncode(_ call: LiquidFilterCall) -> LiquidValue {
        guard !call.input.isNull else { return .null }
        let text = PercentCoding.encoded(call.text, keeping: Set("-_.~ ".utf8))
        return .string(String(bytes: text.utf8.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }))
    }

    private static func urlDecode(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        guard !call.input.isNull else { return .null }
        guard let text = String(validating: PercentCoding.decoded(call.text), as: UTF8.self) else {
            throw LiquidError(.argument, "'url_decode' needs text that decodes to UTF-8.")
        }
        return .string(text)
    }

    private static func base64Encode(_ call: LiquidFilterCall) -> LiquidValue {
        .string(Base64.encoded(call.text.bytes, isURLSafe: false))
    }

    private static func base64URLEncode(_ call: LiquidFilterCall) -> LiquidValue {
        .string(Base64.encoded(call.text.bytes, isURLSafe: true))
    }

    private static func base64Decode(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        guard let bytes = Base64.decoded(call.text.bytes, isURLSafe: false) else { throw invalidBase64 }
        return .string(String(bytes: bytes))
    }

    private static func base64URLDecode(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        guard let bytes = Base64.decoded(call.text.bytes, isURLSafe: true) else { throw invalidBase64 }
        return .string(String(bytes: bytes))
    }

    private static var invalidBase64: LiquidError { LiquidError(.argument, "This text is not base64.") }
}

/// Writes bytes as `%` and two digits, and reads them.
enum PercentCoding {
    private static let digits = "0123456789ABCDEF".bytes

    static func encoded(_ text: String, keeping kept: Set<UInt8>) -> String {
        var output: [UInt8] = []
        for byte in text.utf8 {
            if byte.isLetter || byte.isDigit || kept.contains(byte) {
                output.append(byte)
            } else {
                output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(bytes: output)
    }

    /// The bytes behind percent signs, and spaces for plus signs.
    static func decoded(_ text: String) -> [UInt8] {
        let bytes = text.bytes
        var output: [UInt8] = []
        var place = 0
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count,
                bytes[place + 1].isHexadecimal, bytes[place + 2].isHexadecimal,
                let byte = UInt8(String(bytes: bytes[place + 1...place + 2]), radix: 16)
            {
                output.append(byte)
                place += 3
            } else {
                output.append(bytes[place] == UInt8(ascii: "+") ? 0x20 : bytes[place])
                place += 1
            }
        }
        return output
    }
}

/// Writes bytes as base64, and reads them.
enum Base64 {
    private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".bytes

    private static func alphabet(_ isURLSafe: Bool) -> [UInt8] {
        common + (isURLSafe ? "-_" : "+/").utf8
    }

    static func encoded(_ bytes: [UInt8], isURLSafe: Bool) -> String {
        let alphabet = alphabet(isURLSafe)
        var output: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            var quartet: [UInt8] = []
            for _ in 0..<4 {
                quartet.insert(alphabet[Int(bits & 63)], at: 0)
                bits >>= 6
            }
            output += quartet.prefix(group.count + 1)
            output += Array(repeating: UInt8(ascii: "="), count: 3 - group.count)
        }
        return String(bytes: output)
    }

    /// The bytes; `nil` for a sign outside the alphabet, a wrong length, or bits that are left over.
    ///
    /// The URL-safe form may lack its padding.
    static func decoded(_ text: [UInt8], isURLSafe: Bool) -> [UInt8]? {
        var padding = 0
        while padding < 2, padding < text.count, text[text.count - 1 - padding] == UInt8(ascii: "=") { padding += 1 }
        let isWhole = text.count % 4 == 0
        guard isWhole || (isURLSafe && padding == 0) else { return nil }
        let body = text.dropLast(padding)
        guard body.count % 4 != 1 else { return nil }
        let alphabet = alphabet(isURLSafe)
        var output: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in body {
            guard let value = alphabet.firstIndex(of: byte) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        // Bits that are left over stand for nothing.
        return bits & ((1 << UInt32(count)) - 1) == 0 ? output : nil
    }
}
