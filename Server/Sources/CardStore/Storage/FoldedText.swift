import Foundation

/// Texts without what people leave out or write otherwise when they look for a name: case, accents, and the width of
/// letters and kana.
///
/// A store may keep folded texts: whoever changes what folding does has to fold them again.
package enum FoldedText {
    /// Returns a text in lower case, without accents, in letters of the usual width and in hiragana.
    ///
    /// “André” becomes “andre”, “Groß” becomes “gross”, and “ｱﾝﾅ” and “アンナ” become “あんな”. Marks that make another
    /// letter stay, as those of “が” and the vowels of Thai and Devanagari, and one that stands after its kana (“か゛”)
    /// joins it. Folding what is folded changes nothing.
    ///
    /// The iteration marks “ゝ” and “ヽ” are left as they are, and are two letters: what they stand for depends on what
    /// is before them, and names are looked for as they are written.
    ///
    /// Whoever folds many texts keeps a ``Folder``.
    package static func folded(_ text: String) -> String {
        var folder = Folder()
        return folder.folded(text)
    }

    /// Folds texts, and remembers how each letter is folded: most scripts take the tables of Unicode for it.
    package struct Folder {
        /// The number of bytes of folded texts so far: what they have cost.
        package private(set) var bytes = 0
        private var known: [Unicode.Scalar: Letter] = [:]
        /// More letters than any script has; those after them are looked up each time.
        private static let room = 20_000

        /// A letter that was folded.
        private struct Letter {
            let scalars: [Unicode.Scalar]
            /// Whether it may join what is before it.
            let joins: Bool
        }

        /// Creates a folder that remembers nothing yet.
        package init() {}

        /// Returns a text as ``FoldedText/folded(_:)`` does.
        package mutating func folded(_ text: String) -> String {
            if text.utf8.allSatisfy({ $0 < 0x80 }) {
                bytes = bytes.addingReportingOverflow(text.utf8.count).partialValue
                return SearchText.lowercased(text)
            }
            var folded = String.UnicodeScalarView()
            var needsComposing = false
            for scalar in text.unicodeScalars {
                if let plain = FoldedText.plain(scalar) {
                    folded.append(plain)
                } else if let last = folded.last, let mark = FoldedText.soundMark(scalar, after: last) {
                    folded.append(mark)
                    needsComposing = true
                } else {
                    let letter = letter(scalar)
                    needsComposing = needsComposing || letter.joins
                    folded.append(contentsOf: letter.scalars)
                }
            }
            bytes = bytes.addingReportingOverflow(folded.count &* 4).partialValue
            return needsComposing ? FoldedText.composed(folded) : String(folded)
        }

        private mutating func letter(_ scalar: Unicode.Scalar) -> Letter {
            if let letter = known[scalar] { return letter }
            let scalars = FoldedText.folded(scalar)
            let letter = Letter(scalars: scalars, joins: scalars.contains(where: FoldedText.joins))
            if known.count < Self.room { known[scalar] = letter }
            return letter
        }
    }

    /// Composes a text as Unicode's form C is.
    ///
    /// Hangul is composed here: Foundation takes the scalar after the last final for one, and makes the syllable after
    /// that out of it. The numbers are those of chapter 3.12 of the Unicode Standard.
    private static func composed(_ scalars: String.UnicodeScalarView) -> String {
        var composed = ""
        // Jamo that joined nothing begin a part, so that Foundation sees none of them after a syllable.
        var part = String.UnicodeScalarView()
        for scalar in scalars {
            if let last = part.last, let syllable = syllable(last, scalar) {
                part.removeLast()
                part.append(syllable)
                continue
            }
            if (0x1100...0x11FF).contains(scalar.value) {
                composed += String(part).precomposedStringWithCanonicalMapping
                part = String.UnicodeScalarView()
            }
            part.append(scalar)
        }
        return composed + String(part).precomposedStringWithCanonicalMapping
    }

    /// Returns the syllable of hangul that a scalar makes with the one before it, or `nil` where it makes none.
    private static func syllable(_ last: Unicode.Scalar, _ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        let (first, second) = (last.value, scalar.value)
        switch (first, second) {
        case (0x1100...0x1112, 0x1161...0x1175):
            let number = (first &- 0x1100) &* 21 &+ (second &- 0x1161)
            // safe: a number below 399
            return Unicode.Scalar(0xAC00 + number &* 28)
        case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (first &- 0xAC00) % 28 == 0:
            // safe: at most 0xD7A3 and 27
            return Unicode.Scalar(first + (second &- 0x11A7))
        default: return nil
        }
    }

    /// Whether a scalar may be composed with the one before it: a mark, or a vowel or final of hangul.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: (0x1160...0x11FF).contains(scalar.value)
        }
    }

    /// Returns the mark that a sound mark of its own is after a kana, or `nil` where it stands for itself.
    private static func soundMark(_ scalar: Unicode.Scalar, after last: Unicode.Scalar) -> Unicode.Scalar? {
        switch last.value {
        // Hiragana, and the iteration marks of both kana.
        case 0x3041...0x3096, 0x309D, 0x30FD: break
        default: return nil
        }
        switch scalar {
        case "\u{309B}": return "\u{3099}"
        case "\u{309C}": return "\u{309A}"
        default: return nil
        }
    }

    /// Returns whether a text has one of some parts, by their bytes.
    package static func contains(_ text: String, anyOf parts: [String]) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            parts.contains { part in
                let part = Array(part.utf8)
                guard part.count <= bytes.count else { return false }
                // safe: compared right above
                return (0...bytes.count - part.count).contains { start in
                    part.indices.allSatisfy { bytes[start &+ $0] == part[$0] }
                }
            }
        }
    }

    /// Folds a scalar of the most usual scripts without tables, or returns `nil` where it may be composed.
    private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x41...0x5A: Unicode.Scalar(scalar.value | 0x20)
        // The rest of ASCII, hiragana with the mark of long vowels, ideographs and hangul.
        case 0...0x7F, 0x3041...0x3096, 0x30FC, 0x4E00...0x9FFF, 0xAC00...0xD7A3: scalar
        // safe: each has its hiragana as much before it
        case 0x30A1...0x30F6: Unicode.Scalar(scalar.value - 0x60)
        default: nil
        }
    }

    private static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars.lazy.filter { !isDropped($0) }
            .flatMap { part in
                if let plain = plain(part) { return [plain] }
                // Lower case first: the capital “ẞ” has no other.
                let lower = part.properties.lowercaseMapping.unicodeScalars
                let upper = lower.flatMap { $0.properties.uppercaseMapping.unicodeScalars }
                return upper.flatMap { $0.properties.lowercaseMapping.unicodeScalars }.flatMap(withoutStroke)
            }
    }

    /// Whether a scalar is an accent, a vowel of Hebrew or Arabic, or nothing that is seen.
    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isDefaultIgnorableCodePoint { return true }
        guard scalar.properties.generalCategory == .nonspacingMark else { return false }
        switch scalar.properties.canonicalCombiningClass.rawValue {
        case 10...36, 200...255: return true
        default: return false
        }
    }

    /// Returns the letters that are written where a keyboard lacks one, whose stroke isn't an accent for Unicode.
    private static func withoutStroke(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        switch scalar {
        case "ø": ["o"]
        case "ł": ["l"]
        case "đ", "ð": ["d"]
        case "ħ": ["h"]
        case "æ": ["a", "e"]
        case "œ": ["o", "e"]
        case "þ": ["t", "h"]
        default: [scalar]
        }
    }
}
