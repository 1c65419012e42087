/// Writes texts so that whoever reads them sees all of them.
///
/// A model reads characters that no person sees: the tags of U+E0000, zero-width ones, those that turn the direction.
/// A card that has them would say something to the agent that the person who looks over its shoulder can't.
package enum VisibleText {
    /// Returns a text in which each character that isn't seen stands as JSON writes it: `\u200b`.
    ///
    /// In a text of JSON, where it can only stand in a string, the value stays the same.
    package static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var (visible, last) = (String.UnicodeScalarView(), Unicode.Scalar(0x20 as UInt8))
        for scalar in text.unicodeScalars {
            defer { last = scalar }
            // The selector of an emoji's picture is seen by what it does.
            let isSeen = !isHidden(scalar) || scalar.value == 0xFE0F && !last.isASCII && last.properties.isEmoji
            guard !isSeen else {
                visible.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                visible.append(contentsOf: "\\u".unicodeScalars)
                visible.append(contentsOf: String(repeating: "0", count: max(4 - digits.count, 0)).unicodeScalars)
                visible.append(contentsOf: digits.unicodeScalars)
            }
        }
        return String(visible)
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return true
        // Variation selectors, which carry bytes beside a character that looks as ever, and letters without a form.
        default: return scalar.properties.isDefaultIgnorableCodePoint || blanks.contains(scalar.value)
        }
    }

    /// The scalars that have a form by their properties, and show none: blank braille, a filler of Old Chinese, a
    /// note's blank head.
    private static let blanks: Set<UInt32> = [0x2800, 0x16FE4, 0x1D159]
}
