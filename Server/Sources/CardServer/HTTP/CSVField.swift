/// Fields of comma-separated values, RFC 4180, that a spreadsheet shows and doesn't run.
///
/// Texts are looked at scalar by scalar, as spreadsheets do: a mark behind a comma or an equals sign hides neither.
package enum CSVField {
    /// The scalars that spreadsheets take for the beginning of a formula, also as it is typed in Japanese.
    private static let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"]
    private static let lineBreaks: Set<Unicode.Scalar> = [
        "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}",
    ]

    /// Returns a text as a field.
    ///
    /// What would begin a formula gets an apostrophe in front. A line stays a line, so that an export can be gone on
    /// with after its last one.
    package static func text(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let visible = scalars.first {
            !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
        }
        let beginsFormula = [scalars.first, visible].contains { $0.map(formulaStarts.contains) ?? false }
        return quoted(beginsFormula ? "'" + text : text)
    }

    /// Returns a number, a truth value or JSON as a field: it is what it is, also where it begins with a minus.
    package static func literal(_ text: String) -> String { quoted(text) }

    private static func quoted(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0 == "," || $0 == "\"" || lineBreaks.contains($0) }) else {
            return text
        }
        var field = String.UnicodeScalarView("\"".unicodeScalars)
        var before: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if scalar == "\"" { field.append("\"") }
            if !(scalar == "\n" && before == "\r") { field.append(lineBreaks.contains(scalar) ? " " : scalar) }
            before = scalar
        }
        field.append("\"")
        return String(field)
    }
}
