import CardModel
import CardStore
import CardStoreConformance
import Foundation
import Simulation
import Testing

@Suite("Searches for users: texts and patterns")
struct SearchTextTests {
    private func haveSameBytes(_ left: [String], _ right: [String]) -> Bool {
        left.elementsEqual(right) { $0.utf8.elementsEqual($1.utf8) }
    }

    @Test(
        "Only ASCII is put into lower case where addresses are compared",
        arguments: [("ANN@Example.COM", "ann@example.com"), ("Ä[Z]", "Ä[z]"), ("@[`{", "@[`{"), ("İK", "İk"), ("", "")]
    )
    func lowercase(text: String, lowered: String) {
        #expect(SearchText.lowercased(text).utf8.elementsEqual(lowered.utf8))
    }

    @Test(
        "What LIKE takes for a pattern is made plain, also before a mark",
        arguments: [
            ("100%", "100\\%"), ("a_b", "a\\_b"), ("\\", "\\\\"), ("%\u{301}", "\\%\u{301}"),
            ("_\u{FE0F}x", "\\_\u{FE0F}x"), ("a'b", "a'b"), ("％", "％"),
        ]
    )
    func escapes(text: String, escaped: String) {
        #expect(SearchText.escaped(text).utf8.elementsEqual(escaped.utf8))
    }

    @Test("What follows all texts that begin with one is beyond each of them, in the order of bytes")
    func ends() {
        let end = SearchText.end(of: "ann")
        for text in ["ann", "ann\u{0}", "anna", "ann\u{7F}", "ann\u{FFFD}", "ann\u{1F600}"] {
            #expect(text.utf8.lexicographicallyPrecedes(end.utf8))
        }
        for text in ["ano", "b"] { #expect(end.utf8.lexicographicallyPrecedes(text.utf8)) }
    }

    @Test("Two words are looked for in both orders, with one space; others as they are")
    func orders() {
        let cases: [(text: String, patterns: [String])] = [
            ("Ann", ["ann"]), ("Ann Lee", ["ann lee", "lee ann"]), ("Ann  Lee", ["ann  lee", "ann lee", "lee ann"]),
            ("Ann\u{3000}Lee", ["ann lee", "lee ann"]), (" Ann", [" ann"]), ("a b c", ["a b c"]),
            ("Zoë Zoe", ["zoe zoe"]), ("", []), ("\u{301}", []), (" ", [" "]),
        ]
        for (text, patterns) in cases {
            #expect(haveSameBytes(SearchText.patterns(of: text), patterns), "\(text)")
        }
    }

    @Test("A name without a space is looked for with one at each place, in both orders")
    func joinedNames() {
        #expect(haveSameBytes(SearchText.patterns(of: "佐藤"), ["佐藤", "佐 藤", "藤 佐"]))
        #expect(
            haveSameBytes(SearchText.patterns(of: "アンナ"), ["あんな", "あ んな", "んな あ", "あん な", "な あん"])
        )
        #expect(haveSameBytes(SearchText.patterns(of: "김철"), ["김철", "김 철", "철 김"]))
        // The same word twice is one pattern, and one letter or a mixed word is no name.
        #expect(haveSameBytes(SearchText.patterns(of: "森森"), ["森森", "森 森"]))
        #expect(haveSameBytes(SearchText.patterns(of: "森"), ["森"]))
        #expect(haveSameBytes(SearchText.patterns(of: "森1"), ["森1"]))
        // Eight letters at most: a longer text is a sentence.
        #expect(SearchText.patterns(of: "一二三四五六七八").count == 15)
        #expect(haveSameBytes(SearchText.patterns(of: "一二三四五六七八九"), ["一二三四五六七八九"]))
    }

    @Test("A text that would reach beyond a part of a user's text finds nobody", arguments: ["\u{1F}", "ann\u{1F}lee"])
    func separators(text: String) {
        #expect(SearchText.patterns(of: text).isEmpty && SearchText.formerPatterns(of: text).isEmpty)
    }

