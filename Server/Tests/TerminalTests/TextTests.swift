import Foundation
import Testing

@testable import Terminal

@Suite("Text in a terminal")
struct TextTests {
    @Test(
        "takes the columns that a terminal gives it",
        arguments: [("abc", 3), ("日本語", 6), ("é", 1), ("e\u{301}", 1), ("👍", 2), ("👨‍👩‍👧", 2), ("", 0), ("ｱ", 1)]
    )
    func width(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test("loses what would move the cursor or turn the writing direction")
    func printable() {
        #expect("a\u{1B}[2Jb\u{7}\u{9B}c\u{202E}d\ne".printable == "a[2Jbcd\ne")
    }

    @Test("is one line where it has to be")
    func oneLine() {
        #expect("a\r\nb\nc\u{2028}d".printableLine == "a b cd")
    }

    @Test("keeps its value as JSON, with what would change the terminal escaped")
    func json() {
        let text = "{\n  \"a\": \"\u{9B}31m \u{202E}\u{7F} ü \\n\"\n}"
        #expect(text.printableJSON == "{\n  \"a\": \"\\u009b31m \\u202e\\u007f ü \\n\"\n}")
        #expect("[\"plain\"]".printableJSON == "[\"plain\"]")
    }

    @Test("is cut to whole characters with an ellipsis")
    func truncation() {
        #expect("abcdef".truncated(toColumns: 4) == "abc…")
        #expect("日本語".truncated(toColumns: 4) == "日…")
        #expect("abcd".truncated(toColumns: 4) == "abcd")
        #expect("abcd".truncated(toColumns: 0).isEmpty)
    }

    @Test("wraps at spaces, between wide characters, and inside a word that is too long")
    func wrapping() {
        #expect(TextWrapping.lines(of: "one two three", columns: 7) == ["one two", "three"])
        #expect(TextWrapping.lines(of: "日本語です", columns: 5) == ["日本", "語で", "す"])
        #expect(TextWrapping.lines(of: "abcdefgh", columns: 3) == ["abc", "def", "gh"])
        #expect(TextWrapping.lines(of: "a\n\nb", columns: 9) == ["a", "", "b"])
        #expect(TextWrapping.lines(of: "", columns: 9).isEmpty)
    }

    @Test("wraps neither before a mark that ends something, nor behind one that begins something")
    func wrappingMarks() {
        #expect(TextWrapping.lines(of: "日本語。「はい」", columns: 6) == ["日本", "語。", "「は", "い」"])
        #expect(TextWrapping.lines(of: "カード（card）です", columns: 8) == ["カード", "（card）", "です"])
        #expect(TextWrapping.lines(of: "。。。。", columns: 4) == ["。。", "。。"])
    }

    @Test("never wraps to a line that is too wide", arguments: 2...30)
    func wrappingNeverTooWide(columns: Int) {
        let text = "Made by curl. 日本語のカードも 折り返し averyveryverylongword 👍👍👍 end"
        let lines = TextWrapping.lines(of: text, columns: columns)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns })
        let kept = lines.joined().filter { $0 != " " }
        #expect(kept == text.filter { $0 != " " })
    }

    @Test("stands in columns, numbers at the right")
    func table() {
        var table = TextTable([.text("NAME"), .number("N")])
        table.add(["日本", "5"])
        table.add(["a\nb"])
        #expect(table.lines == ["NAME  N", "日本  5", "a b"])
    }
}

@Suite("The progress of a long job")
struct ProgressTests {
    @Test("says how much is done, how fast, and what is left")
    func line() {
        // Given a job that resumed at a quarter and has done another quarter in 10 seconds
        let line = ProgressLine(fraction: 0.5, count: 500, countOfThisRun: 250, seconds: 10, initialFraction: 0.25)
        // Then the rate and the rest are of this run
        #expect(line.rate == 25)
        #expect(line.remainingSeconds == 20)
        #expect(line.text(columns: 60).hasSuffix(" 50%  500  25/s  20 s left"))
        #expect(DisplayWidth.of(line.text(columns: 60)) <= 60)
    }

