import Testing
import WireJSON
import WireYAML

@Suite("YAML that is written")
struct YAMLTextTests {
    /// Texts that a reader of some version takes for something else, that end early, or that can't be seen.
    private static let texts = [
        "", " ", "a", "yes", "NO", "null", "~", "1", "1.5", "-", "- a", "?", ": a", "a:", "a: b", "a #b", "#", "a,b",
        "[a]", "{a}",
        "'a'", "\"a\"", "a\"b", "\\", "&a", "*a", "!a", "|", ">", "%a", "@a", "`a", "0x1F", "22:30", "2026-01-01", "=",
        "<<",
        "a\nb", "a\n", "a\n\n", "\na", "\n", " a\nb", "a \nb", "a\n b", "a\n\n\nb\n", "a\tb", "\ta\nb", "a\n\tb",
        "a\r\nb", "---",
        "a\n---\nb", "...", "a\n...\n", "# a\nb", "- a\n- b", "\u{0}", "a\u{7F}", "\u{85}", "a\u{2028}b",
        "a\n\u{202E}b",
        "é", "e\u{301}", "\u{301}", "👩‍👩‍👧", "🏳️‍🌈", "مرحبا", "\u{FFFF}", "\u{E000}", "\u{10FFFF}",
        "https://example.com/?a=b#c", "a: |\n  b", "\u{FEFF}", "\u{FEFF}Hello", "\u{FEFF}\u{FEFF}a\nb",
        "a\n\u{FEFF}b\u{FEFF}",
        #"\uFEFF"#, #"\ufeffa*"#, "*a*\n* b\n", "a*", "\u{2029}", "\u{2028}a", "\u{85}\n", "\u{FFFE}", "\u{FFFD}",
        "\u{9F}a",
        "a ", "a\t", "\t", "a\n ", "a\n\t", " \n", "\u{A0}a", "\u{E000}*", "\u{F8FF}\u{FEFF}", "\u{1FFFE}", "\r",
        "\r\n",
    ]
    /// Each character of which a reader could take another meaning: controls, separators, spaces and those without one.
    private static let characters: [UInt32] =
        Array(0x00...0xA0) + Array(0x2000...0x206F)
        + [
            0xAD, 0x1680, 0x3000, 0xD7FF, 0xE000, 0xF8FF, 0xFDD0, 0xFEFF, 0xFFF9, 0xFFFC, 0xFFFD, 0xFFFE, 0xFFFF,
            0x1_FFFF,
            0x10_FFFF,
        ]

    @Test("is read back as it was, whatever texts there are", arguments: texts)
    func roundTrip(text: String) throws {
        let value: JSONValue = ["a": .string(text), "b": [.string(text), ["c": .string(text)]], "d": "end"]
        #expect(try JSONValue(yaml: value.yaml) == value)
        #expect(try JSONValue(yaml: value.yamlLine) == value)
        let named = JSONValue.object([text: [text: "x"]])
        #expect(try JSONValue(yaml: named.yaml) == named)
        #expect(try JSONValue(yaml: JSONValue.string(text).yaml) == .string(text))
    }

    @Test("is read back as it was, whatever character begins, ends or is in a text")
    func everyCharacter() throws {
        for character in Self.characters.compactMap({ Unicode.Scalar($0) }) {
            let one = String(character)
            for text in [one, one + "a", "a" + one, "a" + one + "b", one + "a\nb", "a\n" + one + "b\n"] {
                let value: JSONValue = ["a": .string(text), "b": [.string(text)]]
                let named = JSONValue.object([text: .string(text)])
                let name = "U+\(String(character.value, radix: 16)) in \(value.yamlLine)"
                #expect(try JSONValue(yaml: value.yaml).text == value.text, "\(name)")
                #expect(try JSONValue(yaml: value.yamlLine).text == value.text, "\(name)")
                #expect(try JSONValue(yaml: named.yaml).text == named.text, "\(name)")
            }
        }
    }

    @Test("has marks of byte order as escapes, which other readers know")
    func byteOrderMark() {
        #expect(JSONValue.string("\u{FEFF}Hello").yaml == "\"\\uFEFFHello\"\n")
    }

    @Test("is read back as it was, of random values")
    func random() throws {
        var generator = SystemRandomNumberGenerator()
        let scalars = Array("ab \n\t:#-'\"\\|>&*!%@[]{},?~é0\u{85}\u{2028}\u{200B}\r\u{FEFF}".unicodeScalars)
        func text() -> String {
            let count = Int.random(in: 0...12, using: &generator)
            return String(
                String.UnicodeScalarView((0..<count).compactMap { _ in scalars.randomElement(using: &generator) })
            )
        }
        func value(_ depth: Int) -> JSONValue {
            switch Int.random(in: 0..<(depth > 3 ? 6 : 8), using: &generator) {
            case 0: .null
            case 1: .bool(.random(using: &generator))
            case 2: .integer(.random(in: .min ... .max, using: &generator))
            case 3: .number(Double.random(in: -1e9...1e9, using: &generator))
            case 4, 5: .string(text())
            case 6: .array((0..<Int.random(in: 0...3, using: &generator)).map { _ in value(depth + 1) })
            default:
                .object(
                    JSONObject(
                        (0..<Int.random(in: 0...3, using: &generator)).map { ("\($0)\(text())", value(depth + 1)) },
                        uniquingKeysWith: { _, last in last }
                    )
                )
            }
        }
        for _ in 0..<3_000 {
            let value = value(0)
            let yaml = value.yaml
            let again = try? JSONValue(yaml: yaml)
            #expect(again == value, "\(value.text) became \(yaml)")
            #expect(yaml.unicodeScalars.allSatisfy { $0.value != 0x200B && $0.value != 0x2028 && $0.value != 0x0D })
        }
    }

    @Test("has a member a line, and texts of several lines as such")
    func form() {
        let value: JSONValue = [
            "id": "spring", "tags": ["a", "7"], "rules": [:],
            "variants": [["id": "a", "card": ["title": "Spring: now", "description": "One\nTwo\n"]], ["id": "b"]],
            "pinned": true,
        ]
        #expect(
            value.yaml == """
                id: spring
                tags:
                  - a
                  - "7"
                rules: {}
                variants:
                  - id: a
                    card:
                      title: "Spring: now"
                      description: |
                        One
                        Two
                  - id: b
                pinned: true

                """
        )
    }

    @Test("shows what turns the direction of writing")
    func direction() {
        #expect(JSONValue.string("a\u{202E}b").yaml == "\"a\\u202Eb\"\n")
        #expect(JSONValue.string("a\u{1B}[2J").yamlLine == "\"a\\x1B[2J\"")
    }

    @Test("has lines by which a place is found")
    func lines() {
        let lines = YAMLLines("a: 1\nb:\n  - c: 2\n  - {c: 3,\n     d: 4}\n")
        #expect(lines.line(of: "a") == 1)
        #expect(lines.line(of: "b[0].c") == 3)
        #expect(lines.line(of: "b[1].d") == 5)
        #expect(lines.line(of: "b[1].missing") == 4)
        #expect(lines.line(of: "b[7].c") == 2)
        #expect(lines.line(of: "") == nil)
        #expect(YAMLLines("a: [").line(of: "a") == nil)
    }
}
