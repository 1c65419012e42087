import WireJSON

/// Values of conditions as people type them: `41` is a number, `true` a truth value, anything else a text; in quotation
/// marks everything is one.
enum ValueText {
    static func text(of value: JSONValue, isInList: Bool = false) -> String {
        guard case .string(let text) = value else { return value.fieldText }
        guard .guessing(text) == value, !text.contains("\n") else { return value.text }
        let isOdd = text.isEmpty || text != text.trimmingSpaces || text.starts(withBytesOf: "\"")
        return isInList || isOdd ? quoting(text) : text
    }

    /// The text in quotation marks where it would not stay one item of a list without them.
    static func quoting(_ text: String) -> String {
        let isPlain = !text.isEmpty && text == text.trimmingSpaces && !hasSigns(text)
        return isPlain ? text : JSONValue.string(text).text
    }

    /// Whether a text has what divides lists, or what texts in them are quoted with.
    static func hasSigns(_ text: String) -> Bool { text.utf8.contains { ",\"\n".utf8.contains($0) } }

    static func list(of value: JSONValue) -> String {
        value.array.map { $0.map { text(of: $0, isInList: true) }.joined(separator: ", ") } ?? text(of: value)
    }

    /// The value, or `nil` where nothing was typed.
    static func value(_ text: String) -> JSONValue? {
        guard !text.trimmingSpaces.isEmpty else { return nil }
        let text = text.trimmingSpaces
        if text.starts(withBytesOf: "\""), let quoted = try? JSONValue(parsing: text), quoted.string != nil {
            return quoted
        }
        return .guessing(text)
    }

    /// Texts that stay texts, comma-separated.
    static func list(ofTexts values: JSONValue) -> String {
        (values.array ?? []).compactMap { $0.string.map(quoting) }.joined(separator: ", ")
    }

    /// The values between commas and line breaks that are not within quotation marks.
    static func values(_ text: String) -> [JSONValue] { parts(of: text).compactMap(value) }

    /// The texts between commas and line breaks, whatever they look like.
    static func texts(_ text: String) -> [String] {
        parts(of: text).map { part in
            guard part.starts(withBytesOf: "\""), let quoted = try? JSONValue(parsing: part) else { return part }
            return quoted.string ?? part
        }
    }

    private static func parts(of text: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text.unicodeScalars {
            if !isQuoted, character == "," || character == "\n" {
                parts.append("")
                continue
            }
            if character == "\"", !isEscaped, isQuoted || parts[parts.count - 1].trimmingSpaces.isEmpty {
                isQuoted.toggle()
            }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            parts[parts.count - 1].unicodeScalars.append(character)
        }
        return parts.map(\.trimmingSpaces).filter { !$0.isEmpty }
    }
}
