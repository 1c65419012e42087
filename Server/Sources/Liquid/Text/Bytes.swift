extension UInt8 {
    /// White space as whitespace control and `strip` see it.
    var isLiquidSpace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
    var isDigit: Bool { self >= 0x30 && self <= 0x39 }
    var isLetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }
    /// The value of a hexadecimal digit; `nil` for what is none.
    var hexadecimalValue: UInt8? {
        // safe: a digit
        if isDigit { return self - 0x30 }
        let letter = self | 0x20
        // safe: a letter from a to f
        return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : nil
    }
    /// A letter, digit or underscore.
    var isWord: Bool { isLetter || isDigit || self == 0x5F }

    init(ascii character: Unicode.Scalar) {
        self = UInt8(truncatingIfNeeded: character.value)
    }
}

extension String {
    /// Decodes bytes, replacing what is not UTF-8.
    init(bytes: some Collection<UInt8>) {
        self = String(decoding: bytes, as: UTF8.self)
    }

    var bytes: [UInt8] { Array(utf8) }
}

extension Array where Element == UInt8 {
    func matches(_ needle: [UInt8], at place: Int) -> Bool {
        guard needle.count <= count - place else { return false }
        // safe: the needle fits in what is left
        for offset in needle.indices where self[place + offset] != needle[offset] {
            return false
        }
        return true
    }
}

extension Substring.UTF8View {
    /// Removes the first word with the white space before it, and returns it; `nil` when there is none left.
    mutating func takeWord() -> String? {
        guard let start = firstIndex(where: { !$0.isLiquidSpace }) else { return nil }
        let word = self[start...].prefix { !$0.isLiquidSpace }
        self = self[word.endIndex...]
        return String(Substring(word))
    }
}
