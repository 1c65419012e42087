import Testing
import WireJSON
import WireYAML

@Suite("YAML")
struct YAMLTests {
    @Test("says the same as JSON")
    func values() throws {
        // Given the kinds of value, in both spellings
        let yaml = "a: 1\nb: [true, 1.5, ~, x, '5', \"y\"]\nc: {d: 2027-01-31T09:00:00Z}\n"
        let json = #"{"a":1,"b":[true,1.5,null,"x","5","y"],"c":{"d":"2027-01-31T09:00:00Z"}}"#
        // Then both are the same value, in the same order
        #expect(try JSONValue(yaml: yaml) == JSONValue(parsing: json))
        #expect(try JSONValue(yaml: json).text == json)
    }

    @Test("that is wrong is refused with its line")
    func wrong() {
        let error = #expect(throws: YAMLError.self) { try JSONValue(yaml: "a: 1\nb: [1\nc: 2\n") }
        #expect(error?.line != nil)
        #expect(throws: YAMLError.self) { try JSONValue(yaml: "a: 1\na: 2") }
        #expect(throws: YAMLError.self) { try JSONValue(yaml: "[1]: 2") }
    }

    @Test("has the meanings of version 1.2, in which no text turns into a number or a truth value by surprise")
    func coreSchema() throws {
        let texts = [
            "NO", "yes", "off", "22:30", "1_000", "2026-01-01", "1.2.3", "-", ".", "e5", "+", "0b1", "1e", "inf",
        ]
        for text in texts { #expect(try JSONValue(yaml: "- \(text == "-" ? "'-'" : text)") == [.string(text)]) }
        #expect(
            try JSONValue(yaml: "[~, null, true, FALSE, 0x1F, 0o17, 007, +5, 5.0]")
                == [.null, .null, true, false, 31, 15, 7, 5, 5]
        )
        #expect(try JSONValue(yaml: "[.5, 1e3, 1.5, -2, 1e18]") == [0.5, 1_000, 1.5, -2, .number(1e18)])
        #expect(try JSONValue(yaml: "[!!str 1, '1', !!str true]") == ["1", "1", "true"])
    }

    @Test("has numbers of any size without ending the process")
    func largeNumbers() throws {
        #expect(try JSONValue(yaml: "1000181804461000194:7360") == "1000181804461000194:7360")
        #expect(try JSONValue(yaml: "9223372036854775807") == .integer(.max))
        #expect(try JSONValue(yaml: "9223372036854775808") == JSONValue(parsing: "9223372036854775808"))
        #expect(throws: YAMLError.self) { try JSONValue(yaml: "a: 1e400") }
    }

