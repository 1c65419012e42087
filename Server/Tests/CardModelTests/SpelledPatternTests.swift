import Statistics
import Testing
import WireJSON

@testable import CardModel

@Suite("Classes and cases of regular expressions")
struct SpelledPatternTests {
    @Test("A set has the scalars of its ranges, however they overlap and touch", arguments: 0..<20)
    func sets(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        // Around the ends of the two words of bits, and where three bytes begin.
        let edges: [UInt32] = [
            0, 1, 62, 63, 64, 65, 126, 127, 128, 129, 0x7FF, 0x800, 0xD7FF, 0xE000, 0x10_FFFE, 0x10_FFFF,
        ]
        let ranges = (0..<Int.random(in: 0...6, using: &random)).map { _ -> ClosedRange<UInt32> in
            let (one, two) = (edges.randomElement(using: &random) ?? 0, edges.randomElement(using: &random) ?? 0)
            return min(one, two)...max(one, two)
        }
        for isNegated in [false, true] {
            let set = ScalarSet(ranges: ranges, isNegated: isNegated)
            for scalar in edges {
                let isIn = ranges.contains { $0.contains(scalar) }
                #expect(set.contains(scalar) == (isIn != isNegated), "\(scalar) in \(ranges)")
                #expect(set.inverted.contains(scalar) == !set.contains(scalar))
                #expect(set.members.contains { $0.contains(scalar) } == set.contains(scalar))
            }
            #expect(set.inverted.inverted == set)
            // Members are apart from each other and in order.
            for (one, two) in zip(set.members, set.members.dropFirst()) { #expect(one.upperBound < two.lowerBound) }
        }
    }

    @Test("Named classes are those of ASCII, and spaces also those of Unicode that end lines")
    func named() {
        for value in UInt32(0)...0x2FF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isDigit = ("0"..."9").contains(scalar)
            let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
            #expect(ScalarSet.digits.contains(value) == isDigit)
            #expect(ScalarSet.word.contains(value) == (isDigit || isLetter || scalar == "_"))
            let isSpace = (9...13).contains(value) || [0x20, 0x85, 0xA0].contains(value)
            #expect(ScalarSet.space.contains(value) == isSpace)
        }
        #expect(
            ScalarSet.space.contains(0x2028) && ScalarSet.space.contains(0x2029) && !ScalarSet.space.contains(0x2027)
        )
    }

    @Test(
        "A letter folds to the small one and back where both are single scalars",
        arguments: [
            ("A", "a"), ("Z", "z"), ("\u{C9}", "\u{E9}"), ("\u{3A3}", "\u{3C3}"), ("\u{416}", "\u{436}"),
            ("\u{1F0}", "\u{1F0}"),
            ("1", "1"), ("_", "_"), ("\u{3042}", "\u{3042}"),
        ] as [(Unicode.Scalar, Unicode.Scalar)]
    )
    func folding(capital: Unicode.Scalar, small: Unicode.Scalar) {
        #expect(CaseFolding.fold(capital.value) == small.value && CaseFolding.fold(small.value) == small.value)
        #expect(CaseFolding.unfold(small.value) == capital.value || capital == small)
    }

    @Test("What has no single scalar of the other case stays itself")
    func unfoldable() {
        // Sharp s becomes two letters, and a capital I with a dot a letter and a mark.
        #expect(CaseFolding.unfold(0xDF) == 0xDF && CaseFolding.fold(0x130) == 0x130)
        // No scalar at all.
        #expect(CaseFolding.fold(0xD800) == 0xD800 && CaseFolding.unfold(0x11_0000) == 0x11_0000)
    }

    @Test(
        "An expression means what it says at its edges",
        arguments: [
            ("", "", true), ("", "x", true), ("^$", "", true), ("^$", "x", false), ("a|", "b", true),
            ("^(a|)$", "", true), ("^(a|)$", "b", false), ("x{0}", "", true), ("^x{0}$", "x", false),
            ("^a{2,3}$", "aa", true), ("^a{2,3}$", "aaaa", false), ("^a{,3}$", "a{,3}", true),
            ("^[]a]$", "]", true), ("^[^]a]$", "]", false), ("^[a-]$", "-", true), ("^[\\d-z]$", "-", true),
            ("^[\\d-z]$", "y", false), ("^[\\]]$", "]", true), ("^[\\b]$", "\u{8}", true), ("^\\x41$", "A", true),
            ("^\\x{1F600}$", "\u{1F600}", true), ("^\\u65E5$", "\u{65E5}", true), ("a.c", "a\nc", false),
            ("^a$", "a\n", false), ("b$", "a\nb", true), ("^b", "a\nb", false), ("\\bcat\\b", "a cat.", true),
            ("\\bcat\\b", "cats", false), ("\\Bat", "cat", true), ("\\Aa", "ba", false), ("a\\z", "ab", false),
            ("(?:ab)+c", "ababc", true), ("(?<name>a)b", "ab", true), ("(?i)STRASSE", "strasse", true),
            ("(?i)[A-C]", "b", true), ("(?i)[^A-C]", "b", false), ("\\W", "_", false), ("\\S", "\u{A0}", false),
            ("a??b", "b", true), ("^.$", "\u{65E5}", true), ("^.$", "e\u{301}", false), ("}", "}", true),
            ("a{", "a{", true),
        ]
    )
    func edges(source: String, text: String, isMatch: Bool) throws {
        #expect(try TextPattern(source).matches(text) == isMatch)
    }

    @Test(
        "What isn't understood is refused, and says at which character",
        arguments: [
            "*", "+a", "?", "a**", "a++", "a{2}{3}", "a*{2}", "(", ")", "(a", "a)", "[", "[a", "[]", "[^]", "[b-a]",
            "[[:alpha:]]", "[a-\\d]", "\\", "\\q", "\\1", "\\x4", "\\x{}", "\\x{110000}", "\\uD800", "(?=a)", "(?!a)",
            "(?<=a)", "a(?i)b", "(?P<n>a)", "a{2,1}", "a{1001}", "\\p{L}", "(?#x)",
        ]
    )
    func refuses(source: String) {
        do throws(TextPattern.PatternError) {
            _ = try TextPattern(source)
            Issue.record("\(source) was taken.")
        } catch {
            #expect(error.message.contains("(at character "), "\(error.message)")
        }
    }

    @Test("An expression has a thousand bytes, groups fifty deep, and so many steps once it is written out")
    func limits() throws {
        _ = try TextPattern(String(repeating: "a", count: 1_000))
        #expect(throws: TextPattern.PatternError.self) { try TextPattern(String(repeating: "a", count: 1_001)) }
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
        }
        #expect(try TextPattern(nested(50)).matches("a"))
        #expect(throws: TextPattern.PatternError.self) { try TextPattern(nested(51)) }
        #expect(try TextPattern("^a{1000}$").matches(String(repeating: "a", count: 1_000)))
        #expect(throws: TextPattern.PatternError.self) { try TextPattern("a{1000}b{1000}c{1000}") }
        #expect(throws: TextPattern.PatternError.self) { try TextPattern("(a{1000}){1000}") }
        #expect(throws: TextPattern.PatternError.self) { try TextPattern("(((){1000}){1000}){1000}") }
    }

    @Test("Work that is shared is spent by each text, and what is left decides nothing")
    func work() throws {
        let pattern = try TextPattern("a+b")
        var work = 10_000
        #expect(pattern.matches("xxaab", within: &work) == true)
        #expect(work < 10_000 && work > 9_000)
        let before = work
        #expect(pattern.matches("xx", within: &work) == false && work < before)
        var none = 0
        #expect(pattern.matches("ab", within: &none) == nil && none == 0)
        var negative = -5
        #expect(pattern.matches("ab", within: &negative) == nil && negative == -5)
        let shared = SharedPatternWork()
        for _ in 0..<3 { #expect(shared.matches(pattern, "aab") == true) }
    }
}

