import Liquid
import Testing

@Suite("Loops and their windows")
struct LoopModelTests {
    private func text(
        _ source: String,
        count: Int,
        limit: Int? = nil,
        offset: Int? = nil,
        columns: Int? = nil
    ) throws -> String? {
        let data: [(key: String, value: LiquidValue)] = [
            ("list", .array((0..<count).map { .int($0) })), ("limit", limit.map { .int($0) } ?? .null),
            ("offset", offset.map { .int($0) } ?? .null), ("columns", columns.map { .int($0) } ?? .null),
            ("last", .int(count - 1)),
        ]
        return try standard.compile(source).render(LiquidContext(data: LiquidHash(data))).text
    }

    /// The numbers that a window leaves of a list.
    private func window(_ count: Int, limit: Int?, offset: Int?) -> [Int] {
        var numbers: [Int] = []
        for number in 0..<count where number >= offset ?? 0 && numbers.count < limit ?? .max { numbers.append(number) }
        return numbers
    }

    @Test("take what limit and offset leave, of lists and of ranges, forwards and backwards")
    func windows() throws {
        for count in 0...5 {
            for limit in [nil, 0, 1, 3, 5, 9, Int.max] {
                for offset in [nil, 0, 1, 4, 5, 6, Int.max] {
                    let numbers = window(count, limit: limit, offset: offset)
                    for collection in ["list", "(0..last)"] {
                        let head = "for i in \(collection) limit: limit offset: offset"
                        let forward = "{% \(head) %}{{ i }}{% else %}none{% endfor %}"
                        let backward = "{% \(head) reversed %}{{ i }}{% else %}none{% endfor %}"
                        let shown = numbers.isEmpty ? "none" : numbers.map(String.init).joined()
                        let reversed = numbers.isEmpty ? "none" : numbers.reversed().map(String.init).joined()
                        #expect(try text(forward, count: count, limit: limit, offset: offset) == shown)
                        #expect(try text(backward, count: count, limit: limit, offset: offset) == reversed)
                    }
                }
            }
        }
    }

    @Test("tell where they are at each turn")
    func positions() throws {
        let source = """
            {% for i in list limit: limit offset: offset %}{{ forloop.index }},{{ forloop.index0 }},\
            {{ forloop.rindex }},{{ forloop.rindex0 }},{{ forloop.first }},{{ forloop.last }},{{ forloop.length }};\
            {% endfor %}
            """
        for (limit, offset) in [(9, 0), (2, 1), (1, 3), (4, 0)] {
            let numbers = window(4, limit: limit, offset: offset)
            let turns = numbers.indices.map { turn in
                "\(turn + 1),\(turn),\(numbers.count - turn),\(numbers.count - turn - 1),\(turn == 0),"
                    + "\(turn == numbers.count - 1),\(numbers.count);"
            }
            #expect(try text(source, count: 4, limit: limit, offset: offset) == turns.joined())
        }
    }

    @Test("continue where the loop before of the same name and list ended, turn by turn")
    func continuation() throws {
        var random = SeededRandom(seed: 31)
        for _ in 0..<200 {
            let count = Int.random(in: 0...8, using: &random)
            var (source, expected, place) = ("", "", 0)
            for step in 0..<4 {
                let size = Int.random(in: 0...4, using: &random)
                source += "{% for i in list limit: \(size) offset: continue %}{{ i }}{% endfor %}|"
                expected += (place..<min(place + size, max(place, count))).map(String.init).joined() + "|"
                place = min(place + size, max(place, count))
                // A loop over another name, or over what only reads alike, has a place of its own.
                guard step == 1 else { continue }
                source += "{% for j in list limit: 1 offset: continue %}{{ j }}{% endfor %}|"
                expected += (count > 0 ? "0" : "") + "|"
            }
            #expect(try text(source, count: count) == expected)
        }
    }

    @Test("continue after a break where the whole loop would have ended")
    func continuationAfterBreak() throws {
        let source =
            "{% for i in list limit: 3 %}{{ i }}{% break %}{% endfor %}|"
            + "{% for i in list offset: continue %}{{ i }}{% endfor %}|"
            + "{% for i in list offset: continue %}x{% endfor %}"
        #expect(try text(source, count: 5) == "0|34|")
    }

    @Test("lay a table out in as many columns as are asked for")
    func tables() throws {
        for count in 0...7 {
            for columns in 1...4 {
                let numbers = Array(0..<count)
                var rows: [[Int]] = []
                for number in numbers {
                    if number % columns == 0 { rows.append([]) }
                    rows[rows.count - 1].append(number)
                }
                if rows.isEmpty { rows = [[]] }
                let expected = rows.enumerated().map { row, cells in
                    let start = "<tr class=\"row\(row + 1)\">" + (row == 0 ? "\n" : "")
                    let shown = cells.enumerated().map { column, cell in
                        "<td class=\"col\(column + 1)\">\(cell)/\(row + 1)/\(column + 1)/\(column == columns - 1)</td>"
                    }
                    return start + shown.joined() + "</tr>\n"
                }
                let source = """
                    {% tablerow i in list cols: columns %}{{ i }}/{{ tablerowloop.row }}/{{ tablerowloop.col }}/\
                    {{ tablerowloop.col_last }}{% endtablerow %}
                    """
                #expect(try text(source, count: count, columns: columns) == expected.joined())
            }
        }
    }

    @Test(
        "leave the variables around them as they were",
        arguments: [
            Example("{% assign i = 'a' %}{% for i in numbers %}{% endfor %}{{ i }}", "a"),
            Example("{% for i in numbers %}{% assign i = 'a' %}{{ i }}{% endfor %}{{ i }}", "312a"),
            Example(
                "{% for i in numbers %}{% for i in letters %}{{ i }}{% endfor %}{{ i }}{% endfor %}",
                "baC3baC1baC2"
            ),
            Example("{% for i in numbers %}{% break %}{% endfor %}[{{ i }}]", "[]"),
            Example("{% for i in numbers %}{% capture x %}{{ x }}{{ i }}{% endcapture %}{% endfor %}{{ x }}", "312"),
            Example("{% for name in numbers %}{% endfor %}{{ name }}", "Ann"),
            Example("{% tablerow name in none %}{% endtablerow %}{{ name }}", "<tr class=\"row1\">\n</tr>\nAnn"),
        ]
    )
    func scopes(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }

    @Test(
        "end and go on where it is asked, the innermost first",
        arguments: [
            Example(
                "{% for i in (1..3) %}{% for j in (1..3) %}{% if j == 2 %}{% break %}{% endif %}{{ i }}{{ j }} "
                    + "{% endfor %}{% endfor %}",
                "11 21 31 "
            ),
            Example("{% for i in (1..4) %}{% if i == 2 or i == 3 %}{% continue %}{% endif %}{{ i }}{% endfor %}", "14"),
            Example("{% for i in (1..3) %}{% case i %}{% when 2 %}{% break %}{% endcase %}{{ i }}{% endfor %}", "1"),
            Example("{% for i in (1..3) %}{% capture x %}{{ i }}{% break %}{% endcapture %}{% endfor %}{{ x }}", "1"),
            Example("{% for i in (1..3) %}{% unless i < 3 %}{% continue %}{% endunless %}{{ i }}{% endfor %}.", "12."),
            Example("{% for i in (1..3) %}{% ifchanged %}x{% continue %}{% endifchanged %}{{ i }}{% endfor %}.", "x."),
        ]
    )
    func interrupts(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }
}
