import CardModel
import Testing
import WireJSON

@Suite("A text pattern says which texts match")
struct TextPatternTests {
    @Test(
        "Expressions match as they do elsewhere",
        arguments: [
            ("", "", true), ("", "a", true), ("a", "bab", true), ("a", "b", false), ("^a", "ba", false),
            ("a$", "ba", true), ("^$", "", true), ("^$", "a", false), ("a.c", "abc", true), ("a.c", "a\nc", false),
            ("^a*$", "", true), ("^a*$", "aaa", true), ("^a+$", "", false), ("^ab?c$", "ac", true),
            ("^ab?c$", "abbc", false), ("^a{2}$", "aa", true), ("^a{2}$", "aaa", false), ("^a{2,}$", "aaaa", true),
            ("^a{1,2}$", "aaa", false), ("^a{0}$", "", true), ("a{,2}", "a{,2}", true), ("{", "{", true),
            ("^(ab|cd)+$", "abcdab", true), ("^(ab|cd)+$", "abc", false), ("^(?:a|)b$", "b", true),
            ("^(?<year>\\d{4})-\\d\\d$", "2026-11", true), ("^a*?b$", "aab", true), ("(a*)*$", "b", true),
            ("^(a|b|ab)*c$", "abac", true), ("[abc]", "xbx", true), ("^[^abc]$", "b", false), ("^[^abc]$", "d", true),
            ("^[a-c0-9_]+$", "b_7", true), ("^[]a]+$", "]a", true), ("^[a-]+$", "a-", true), ("[\\d.]", ".", true),
            ("^[^\\s]+$", "a b", false), ("^[\\D]+$", "a7", false), ("\\bcat\\b", "a cat.", true),
            ("\\bcat\\b", "concat", false), ("\\Bcat", "concat", true), ("^\\w+@\\w+\\.com$", "ann@example.com", true),
            ("^\\W$", "é", true), ("\\.", "a", false), ("^\\x41\\u0042\\x{43}$", "ABC", true), ("\\t", "a\tb", true),
            ("(?i)straße", "STRAßE", true), ("(?i)^[a-c]$", "B", true), ("(?i)^[A-C]$", "b", true),
            ("(?i)^[^a]$", "A", false), ("(?i)É", "é", true), ("^.$", "😀", true), ("日本", "私は日本人", true),
            ("\\Aab\\z", "ab", true), ("^ab|cd$", "xcd", true), ("^ab|cd$", "abx", true), ("^^a$$", "a", true),
        ] as [(String, String, Bool)]
    )
    func matches(pattern: String, text: String, holds: Bool) throws {
        #expect(try TextPattern(pattern).matches(text) == holds)
    }

    @Test(
        "What is not understood is refused",
        arguments: [
            "(", ")", "a)", "[", "[a", "*", "+a", "a**", "a++", "a{2}{3}", "a{3,2}", "a{1001}", "(?=a)", "(?!a)",
            "(?<=a)b", "(?<!a)b", "(?>a)", "a(?i)b", "(a)\\1", "\\k<a>", "\\p{L}", "\\q", "\\", "[z-a]", "[a-\\d]",
            "[[:alpha:]]", "\\xZZ", "\\x{110000}", "((a{500}){500})", "((((){900}){900}){900})",
        ]
    )
    func refuses(pattern: String) {
        #expect(throws: TextPattern.PatternError.self) { try TextPattern(pattern) }
    }

    @Test("Deep nesting and long expressions are refused")
    func bounds() {
        #expect(throws: TextPattern.PatternError.self) {
            try TextPattern(String(repeating: "(", count: 60) + String(repeating: ")", count: 60))
        }
        #expect(throws: TextPattern.PatternError.self) { try TextPattern(String(repeating: "a", count: 1_001)) }
    }

    @Test("An expression that others take for ever over takes a moment", arguments: ["(a+)+$", "(a|aa)+$", "(.*)*x"])
    func staysLinear(pattern: String) throws {
        let text = String(repeating: "a", count: 4_000) + "!"
        #expect(try !TextPattern(pattern).matches(text))
    }

    @Test(
        "A class is the same however it is written",
        arguments: [
            ("[c-ea-bf]", "g", false), ("[c-ea-bf]", "d", true), ("[zz-za-cb-d]", "d", true), ("[^é-ëa]", "ê", false),
            ("[é-ëא-ת]", "ג", true), ("[\\D]", "5", false), ("[\\W_]", "_", true), ("[^\\D]", "5", true),
            ("[\\u0040-\\u0080]", "\u{80}", true), ("(?i)[é]", "É", true), ("(?i)[^É]", "é", false),
        ]
    )
    func classes(pattern: String, text: String, holds: Bool) throws {
        #expect(try TextPattern(pattern).matches(text) == holds)
    }

    @Test("A text that takes too much work matches neither an expression nor its opposite")
    func workIsBounded() throws {
        let pattern = "(a|b)*a(a|b){400}c"
        let text = String((0..<60_000).map { $0 % 3 == 0 ? "a" : "b" })
        #expect(try !TextPattern(pattern).matches(text))
        var user = UserProfile(id: UserID(rawValue: "u"), createdAt: 0)
        user.custom = ["long": .string(text), "short": "aab"]
        func holds(_ attribute: String, _ comparison: String) throws -> Bool {
            let clause: JSONValue = [
                "attribute": .string(attribute), "comparison": .string(comparison), "value": .string(pattern),
            ]
            return AudienceMatcher(try Audience(json: clause)).matches(Sample.facts(user))
        }
        #expect(try !holds("long", "matches_regex") && !holds("long", "does_not_match_regex"))
        #expect(try !holds("short", "matches_regex") && holds("short", "does_not_match_regex"))
    }
}
