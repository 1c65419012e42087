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

    @Test("that nests deeper than JSON may is refused")
    func depth() {
        #expect(throws: YAMLError.self) { try JSONValue(yaml: String(repeating: "[", count: 200)) }
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(throws: YAMLError.self) { try JSONValue(yaml: deep) }
        let deepest = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(throws: YAMLError.self) { try JSONValue(yaml: deepest) }
    }
}