    @Test("says nothing of the rest where nothing is done")
    func nothing() {
        let line = ProgressLine(fraction: 0, count: 0, countOfThisRun: 0, seconds: 0)
        #expect(line.remainingSeconds == nil)
        #expect(line.rate == 0)
    }

    @Test("takes nothing for a number that is none, and ends no process")
    func noNumbers() {
        let line = ProgressLine(fraction: .nan, count: 0, countOfThisRun: .max, seconds: .leastNonzeroMagnitude)
        #expect(line.fraction == 0)
        #expect(line.text(columns: 80).contains("   0%"))
        for seconds in [Double.nan, .infinity, -.infinity, 1e300, -0.0] {
            let text = ProgressLine(fraction: 0.5, count: 1, countOfThisRun: -1, seconds: seconds).text(columns: 80)
            #expect(DisplayWidth.of(text) <= 80 && text.contains("50%"), "\(seconds)")
        }
        #expect(Countdown.text(.nan) == "0 s")
        #expect(Countdown.text(.infinity) == Countdown.text(1e12))
        #expect(Countdown.text(-.infinity) == "0 s")
    }

    @Test("has the size of a terminal, and none of what is no terminal")
    func size() throws {
        let handle = try #require(FileHandle(forReadingAtPath: "/dev/null"))
        #expect(TerminalSize.current(of: handle.fileDescriptor) == nil)
        #expect(TerminalSize.current(of: -1) == nil)
    }

    @Test(
        "counts down in the two largest units",
        arguments: [
            (0.0, "0 s"), (0.2, "1 s"), (59, "59 s"), (60, "1 min"), (200, "3 min 20 s"), (3600, "1 h"),
            (18_600, "5 h 10 min"), (1_051_200, "12 d 4 h"), (-5, "0 s"),
        ]
    )
    func countdown(seconds: Double, text: String) {
        #expect(Countdown.text(seconds) == text)
    }
}

@Suite("Keys")
struct KeyDecoderTests {
    private func keys(_ bytes: [UInt8]) -> [Key] {
        var decoder = KeyDecoder()
        return bytes.compactMap { decoder.take($0) } + (decoder.finish().map { [$0] } ?? [])
    }

    @Test("are read from the bytes of a terminal")
    func known() {
        #expect(keys(Array("j\u{1B}[A\u{1B}OB\r".utf8)) == [.character("j"), .up, .down, .enter])
        #expect(keys(Array("\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}[4~".utf8)) == [.pageUp, .pageDown, .home, .end])
        #expect(keys([3]) == [.control("c")])
        #expect(keys(Array("日".utf8)) == [.character("日")])
    }

    @Test("include a lone Escape once nothing follows")
    func escape() {
        #expect(keys([0x1B]) == [.escape])
    }

    @Test("go on after bytes that are none")
    func unknown() {
        #expect(keys(Array("\u{1B}[99;99Zq".utf8)) == [.character("q")])
        #expect(keys([0xFF, 0xFF, 0xFF, 0xFF] + Array("q".utf8)) == [.character("q")])
    }

    @Test("are not lost to bytes before them that are none, or of a character that was broken off")
    func afterBrokenCharacters() {
        for broken in [[0xFF], [0x80], [0xC0], [0xC3], [0xE6], [0xE6, 0x97], [0xF0, 0x9F], [0xF5]] as [[UInt8]] {
            #expect(keys(broken + Array("qj".utf8)) == [.character("q"), .character("j")], "\(broken)")
            #expect(keys(broken + Array("\u{1B}[A".utf8)) == [.up], "\(broken)")
            #expect(keys(broken + Array("é".utf8)) == [.character("é")], "\(broken)")
            #expect(keys(broken).isEmpty)
        }
        // Longer than they may be, a half of a pair, and beyond the last character.
        for wrong in [[0xC1, 0x81], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]] {
            #expect(keys(wrong + Array("q".utf8)) == [.character("q")], "\(wrong)")
        }
    }

    @Test("include an Escape that is pressed again and again, and one before an arrow")
    func escapes() {
        #expect(keys([0x1B, 0x1B]) == [.escape, .escape])
        #expect(keys([0x1B, 0x1B, 0x1B]) == [.escape, .escape, .escape])
        #expect(keys([0x1B] + Array("\u{1B}[B".utf8)) == [.escape, .down])
    }

    @Test("of sequences that nothing is known of do nothing, and end where they end")
    func unknownSequences() {
        for text in ["\u{1B}[[A", "\u{1B}[1;5A", "\u{1B}OP", "\u{1B}[200~", "\u{1B}q", "\u{1B}[<0;1;1M"] {
            #expect(keys(Array((text + "j").utf8)) == [.character("j")], "\(text.dropFirst())")
        }
        // One that never ends is given up.
        let endless = keys(Array(("\u{1B}[" + String(repeating: "1", count: 40) + "j").utf8))
        #expect(endless.last == .character("j"))
        #expect(keys(Array("\u{1B}[1".utf8)).isEmpty)
    }

    @Test("with Control are letters, and no others")
    func controls() {
        #expect(keys([1, 26]) == [.control("a"), .control("z")])
        #expect(keys([0, 0x1C, 0x1F, 0x7F]).isEmpty)
        #expect(keys([0x0A, 0x0D]) == [.enter, .enter])
    }
}

