import Liquid
import Testing

/// Compares what the filters do to texts with what obviously simple functions do to lists of scalars.
@Suite("Texts and their models")
struct TextModelTests {
    private typealias Text = [Unicode.Scalar]

    private func text(
        _ source: String,
        _ a: Text,
        _ b: Text = [],
        _ c: Text = [],
        n: Int = 0,
        m: Int = 0
    ) throws -> String {
        let data: [(key: String, value: LiquidValue)] = [
            ("a", .string(string(a))), ("b", .string(string(b))), ("c", .string(string(c))), ("n", .int(n)),
            ("m", .int(m)),
        ]
        return try #require(try standard.compile(source).render(LiquidContext(data: LiquidHash(data))).text)
    }

    private func string(_ text: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: text)
        return String(view)
    }

    /// Texts of few letters, so that parts are found, also parts of letters that are composed and that overlap.
    private func random(upTo length: Int, _ random: inout SeededRandom) -> Text {
        let letters: Text = ["a", "a", "b", "\u{E9}", "\u{301}", "e", " ", "日", "😀"]
        return (0..<Int.random(in: 0...length, using: &random)).map { _ in
            letters[Int.random(in: letters.indices, using: &random)]
        }
    }

    private func isSame(_ left: String, _ right: String) -> Bool { Array(left.utf8) == Array(right.utf8) }

    /// The places at which a part that is not empty begins, from the left and without overlaps.
    private func places(of part: Text, in text: Text) -> [Int] {
        var places: [Int] = []
        var place = 0
        while place + part.count <= text.count {
            if Array(text[place..<place + part.count]) == part {
                places.append(place)
                place += part.count
            } else {
                place += 1
            }
        }
        return places
    }

    /// The text with what begins at some places, as long as the part, replaced.
    private func replacing(_ part: Text, at places: [Int], in text: Text, by other: Text) -> String {
        var output: Text = []
        var place = 0
        for start in places {
            output += text[place..<start] + other
            place = start + part.count
        }
        return string(output + text[place...])
    }

    @Test("are replaced wherever a part stands, only first or only last")
    func replace() throws {
        var seeded = SeededRandom(seed: 21)
        for _ in 0..<400 {
            let (whole, other) = (random(upTo: 24, &seeded), random(upTo: 3, &seeded))
            let part = random(upTo: 3, &seeded)
            guard !part.isEmpty else { continue }
            let found = places(of: part, in: whole)
            // The last place of all, which may overlap one that was counted from the left.
            let last = whole.indices.last { Array(whole[$0...].prefix(part.count)) == part }
            let expected = [
                replacing(part, at: found, in: whole, by: other),
                replacing(part, at: Array(found.prefix(1)), in: whole, by: other),
                replacing(part, at: last.map { [$0] } ?? [], in: whole, by: other),
                replacing(part, at: found, in: whole, by: []),
            ]
            let filters = ["replace: b, c", "replace_first: b, c", "replace_last: b, c", "remove: b"]
            for (filter, expected) in zip(filters, expected) {
                #expect(isSame(try text("{{ a | \(filter) }}", whole, part, other), expected), "\(filter)")
            }
        }
    }

    @Test("are found in long texts as in short ones, whatever the part repeats")
    func longParts() throws {
        var seeded = SeededRandom(seed: 22)
        for _ in 0..<200 {
            // Eight bytes and more are looked for in another way; two letters make borders of any length.
            let letters: Text = ["a", "b"]
            let whole = (0..<300).map { _ in letters[Int.random(in: 0...1, using: &seeded)] }
            let start = Int.random(in: 0..<260, using: &seeded)
            var part = Array(whole[start..<start + Int.random(in: 8...12, using: &seeded)])
            if Bool.random(using: &seeded) { part[part.count - 1] = "c" }
            let found = places(of: part, in: whole)
            let last = whole.indices.last { Array(whole[$0...].prefix(part.count)) == part }
            #expect(
                try text("{{ a | replace: b, '|' }}", whole, part) == replacing(part, at: found, in: whole, by: ["|"])
            )
            #expect(
                try text("{{ a | remove_last: b }}", whole, part)
                    == replacing(part, at: last.map { [$0] } ?? [], in: whole, by: [])
            )
            #expect(try text("{% if a contains b %}1{% endif %}", whole, part) == (found.isEmpty ? "" : "1"))
        }
    }

    @Test("are split at every part, without empty texts at the end")
    func split() throws {
        var seeded = SeededRandom(seed: 23)
        for _ in 0..<400 {
            let (whole, part) = (random(upTo: 24, &seeded), random(upTo: 2, &seeded))
            // A space alone splits into words, which is another rule.
            guard !part.isEmpty, part != [" "] else { continue }
            var (pieces, start) = ([String](), 0)
            for place in places(of: part, in: whole) {
                pieces.append(string(whole[start..<place]))
                start = place + part.count
            }
            pieces.append(string(whole[start...]))
            while pieces.last?.isEmpty == true { pieces.removeLast() }
            let source = "{% assign l = a | split: b %}{{ l.size }}|{{ l | join: '|' }}"
            #expect(isSame(try text(source, whole, part), "\(pieces.count)|" + pieces.joined(separator: "|")))
        }
    }

    @Test("are cut by scalars")
    func slice() throws {
        var seeded = SeededRandom(seed: 24)
        for _ in 0..<400 {
            let whole = random(upTo: 8, &seeded)
            let (start, length) = (Int.random(in: -10...10, using: &seeded), Int.random(in: -2...10, using: &seeded))
            let first = start < 0 ? start + whole.count : start
            var expected: Text = []
            for place in whole.indices where place >= first && place - first < length && first >= 0 {
                expected.append(whole[place])
            }
            #expect(isSame(try text("{{ a | slice: n, m }}", whole, n: start, m: length), string(expected)))
        }
    }

    @Test("are shortened to a length that counts the ending")
    func truncate() throws {
        var seeded = SeededRandom(seed: 25)
        for _ in 0..<400 {
            let (whole, ending) = (random(upTo: 12, &seeded), random(upTo: 4, &seeded))
            let length = Int.random(in: 0...14, using: &seeded)
            var expected = whole
            if whole.count > length { expected = Array(whole.prefix(max(0, length - ending.count))) + ending }
            #expect(isSame(try text("{{ a | truncate: n, b }}", whole, ending, n: length), string(expected)))
        }
    }

    @Test("lose the space around them, and become words at it")
    func space() throws {
        var seeded = SeededRandom(seed: 26)
        let letters: Text = [" ", "\t", "\n", "\r", "\u{B}", "\u{C}", "a", "é", "\u{A0}", "\u{3000}"]
        for _ in 0..<300 {
            let whole = (0..<8).map { _ in letters[Int.random(in: letters.indices, using: &seeded)] }
            // What Unicode counts as space beyond ASCII is a letter here.
            let isSpace: (Unicode.Scalar) -> Bool = { letters[..<6].contains($0) }
            let left = Array(whole.drop(while: isSpace))
            let right = Array(whole.reversed().drop(while: isSpace).reversed())
            let both = Array(left.reversed().drop(while: isSpace).reversed())
            #expect(isSame(try text("{{ a | lstrip }}", whole), string(left)))
            #expect(isSame(try text("{{ a | rstrip }}", whole), string(right)))
            #expect(isSame(try text("{{ a | strip }}", whole), string(both)))
            let words = whole.split(whereSeparator: isSpace).map { string($0) }
            #expect(isSame(try text("{{ a | split: ' ' | join: '|' }}", whole), words.joined(separator: "|")))
        }
    }

    @Test("come back from what they are encoded as")
    func coding() throws {
        var seeded = SeededRandom(seed: 27)
        let pairs = [
            "url_encode | url_decode", "base64_encode | base64_decode",
            "base64_url_safe_encode | base64_url_safe_decode", "reverse | join", "split: '' | join: ''",
            "append: '' | prepend: ''", "replace: 'a', 'a'",
        ]
        for _ in 0..<200 {
            // Every scalar that UTF-8 has.
            let whole = (0..<Int.random(in: 0...20, using: &seeded)).compactMap { _ -> Unicode.Scalar? in
                let code = UInt32.random(in: 0...0x10_FFFF, using: &seeded)
                return Unicode.Scalar(code >> UInt32.random(in: 0...16, using: &seeded))
            }
            for filters in pairs {
                #expect(isSame(try text("{{ a | \(filters) }}", whole), string(whole)), "\(filters)")
            }
        }
    }

    @Test("are escaped so that nothing of HTML is left, and once is enough")
    func escaping() throws {
        var seeded = SeededRandom(seed: 28)
        let letters: Text = ["&", "<", ">", "\"", "'", "a", "m", "p", ";", "#", "3", "9", "é"]
        for _ in 0..<300 {
            let whole = (0..<12).map { _ in letters[Int.random(in: letters.indices, using: &seeded)] }
            let escaped = try text("{{ a | escape }}", whole)
            let names: [Unicode.Scalar: String] = [
                "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
            ]
            #expect(escaped == whole.map { names[$0] ?? String($0) }.joined())
            #expect(try text("{{ a | h }}", whole) == escaped)
            // What is escaped already stays so, as often as it is escaped once.
            let once = try text("{{ a | escape_once }}", whole)
            #expect(try text("{{ a | escape_once | escape_once }}", whole) == once)
            #expect(try text("{{ a | escape | escape_once }}", whole) == escaped)
        }
    }
}
