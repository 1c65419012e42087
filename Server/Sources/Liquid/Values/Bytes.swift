extension UInt8 {
    /// White space as whitespace control and `strip` see it.
    var isLiquidSpace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
    var isDigit: Bool { self >= 0x30 && self <= 0x39 }
    var isLetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }
    var isHexadecimal: Bool { isDigit || ((self | 0x20) >= 0x61 && (self | 0x20) <= 0x66) }
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
    /// The place of the first occurrence of a non-empty needle at or after a place.
    func firstIndex(of needle: [UInt8], from start: Int = 0) -> Int? {
        guard let head = needle.first, count >= needle.count else { return nil }
        var place = start
        let last = count - needle.count
        while place <= last {
            if self[place] == head, matches(needle, at: place) { return place }
            place += 1
        }
        return nil
    }

    func matches(_ needle: [UInt8], at place: Int) -> Bool {
        guard place + needle.count <= count else { return false }
        for offset in needle.indices where self[place + offset] != needle[offset] {
            return false
        }
        return true
    }

    /// The place of the last occurrence of a needle; the end for an empty one.
    func lastIndex(of needle: [UInt8]) -> Int? {
        var place = count - needle.count
        while place >= 0 {
            if matches(needle, at: place) { return place }
            place -= 1
        }
        return nil
    }
}
