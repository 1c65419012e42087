/// A string as it is spelled: what stands between its quotes, and what has to be done with it.
struct StringToken {
    var range: Range<Int>
    var isEscaped: Bool
    var isASCII: Bool

    /// Whether the bytes are the string.
    var isPlain: Bool { isASCII && !isEscaped }
}

extension JSONReader {
    /// Passes over a string, from its opening quote; escapes and UTF-8 are checked by ``decode(_:)``.
    mutating func scanString() throws(JSONError) -> StringToken {
        let start = offset + 1
        var index = start
        var isEscaped = false
        var seen: UInt64 = 0
        while true {
            index = EightBytes.endOfRun(in: text, from: index, seen: &seen)
            guard index < text.count else { throw JSONError("The text ends inside a string", at: text.count) }
            let byte = text[index]
            if byte == UInt8(ascii: "\"") { break }
            guard byte == UInt8(ascii: "\\") else {
                throw JSONError("A control character stands in a string", at: index)
            }
            isEscaped = true
            index += 2
        }
        offset = index + 1
        return StringToken(range: start..<index, isEscaped: isEscaped, isASCII: seen & EightBytes.highBits == 0)
    }

    /// Makes the string, or says what is wrong with it.
    func decode(_ token: StringToken) throws(JSONError) -> String {
        // safe: the string was read there
        let raw = UnsafeBufferPointer(rebasing: text[token.range])
        if token.isPlain { return String(decoding: raw, as: UTF8.self) }
        let string =
            if token.isEscaped {
                String(validating: try unescape(raw, at: token.range.lowerBound), as: UTF8.self)
            } else {
                String(validating: raw, as: UTF8.self)
            }
        guard let string else { throw JSONError("A string is not valid UTF-8", at: token.range.lowerBound) }
        return string
    }

    private func unescape(_ raw: UnsafeBufferPointer<UInt8>, at start: Int) throws(JSONError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var index = 0
        while index < raw.count {
            guard raw[index] == UInt8(ascii: "\\") else {
                bytes.append(raw[index])
                index += 1
                continue
            }
            guard let length = Self.appendEscape(raw, index, to: &bytes) else {
                throw JSONError("A string has an escape that JSON does not know", at: start + index)
            }
            index += length
        }
        return bytes
    }

    /// Appends what the escape at a place means and returns its length, or returns `nil` where JSON has no such escape.
    // bounded: an escape has six bytes, or twelve
    private static func appendEscape(
        _ raw: UnsafeBufferPointer<UInt8>,
        _ index: Int,
        to bytes: inout [UInt8]
    ) -> Int? {
        guard index + 1 < raw.count else { return nil }
        switch raw[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(raw[index + 1])
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"):
            guard let (scalar, length) = unicodeEscape(raw, index) else { return nil }
            bytes.append(contentsOf: scalar.utf8)
            return length
        default: return nil
        }
        return 2
    }

    /// A scalar of one escape, or of two that are a surrogate pair.
    private static func unicodeEscape(_ raw: UnsafeBufferPointer<UInt8>, _ index: Int) -> (Unicode.Scalar, Int)? {
        guard let high = hexadecimal(raw, index + 2) else { return nil }
        if let scalar = Unicode.Scalar(high) { return (scalar, 6) }
        guard high < 0xDC00, index + 7 < raw.count, raw[index + 6] == UInt8(ascii: "\\"),
            raw[index + 7] == UInt8(ascii: "u"), let low = hexadecimal(raw, index + 8), 0xDC00...0xDFFF ~= low,
            // safe: two surrogates make a scalar, and their ranges were asked for
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else { return nil }
        return (scalar, 12)
    }

    private static func hexadecimal(_ raw: UnsafeBufferPointer<UInt8>, _ start: Int) -> UInt32? {
        guard start + 4 <= raw.count else { return nil }
        var value: UInt32 = 0
        // safe: there are four, as was asked for
        for byte in raw[start..<start + 4] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default: return nil
            }
        }
        return value
    }
}

/// Looks at eight bytes of a string at a time for one that JSON treats specially.
enum EightBytes {
    static let highBits: UInt64 = 0x8080_8080_8080_8080
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// The place of the next quote, backslash or control character, or the end; past the end where `start` is.
    ///
    /// `seen` gathers the bits of the bytes before that place, to tell whether they were all ASCII.
    @inline(__always)
    static func endOfRun(in text: UnsafeBufferPointer<UInt8>, from start: Int, seen: inout UInt64) -> Int {
        var index = start
        let pointer = UnsafeRawPointer(text.baseAddress)
        while index &+ 8 <= text.count, let pointer {
            let word = pointer.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard !hasSpecial(word) else { break }
            seen |= word
            index &+= 8
        }
        while index < text.count {
            let byte = text[index]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
            seen |= UInt64(byte)
            index &+= 1
        }
        return index
    }

    /// Whether one of the bytes is a quote, a backslash or below 0x20; see "Bit Twiddling Hacks", "hasless".
    @inline(__always)
    private static func hasSpecial(_ word: UInt64) -> Bool {
        let control = (word &- ones &* 0x20) & ~word
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        return (control | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & highBits != 0
    }
}
