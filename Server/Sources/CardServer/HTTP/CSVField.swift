/// Fields of comma-separated values, RFC 4180, that a spreadsheet shows and doesn't run.
package enum CSVField {
    /// What spreadsheets take for the beginning of a formula, also as it is typed in Japanese.
    private static let formulaStarts: Set<Character> = ["=", "+", "-", "@", "\t", "\r", "\r\n", "＝", "＋", "－", "＠"]

    /// Returns a text as a field.
    ///
    /// What would begin a formula gets an apostrophe in front. A line stays a line, so that an export can be gone on with
    /// after its last one.
    package static func text(_ text: String) -> String {
        let beginsFormula =
            text.first.map(formulaStarts.contains) ?? false
            || text.first { !$0.isWhitespace }.map(formulaStarts.contains) ?? false
        return quoted(beginsFormula ? "'" + text : text)
    }

    /// Returns a number, a truth value or JSON as a field: it is what it is, also where it begins with a minus.
    package static func literal(_ text: String) -> String { quoted(text) }

    private static func quoted(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        let flat = text.replacing(/\r\n|\r|\n/, with: " ")
        return "\"" + flat.replacing("\"", with: "\"\"") + "\""
    }
}
