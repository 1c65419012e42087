import Testing
import WireJSON

@Suite("A JSON text is taken or refused as RFC 8259 says")
struct StrictnessTests {
    @Test(
        "What the grammar allows is taken",
        arguments: [
            "null", "true", "false", "0", "-0", "10", "-1.5e+10", "1E5", "0.0", "\"\"", "[]", "{}", " [ ] ",
            "\t{\r\n}\n",
            "[[[]]]", "[1,2]", #"{"":0}"#, #"{"a":{"b":[null]}}"#, #""\u0000""#, "\"\u{7F}\"", #""\/\b\f\n\r\t\"\\""#,
        ]
    )
    func takesGrammar(text: String) throws {
        _ = try JSONValue(parsing: text)
        try JSONReader.read(text.utf8) { reader throws(JSONError) in try reader.skipValue() }
    }

    @Test(
        "What the grammar does not allow is refused, read or passed over",
        arguments: [
            "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-Infinity", "undefined", "'a'", "+1", "01", "-01",
            "00", "-",
            "1.", ".5", "1.e5", "1e", "1e+", "1e5.5", "0x10", "1_000", "--1", "1 2", "[1 2]", "[1,]", "[,1]", "[,]",
            "[1,,2]",
            "[", "]", "[1", "[1}", "{", "}", "{]", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a" 1}"#,
            "{a:1}",
            "{1:1}", #"{"a":1 "b":2}"#, #"{"a":1]"#, #"{"a":1}}"#, "[] []", "// c\n1", "/**/1", "\u{FEFF}1", "\u{A0}1",
            "\u{0B}1", "\u{0C}1", "1\u{0}", "\"", "\"a", "\"\\\"", "\"\\", "\"a\nb\"", "\"a\u{0}b\"", "\"\u{1F}\"",
            #""\x41""#, #""\a""#, #""\'""#, #""\u""#, #""\u12""#, #""\u123""#, #""\u12G4""#, #""\U0041""#,
            "\"\\\u{1}\"",
            "\"a\u{1}bcdefgh\"", "\"abcdefg\u{1F}h\"", "1e999", "-1e999",
        ]
    )
    func refusesOther(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(throws: JSONError.self) {
            try JSONReader.read(text.utf8) { reader throws(JSONError) in try reader.skipValue() }
        }
    }

    @Test("A text cut off at any byte is refused")
    func refusesTruncation() throws {
        let text = Array(
            #" {"id":"é\u00e9\ud83d\ude00","n":[-1.5e3,true,null,{"k":"v"}],"s":"\"\\ long enough for words"}"#.utf8
        )
        _ = try JSONValue(parsing: text)
        for length in 0..<text.count {
            #expect(throws: JSONError.self, "\(length) bytes") { try JSONValue(parsing: text[..<length]) }
            #expect(throws: JSONError.self, "\(length) bytes") {
                try JSONReader.read(text[..<length]) { reader throws(JSONError) in try reader.skipValue() }
            }
        }
    }

    @Test(
        "Surrogates come in pairs",
        arguments: [
            #""\ud800""#, #""\udc00""#, #""\ud800\ud800""#, #""\udc00\ud800""#, #""\ud83dx""#, #""\ud83d\n""#,
            #""\ud83d\u""#,
            #""\ud83d\u0041""#, #""\uDBFF""#, #"{"\ud800":1}"#,
        ]
    )
    func refusesLoneSurrogates(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(throws: JSONError.self) {
            try JSONReader.read(text.utf8) { reader throws(JSONError) in try reader.skipValue() }
        }
    }

    @Test(
        "A pair of surrogates is one scalar, first and last included",
        arguments: [
            (#""\ud83d\ude00""#, "😀"), (#""\uD83D\uDE00""#, "😀"), (#""\ud800\udc00""#, "\u{10000}"),
            (#""\udbff\udfff""#, "\u{10FFFF}"), (#""\ud7ff\ue000\uffff""#, "\u{D7FF}\u{E000}\u{FFFF}"),
        ]
    )
    func readsPairs(text: String, value: String) throws {
        #expect(try JSONValue(parsing: text) == .string(value))
    }

    private static let invalidUTF8: [[UInt8]] = [
        [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
        [0xE3, 0x81], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        [0xF0, 0x9F, 0x98],
    ]

    @Test(
        "Bytes that are not UTF-8 are refused in values and in names, wherever they stand",
        arguments: invalidUTF8,
        0...9
    )
    func refusesInvalidUTF8(bytes: [UInt8], before: Int) {
        let string = [0x22] + Array(repeating: UInt8(ascii: "x"), count: before) + bytes + [0x22]
        let name = [UInt8(ascii: "{")] + string + Array(":1}".utf8)
        let escaped = Array("\"\\n".utf8) + string.dropFirst()
        for text in [string, name, escaped] {
            #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
            #expect(throws: JSONError.self) {
                try JSONReader.read(text) { reader throws(JSONError) in try reader.skipValue() }
            }
        }
        #expect(throws: JSONError.self) {
            try JSONReader.read(string) { reader throws(JSONError) in try reader.readBytes { $0?.count } }
        }
    }

    @Test("Arrays and objects nest as deep as is allowed and no deeper")
    func limitsDepth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONValue(parsing: nested(64))
        #expect(throws: JSONError.self) { try JSONValue(parsing: nested(65)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "[", count: 1_000_000)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: #"{"a":"#, count: 1_000_000)) }
        _ = try JSONValue(parsing: nested(2).utf8, maximumDepth: 2)
        #expect(throws: JSONError.self) { try JSONValue(parsing: nested(3).utf8, maximumDepth: 2) }
        // Siblings are not deeper.
        _ = try JSONValue(parsing: "[[],[],[]]".utf8, maximumDepth: 2)
    }

    @Test(
        "An object in which a name stands twice is refused where that is asked for, at any depth; else the last counts",
        arguments: [
            #"{"a":1,"a":2}"#, #"{"a":1,"b":2,"a":1}"#, #"[{"x":{"a":null,"a":null}}]"#, #"{"a":1,"\u0061":2}"#,
        ]
    )
    func namesTwice(text: String) throws {
        func read(_ isUnambiguous: Bool) throws -> JSONValue {
            try JSONReader.read(text.utf8) { reader throws(JSONError) in
                try reader.readValue(isUnambiguous: isUnambiguous)
            }
        }
        let error = #expect(throws: JSONError.self) { try read(true) }
        #expect(error?.isRepeatedName == true)
        #expect(try read(false) == JSONValue(parsing: text))
        // Two names that look alike are two.
        let alike = "{\"e\u{301}\":1,\"\u{E9}\":2}"
        let both = try JSONReader.read(alike.utf8) { reader throws(JSONError) in
            try reader.readValue(isUnambiguous: true)
        }
        #expect(both.object?.count == 2)
    }

    @Test(
        "An error names the byte at which it was noticed",
        arguments: [
            ("[1,x]", 3), ("{\"a\":01}", 5), ("\"ab\ncd\"", 3), ("[1] 2", 4), ("\"a\\q\"", 2), ("[1e999]", 1),
            ("[true,fals]", 6),
        ]
    )
    func namesPlace(text: String, offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(error?.offset == offset)
    }
}