@Suite("Text at the edges of a terminal")
struct NarrowTextTests {
    private let texts = ["", "a", "ab", "日", "日本語", "a日b", "👨‍👩‍👧x", "e\u{301}e\u{301}", "\u{200B}\u{301}"]

    @Test("never takes more columns than there are, whatever is cut", arguments: -2...8)
    func truncation(columns: Int) {
        for text in texts {
            let cut = text.truncated(toColumns: columns)
            #expect(DisplayWidth.of(cut) <= max(columns, 0), "\(text)")
            let isWhole = DisplayWidth.of(text) <= columns
            #expect(isWhole ? cut == text : columns < 1 ? cut.isEmpty : cut.hasSuffix("…"), "\(text)")
            #expect(isWhole || text.hasPrefix(cut.filter { $0 != "…" }), "\(text)")
        }
    }

    @Test("is filled up to the columns that there are, and never cut for that", arguments: -2...8)
    func padding(columns: Int) {
        for text in texts {
            let width = max(DisplayWidth.of(text), columns)
            let (left, right) = (text.padded(toColumns: columns), text.rightAligned(toColumns: columns))
            #expect(DisplayWidth.of(left) == width && DisplayWidth.of(right) == width, "\(text)")
            #expect(left.hasPrefix(text) && right.hasSuffix(text), "\(text)")
        }
    }

    @Test("has no lines where there are no columns, and each character where there is one", arguments: [-1, 0, 1])
    func wrapping(columns: Int) {
        let lines = TextWrapping.lines(of: "ab c", columns: columns)
        #expect(lines == (columns < 1 ? [] : ["a", "b", "c"]))
        let wide = TextWrapping.lines(of: "日本", columns: columns)
        #expect(wide == (columns < 1 ? [] : ["日", "本"]))
    }

    @Test("of progress fits, and tells no more than a whole of it", arguments: [0, 1, 5, 20, 40, 200])
    func progress(columns: Int) {
        for fraction in [-1, 0, 0.004, 0.996, 1, 7] {
            let line = ProgressLine(fraction: fraction, count: 1_000_000, countOfThisRun: 10, seconds: 1e-9)
            let text = line.text(columns: columns)
            #expect(DisplayWidth.of(text) <= columns, "\(fraction)")
            #expect(columns < 200 || text.contains("\(Int(min(max(fraction, 0), 1) * 100))%"), "\(fraction)")
        }
        let late = ProgressLine(fraction: 0.5, count: 1, countOfThisRun: 1, seconds: 1e300, initialFraction: 0.4)
        #expect(DisplayWidth.of(late.text(columns: columns)) <= columns)
    }

    @Test("in a table is what stands there, whatever comes from a server")
    func table() {
        var table = TextTable([.number("N"), .text("NAME"), .text("LAST")])
        table.add(["1", "a\u{1B}[2Jb", "x", "one too many"])
        table.add([])
        table.add(["22", "日本", ""])
        #expect(table.lines == [" N  NAME   LAST", " 1  a[2Jb  x", "", "22  日本"])
        #expect(TextTable([]).lines == [""])
        #expect(TextTable([.text("ONLY")]).text == "ONLY")
    }
}
