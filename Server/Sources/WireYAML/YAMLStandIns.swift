/// A YAML text in which other characters stand for what its reader can't be trusted with.
///
/// The library follows aliases while it reads, and compares names that repeat themselves before anybody can count what
/// they come to. And it loses U+FEFF where a text begins with it. Here a character of the private use area, of which
/// there is no trace in the text, stands for each `*`: no alias is left, and ``alias(_:)`` finds those there were.
struct YAMLStandIns {
    /// The text to read.
    let text: String

    /// The ways in which U+FEFF is written.
    private static let marks = ["\u{FEFF}", #"\uFEFF"#, #"\ufeff"#]
    private static let risks = ["*"] + marks

    /// The scalar that stands for `*`, or `nil` where none does.
    private var star: Unicode.Scalar?
    /// The scalars that stand for U+FEFF, by how it was written.
    private var marks: [(standIn: Unicode.Scalar, written: String)] = []

    /// Puts characters in the place of others, or returns `nil` where a text has each character that could be used.
    init?(_ text: String) {
        guard Self.risks.contains(where: { Self.replace($0, with: "", in: text).utf8.count < text.utf8.count }) else {
            self.text = text
            return
        }
        let free = Self.freeScalars(in: text, count: 4)
        guard free.count == 4 else { return nil }
        star = free[0]
        marks = zip(free.dropFirst(), Self.marks).map { (standIn: $0, written: $1) }
        // One at its beginning is a sign of the encoding.
        var scalars = text.unicodeScalars[...]
        if scalars.first == "\u{FEFF}" { scalars = scalars.dropFirst() }
        var changed = String(Substring(scalars))
        for (scalar, written) in marks {
            let isEscape = written.utf8.first == UInt8(ascii: "\\")
            changed = Self.replace(written, with: isEscape ? Self.escape(scalar) : String(scalar), in: changed)
        }
        self.text = Self.replace("*", with: String(free[0]), in: changed)
    }

    /// The name of the alias that a plain text was, or `nil` where it was none.
    func alias(_ text: String) -> String? {
        guard let star, text.unicodeScalars.first == star else { return nil }
        return String(String.UnicodeScalarView(text.unicodeScalars.dropFirst()))
    }

    /// Returns a text that was read with what it said.
    func restored(_ text: String) -> String {
        guard let star else { return text }
        var text = Self.replace(String(star), with: "*", in: text)
        for (scalar, written) in marks {
            text = Self.replace(String(scalar), with: "\u{FEFF}", in: text)
            // Between no or single quotation marks, it was no escape.
            text = Self.replace(Self.escape(scalar), with: written, in: text)
        }
        return text
    }

    // MARK: Bytes

    private static func escape(_ scalar: Unicode.Scalar) -> String { "\\u" + String(scalar.value, radix: 16) }

    /// Characters for private use that a text neither has nor could have by an escape, since not even their digits are
    /// in it.
    private static func freeScalars(in text: String, count: Int) -> [Unicode.Scalar] {
        var used = Set(text.unicodeScalars.map(\.value).filter { (0xE000...0xF8FF).contains($0) })
        // The last four digits, of which the first goes out with each further one.
        var (value, digits) = (UInt32(0), 0)
        for byte in text.utf8 {
            guard let digit = hexDigit(byte) else {
                (value, digits) = (0, 0)
                continue
            }
            value = (value << 4 | digit) & 0xFFFF
            digits = min(digits + 1, 4)
            if digits == 4 { used.insert(value) }
        }
        let free = (UInt32(0xE000)...0xF8FF).lazy.filter { !used.contains($0) }.prefix(count)
        return free.compactMap(Unicode.Scalar.init)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte & 0x0F)
        // The letters have the numbers from 1 to 6 there.
        case 0x41...0x46, 0x61...0x66: UInt32((byte & 0x0F) + 9)
        default: nil
        }
    }

    /// Replaces bytes by others, since what looks alike isn't the same here.
    private static func replace(_ old: String, with new: String, in text: String) -> String {
        let (bytes, old, new) = (Array(text.utf8), Array(old.utf8), Array(new.utf8))
        guard let first = old.first, bytes.contains(first) else { return text }
        var (result, index): ([UInt8], Int) = ([], 0)
        result.reserveCapacity(bytes.count)
        while index < bytes.count {
            if bytes[index] == first, bytes[index...].starts(with: old) {
                result += new
                index += old.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
