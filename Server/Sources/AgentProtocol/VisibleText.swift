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
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard isHidden(scalar) else {
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
        // Variation selectors carry bytes beside a character that looks as ever.
        default: return (0xFE00...0xFE0E).contains(scalar.value) || (0xE0100...0xE01EF).contains(scalar.value)
        }
    }
}
