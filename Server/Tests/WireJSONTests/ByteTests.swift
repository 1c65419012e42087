import Statistics
import Testing
import WireJSON

@Suite("Texts are compared by their bytes")
struct ByteTests {
    /// Texts that Swift's `==` takes for the same.
    static let pairs = [
        ("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("\u{C5}", "\u{212B}"), ("a\u{301}\u{323}", "a\u{323}\u{301}"),
        ("caf\u{E9} in a text of more than fifteen bytes", "cafe\u{301} in a text of more than fifteen bytes"),
    ]

    @Test("Canonically equivalent texts are different", arguments: pairs)
    func differ(_ first: String, _ second: String) throws {
        try #require(first == second)
        #expect(ByteString(first) != ByteString(second))
        #expect(!first.hasSameBytes(as: second))
        #expect(Set([ByteString(first), ByteString(second)]).count == 2)
        #expect(JSONValue.string(first) != .string(second))
        #expect(Set([JSONValue.string(first), .string(second)]).count == 2)
        #expect((ByteString(first) < ByteString(second)) != (ByteString(second) < ByteString(first)))
        #expect(Bytewise(wrappedValue: [first]) != Bytewise(wrappedValue: [second]))
        #expect(Bytewise<String?>(wrappedValue: first) != Bytewise<String?>(wrappedValue: second))
        #expect(Bytewise(wrappedValue: StringMap([("a", first)]) { $1 }) != Bytewise(wrappedValue: ["a": second]))
    }

    @Test("The same bytes are the same text, however long", arguments: 0..<40)
    func same(_ length: Int) {
        let text = String(repeating: "x", count: length)
        #expect(ByteString(text) == ByteString(String(decoding: Array(text.utf8), as: UTF8.self)))
        #expect(ByteString(text).hashValue == ByteString(String(decoding: Array(text.utf8), as: UTF8.self)).hashValue)
        #expect(ByteString(text + "a") != ByteString(text + "b"))
        #expect(ByteString(text + "a") != ByteString(text))
    }

    @Test("Texts are ordered as their bytes are one by one, wherever they differ", arguments: 0..<200)
    func order(_ seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        let common = String(repeating: "x", count: .random(in: 0...20, using: &random))
        let scalars: [Unicode.Scalar] = ["\0", "a", "\u{7F}", "\u{80}", "\u{E9}", "\u{212A}", "\u{1F600}"]
        func text() -> String {
            (0..<Int.random(in: 0...10, using: &random)).reduce(into: common) { text, _ in
                text.unicodeScalars.append(scalars[Int.random(in: scalars.indices, using: &random)])
            }
        }
        let (first, second) = (text(), text())
        #expect(first.precedesInBytes(second) == Array(first.utf8).lexicographicallyPrecedes(Array(second.utf8)))
        #expect(!first.precedesInBytes(first))
    }

    @Test("A prefix of bytes may end within a character")
    func prefixes() {
        #expect("e\u{301}f".hasBytePrefix("e"))
        #expect("unidentified-\u{301}1".hasBytePrefix("unidentified-"))
        #expect(!"\u{E9}".hasBytePrefix("e"))
        #expect("abc".hasBytePrefix(""))
    }

    @Test(
        "An object keeps both of two canonically equivalent names, and the last of two that are the same",
        arguments: pairs
    )
    func members(_ first: String, _ second: String) throws {
        let text = #"{"\#(first)":1,"\#(second)":2,"\#(first)":3}"#
        let value = try JSONValue(parsing: text)
        #expect(value.object?.count == 2)
        #expect(value[first] == 3)
        #expect(value[second] == 2)
        #expect(value.text.hasSameBytes(as: #"{"\#(first)":3,"\#(second)":2}"#))
        #expect(value != ["\(second)": 3, "\(first)": 2])
    }

    @Test("A map sets, removes, merges and filters by bytes", arguments: pairs)
    func map(_ first: String, _ second: String) {
        var map: StringMap<Int> = [first: 1]
        #expect(map[second] == nil)
        map[second, default: 10] += 5
        #expect(map.keys.map { Array($0.utf8) } == [first, second].map { Array($0.utf8) })
        #expect(map.merging([second: 7]) { $1 }[second] == 7)
        #expect(map.filter { $0.value > 1 }.count == 1)
        #expect(map.mapValues { $0 * 2 }[first] == 2)
        #expect(map.removeValue(forKey: first) == 1)
        map[second] = nil
        #expect(map.isEmpty)
    }

    @Test(
        "What is not UTF-8 is no string",
        arguments: [
            [0xC0, 0xAF], [0xC1, 0x81], [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xFF],
            [0xC3],
            [0xF4, 0x90, 0x80, 0x80],
        ] as [[UInt8]]
    )
    func invalidBytes(_ bytes: [UInt8]) {
        for text in [[0x22] + bytes + [0x22], [0x7B, 0x22] + bytes + [0x22, 0x3A, 0x31, 0x7D]] {
            #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        }
    }

    @Test(
        "A lone surrogate is no string",
        arguments: [#"\ud800"#, #"\udc00"#, #"\ud800x"#, #"\ud800\u0041"#, #"\udc00\ud800"#]
    )
    func loneSurrogates(_ escape: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: "\"\(escape)\"") }
        #expect(throws: JSONError.self) { try JSONValue(parsing: "{\"\(escape)\":1}") }
    }
}