    @Test("Older texts are looked for only where folding makes a difference")
    func formerPatterns() {
        #expect(SearchText.formerPatterns(of: "Ann Lee").isEmpty)
        #expect(haveSameBytes(SearchText.formerPatterns(of: "Zoë"), ["zoë"]))
        #expect(haveSameBytes(SearchText.formerPatterns(of: "ZoË X"), ["zoË x", "x zoË"]))
    }

    @Test("A user is found by each part of what is known, in either order of the name, and by no text across parts")
    func profiles() {
        var profile = UserProfile(id: UserID(rawValue: "U-17"), createdAt: noon)
        profile.standard[.firstName] = .string("Zoë")
        profile.standard[.lastName] = .string("Łukasz")
        profile.standard[.email] = .string("Zoe@Example.com")
        let folded = SearchText.folded(of: profile)
        #expect(folded.utf8.elementsEqual("u-17\u{1F}zoe lukasz\u{1F}zoe@example.com".utf8))
        for text in ["zoë łuk", "Lukasz Zoë", "EXAMPLE", "u-1", "ｚｏｅ"] {
            #expect(FoldedText.contains(folded, anyOf: SearchText.patterns(of: text)), "\(text)")
        }
        for text in ["lukaszzoe", "17zoe", "zoe  lukasz zoe", "-17\u{1F}zoe"] {
            #expect(!FoldedText.contains(folded, anyOf: SearchText.patterns(of: text)), "\(text)")
        }
    }

    @Test("A text has a part where its bytes are: at the beginning, at the end and in between")
    func containing() {
        #expect(FoldedText.contains("abc", anyOf: ["a"]) && FoldedText.contains("abc", anyOf: ["x", "c"]))
        #expect(FoldedText.contains("abc", anyOf: ["abc"]) && !FoldedText.contains("abc", anyOf: ["abcd"]))
        #expect(FoldedText.contains("aab", anyOf: ["ab"]) && FoldedText.contains("", anyOf: [""]))
        #expect(!FoldedText.contains("abc", anyOf: []) && !FoldedText.contains("", anyOf: ["a"]))
        #expect(!FoldedText.contains("\u{E9}", anyOf: ["e\u{301}"]) && FoldedText.contains("e\u{301}", anyOf: ["e"]))
    }

    @Test("A text is looked for by its folded words, eight at most, which spaces and control characters divide")
    func words() {
        #expect(SearchText.words(of: " Été\u{3000}SALE ") == ["ete", "sale"])
        #expect(SearchText.words(of: "a\u{0}b\u{1F}c\nd") == ["a", "b", "c", "d"])
        #expect(SearchText.words(of: "").isEmpty && SearchText.words(of: "\u{0} \t").isEmpty)
        #expect(SearchText.words(of: "1 2 3 4 5 6 7 8 9") == (1...8).map(String.init))
    }

    @Test("Random texts are folded once and for all, and as canonically equivalent ones are", arguments: 1...4)
    func folding(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed), "folding")
        let blocks: [ClosedRange<UInt32>] = [
            0x20...0x24F, 0x300...0x36F, 0x370...0x5FF, 0x600...0x6FF, 0x900...0xE7F, 0x1100...0x11FF, 0x1E00...0x1FFF,
            0x3041...0x30FF, 0xAC00...0xAC7F, 0xFF01...0xFFDC, 0x20D0...0x20EF,
        ]
        for _ in 0..<5_000 {
            var text = ""
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let block = blocks[Int.random(in: 0..<blocks.count, using: &random)]
                if let scalar = Unicode.Scalar(UInt32.random(in: block, using: &random)) {
                    text.unicodeScalars.append(scalar)
                }
            }
            let folded = FoldedText.folded(text)
            #expect(FoldedText.folded(folded).utf8.elementsEqual(folded.utf8), "\(Array(text.unicodeScalars))")
            let other = FoldedText.folded(text.decomposedStringWithCanonicalMapping)
            #expect(other.utf8.elementsEqual(folded.utf8), "\(Array(text.unicodeScalars))")
        }
    }
}