    @Test("that repeats itself by aliases is refused before it fills the memory")
    func aliases() throws {
        #expect(try JSONValue(yaml: "a: &x [1]\nb: *x") == ["a": [1], "b": [1]])
        var bomb = "a0: &a0 [x]\n"
        for level in 1...30 {
            bomb += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1), *a\(level - 1)]\n"
        }
        #expect(throws: YAMLError.self) { try JSONValue(yaml: bomb) }
    }

    /// Lines of which each has ten times what the one before it has.
    private static let bomb =
        "a: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
        + (1...8).map { level in
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ",")
            return "b\(level): &a\(level) [\(aliases)]\n"
        }
        .joined()

    // Each would take years where names are compared before they are counted.
    @Test(
        "that repeats itself in a name is refused before it is compared with other names",
        .timeLimit(.minutes(20)),
        arguments: ["? *a8\n: 1\n", "*a8 : 1\n", "z: {*a8 : 1}", "z: {? [*a8] : 1}", "z: [? {x: *a8}]", "[*a8]: 1\n"]
    )
    func aliasesInNames(end: String) {
        #expect(throws: YAMLError.self) { try JSONValue(yaml: Self.bomb + end) }
    }

    @Test("has aliases for values and names, which mean the last anchor before them")
    func anchors() throws {
        #expect(try JSONValue(yaml: "- &a x\n- *a\n- {*a : 1, b: *a}\n") == ["x", "x", ["x": 1, "b": "x"]])
        #expect(try JSONValue(yaml: "- &k 1\n- {*k : *k}\n") == [1, ["1": 1]])
        #expect(try JSONValue(yaml: "a: &x 1\nb: &y [*x]\nc: &x 2\nd: *y\ne: *x\n")["d"] == [1])
        #expect(try JSONValue(yaml: "a: &x 1\nb: &x 2\nc: *x\n")["c"] == 2)
        let nested = try JSONValue(yaml: "a: &x-1_y {b: &z [1]}\nc: *x-1_y # note\nd:\n  - *z\n  - *x-1_y\n")
        #expect(nested["c"] == ["b": [1]] && nested["d"] == [[1], ["b": [1]]])
        let wrong = [
            "a: *x", "a: &x [*x]", "a: *x\nb: &x 1", "a: &x 1\nb: *x y", "a: * x", "a: *", "a: **/b",
            "- &x [1]\n- *x : 1",
            "- &x a\n- {a: 1, *x : 2}",
        ]
        for text in wrong { #expect(throws: YAMLError.self, "\(text)") { try JSONValue(yaml: text) } }
        let error = #expect(throws: YAMLError.self) { try JSONValue(yaml: "a: 1\nb: *bold* x\n") }
        #expect(error?.line == 2)
    }

    @Test("is as deep as what its aliases stand for", arguments: [1, 20, 30])
    func depthOfAliases(levels: Int) throws {
        func nested(_ inner: String, _ count: Int) -> String {
            String(repeating: "[", count: count) + inner + String(repeating: "]", count: count)
        }
        func document(_ levels: Int) -> String { "- &a \(nested("x", levels))\n- \(nested("*a", levels))\n" }
        func plain(_ levels: Int) -> String { "- \(nested("x", 2 * levels))\n" }
        for levels in [levels, levels + 1, levels + 2] {
            let isRead = (try? JSONValue(yaml: plain(levels))) != nil
            #expect(((try? JSONValue(yaml: document(levels))) != nil) == isRead, "\(levels)")
        }
    }

    @Test("keeps asterisks, marks of byte order and what looks like their escapes, wherever they stand")
    func standIns() throws {
        let mark = "\u{FEFF}"
        let cases: [(String, JSONValue)] = [
            ("a * b", "a * b"), ("'*a'", "*a"), ("\"*a*\"", "*a*"), ("|\n  *a*\n  * b", "*a*\n* b"),
            (#""\uFEFFa""#, .string(mark + "a")), (#""\ufeffa\uFEFF""#, .string(mark + "a" + mark)),
            ("'\(mark)a'", .string(mark + "a")), ("a\(mark)", .string("a" + mark)),
            (#"'\uFEFF'"#, #"\uFEFF"#), (#"a\ufeff"#, #"a\ufeff"#), (#""\\uFEFF""#, #"\uFEFF"#),
            (mark + "'*'", "*"), (#""\uE000*""#, "\u{E000}*"), ("'\u{E000}\u{E001}*'", "\u{E000}\u{E001}*"),
            (#""\ue000*e001""#, "\u{E000}*e001"),
        ]
        for (text, value) in cases {
            #expect(try JSONValue(yaml: text) == value, "\(text)")
        }
        let all = String(String.UnicodeScalarView((0xE000...0xF8FF).compactMap(Unicode.Scalar.init)))
        #expect(try JSONValue(yaml: "'\(all)'") == .string(all))
        #expect(throws: YAMLError.self) { try JSONValue(yaml: "'*\(all)'") }
    }

    @Test("that nests deeper than JSON may is refused")
    func depth() {
        #expect(throws: YAMLError.self) { try JSONValue(yaml: String(repeating: "[", count: 200)) }
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(throws: YAMLError.self) { try JSONValue(yaml: deep) }
        let deepest = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(throws: YAMLError.self) { try JSONValue(yaml: deepest) }
    }

    @Test("has one document, and without one is null", arguments: ["", "\n\n", "# note\n", "---\n", "~"])
    func documents(text: String) throws {
        #expect(try JSONValue(yaml: text) == .null)
        for more in ["a: 1\n---\nb: 2\n", "1\n---\n\n---\n2"] {
            #expect(throws: YAMLError.self) { try JSONValue(yaml: more) }
        }
        #expect(try JSONValue(yaml: "---\r\na: 1\r\nb: |\r\n  x\r\n  y\r\n") == ["a": 1, "b": "x\ny\n"])
    }
}
