import WireJSON

extension JSONValue {
    /// The value as a YAML document: a member or element a line, texts of several lines as such.
    ///
    /// The same value always gives the same text, and `JSONValue(yaml:)` reads it back. Characters that can't be seen,
    /// or that turn the direction of writing, are escaped, so that a review shows all that there is.
    package var yaml: String {
        var writer = YAMLWriter()
        writer.document(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The value in one line of YAML, as messages show it.
    package var yamlLine: String {
        var writer = YAMLWriter()
        writer.flow(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Writes values in block style, two spaces a level.
private struct YAMLWriter {
    var bytes: [UInt8] = []

    mutating func document(_ value: JSONValue) {
        switch value {
        case .object(let members) where !members.isEmpty: object(members, level: 0)
        case .array(let elements) where !elements.isEmpty: array(elements, level: 0)
        default:
            flow(value)
            raw("\n")
        }
    }

    private mutating func object(_ members: JSONObject, level: Int) {
        for (index, member) in members.enumerated() {
            if index > 0 { indent(level) }
            key(member.key)
            raw(":")
            nested(member.value, level: level + 1, isElement: false)
        }
    }

    private mutating func array(_ elements: [JSONValue], level: Int) {
        for (index, element) in elements.enumerated() {
            if index > 0 { indent(level) }
            raw("-")
            nested(element, level: level + 1, isElement: true)
        }
    }

    /// Writes what stands behind `name:` or `-`, up to the end of its line.
    private mutating func nested(_ value: JSONValue, level: Int, isElement: Bool) {
        switch value {
        case .object(let members) where !members.isEmpty:
            begin(level, isElement)
            object(members, level: level)
        case .array(let elements) where !elements.isEmpty:
            begin(level, isElement)
            array(elements, level: level)
        case .string(let text) where YAMLText.isBlock(text): block(text, level: level)
        default:
            raw(" ")
            flow(value)
            raw("\n")
        }
    }

    /// The first member of an element stands behind its dash; that of a member on a line of its own.
    private mutating func begin(_ level: Int, _ isElement: Bool) {
        if isElement { return raw(" ") }
        raw("\n")
        indent(level)
    }

    /// Writes a text of several lines as it is; the sign says what ends it.
    private mutating func block(_ text: String, level: Int) {
        let utf8 = Array(text.utf8)
        let newlines = utf8.reversed().prefix { $0 == 0x0A }.count
        raw(newlines == 0 ? " |-" : newlines == 1 ? " |" : " |+")
        raw("\n")
        let lines = (newlines == 0 ? utf8[...] : utf8.dropLast())
            .split(separator: 0x0A, omittingEmptySubsequences: false)
        for line in lines {
            if !line.isEmpty { indent(level) }
            bytes += line
            raw("\n")
        }
    }

    mutating func flow(_ value: JSONValue) {
        switch value {
        case .string(let text): string(text)
        case .array(let elements):
            raw("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { raw(", ") }
                flow(element)
            }
            raw("]")
        case .object(let members):
            raw("{")
            for (index, member) in members.enumerated() {
                if index > 0 { raw(", ") }
                key(member.key)
                raw(": ")
                flow(member.value)
            }
            raw("}")
        default: bytes += value.bytes
        }
    }

    private mutating func key(_ name: String) {
        // `?` and `=` have meanings as names that no text of letters has.
        string(name)
    }

    private mutating func string(_ text: String) {
        if YAMLText.isPlain(text) { bytes += Array(text.utf8) } else { bytes += YAMLText.quoted(text) }
    }

    private mutating func indent(_ level: Int) {
        // safe: the depth of what was parsed, which has a limit
        bytes += [UInt8](repeating: 0x20, count: level * 2)
    }

    private mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { bytes += $0 }
    }
}

/// The form in which texts are written: as they are, as lines, or between quotation marks.
private enum YAMLText {
    /// Returns whether a text can stand without quotation marks: words that no reader of any version takes for a
    /// number, a time or a truth value, or for a sign.
    static func isPlain(_ text: String) -> Bool {
        let utf8 = Array(text.utf8)
        guard let first = utf8.first, let last = utf8.last, utf8.count <= 500 else { return false }
        guard isLetter(first) || first == UInt8(ascii: "/") || first >= 0x80, last != 0x20, last != UInt8(ascii: ":")
        else { return false }
        if reserved.contains(text.lowercased()) || text.unicodeScalars.contains(where: isHidden) { return false }
        return !zip(utf8, utf8.dropFirst() + [0x20]).contains { byte, next in
            byte < 0x20 || signs.contains(byte) || (byte == UInt8(ascii: ":") && next == 0x20)
                || (byte == 0x20 && next == UInt8(ascii: "#"))
        }
    }

    /// Returns whether a text has lines, all of which can stand as they are.
    static func isBlock(_ text: String) -> Bool {
        let utf8 = Array(text.utf8)
        guard utf8.contains(0x0A), let first = utf8.first, first > 0x20 else { return false }
        let nexts = utf8.dropFirst() + [0x0A]
        let endsInSpace = zip(utf8, nexts).contains { $1 == 0x0A && ($0 == 0x20 || $0 == 0x09) }
        return !endsInSpace && !text.unicodeScalars.contains { $0 != "\n" && $0 != "\t" && isHidden($0) }
    }

    /// The text between quotation marks, with what can't be seen escaped.
    static func quoted(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = [0x22]
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += [0x5C, 0x22]
            case "\\": bytes += [0x5C, 0x5C]
            case "\n": bytes += [0x5C, UInt8(ascii: "n")]
            case "\t": bytes += [0x5C, UInt8(ascii: "t")]
            case let scalar where isHidden(scalar): bytes += escape(scalar.value)
            default: bytes += Array(String(scalar).utf8)
            }
        }
        return bytes + [0x22]
    }

    private static func escape(_ value: UInt32) -> [UInt8] {
        let (sign, count) = value < 0x100 ? ("x", 2) : value < 0x1_0000 ? ("u", 4) : ("U", 8)
        let digits = "0000000" + String(value, radix: 16, uppercase: true)
        // safe: two, four or eight
        return Array("\\\(sign)".utf8) + digits.utf8.suffix(count)
    }

    /// Words that some version of YAML takes for something else.
    private static let reserved: Set<String> = [
        "null", "true", "false", "yes", "no", "on", "off", "y", "n", "~", "nan", "inf",
    ]

    /// The characters that mean something to YAML within a line, or are easily taken for such.
    private static let signs = Set("\"\\{}[],&*!|>%@`\u{7F}".utf8)

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    /// Returns whether a scalar can't be seen: a control or format character, a separator of lines, or unassigned.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if (0x20...0x7E).contains(scalar.value) { return false }
        switch scalar.properties.generalCategory {
        // Families of emoji are joined by a format character.
        case .format: return scalar.value != 0x200D
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: return true
        default: return scalar.value == 0xA0 || scalar.value == 0xFEFF
        }
    }
}