@Suite("Versions of apps")
struct VersionNumberTests {
    @Test(
        "A version is its numbers up to the first part that isn't one",
        arguments: [
            ("1", "1.0"), ("1.0.0", "1"), ("2.10.1-beta", "2.10.1"), ("2.10b3.7", "2.10"), ("01.002", "1.2"),
            ("3.", "3"), ("3..4", "3"), ("0", "0.0"), ("1.99999999999999999999", "1.9223372036854775807"),
        ]
    )
    func same(one: String, two: String) throws {
        #expect(try #require(VersionNumber(.string(one))) == #require(VersionNumber(.string(two))))
    }

    @Test(
        "Versions are in the order of their numbers",
        arguments: [
            ["0", "0.0.1", "0.1", "0.9", "0.10", "1", "1.0.1", "1.1", "2.9.9", "2.10", "10"]
        ]
    )
    func order(versions: [String]) throws {
        let numbers = try versions.map { try #require(VersionNumber(.string($0))) }
        for one in numbers.indices {
            for two in numbers.indices { #expect((numbers[one] < numbers[two]) == (one < two)) }
        }
    }

    @Test("What begins with no digit is no version", arguments: ["", "v1", ".1", "-1", " 1", "beta", "\u{661}.2"])
    func none(text: String) {
        #expect(VersionNumber(.string(text)) == nil)
        for other in [.null, true, [], ["1"], [:]] as [JSONValue] { #expect(VersionNumber(other) == nil) }
    }
}
