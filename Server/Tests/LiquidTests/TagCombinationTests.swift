import Liquid
import Testing

@Suite("Tags in combination")
struct TagCombinationTests {
    private static let parts = [
        "count": "{% increment n %}", "cycle": "{% cycle 'a', 'b' %}", "goOn": "{% continue %}no",
        "leave": "{% if true %}{% break %}{% endif %}no", "loop": "{% for i in (1..2) %}{{ i }}{% endfor %}",
        "place": "{{ forloop.index }}/{{ forloop.length }}", "set": "{% assign v = 'p' %}",
        "keep": "{% capture w %}c{% endcapture %}", "change": "{% ifchanged %}{{ i }}{% endifchanged %}",
        "row": "[{{ row }}{% break %}]",
    ]

    private func check(_ example: Example) throws {
        #expect(try rendered(example.source, partials: Self.parts) == example.expected)
    }

    @Test(
        "end and go on through whatever stands between them and their loop",
        arguments: [
            Example(
                "{% for i in (1..3) %}{% capture x %}{{ i }}{% break %}z{% endcapture %}n{% endfor %}[{{ x }}]",
                "[1]"
            ),
            Example("{% capture x %}a{% break %}b{% endcapture %}[{{ x }}]", ""),
            Example(
                "{% for i in (1..4) %}{% case i %}{% when 2 %}{% continue %}{% when 4 %}{% break %}{% endcase %}"
                    + "{{ i }}{% endfor %}",
                "13"
            ),
            Example(
                "{% for i in (1..3) %}{% ifchanged %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}"
                    + "{% endifchanged %}-{% endfor %}",
                "1-3-"
            ),
            Example("{% for i in (1..3) %}{% include 'goOn' %}{{ i }}{% endfor %}|", "|"),
            Example("{% for i in (1..3) %}{% render 'goOn' %}{{ i }}{% endfor %}|", "123|"),
            Example("{% include 'leave' %}y", ""),
            Example("{% for i in (1..2) %}{% for j in none %}{% else %}{% continue %}{% endfor %}z{% endfor %}", ""),
            Example("{% for i in (3..1) %}{% else %}none{% break %}x{% endfor %}y", "none"),
            Example("{% for i in (1..2) %}{% render 'row' for numbers %}{% endfor %}", "[3[1[2[3[1[2"),
            Example("{% include 'row' for numbers %}|", "[3"),
        ]
    )
    func interrupts(_ example: Example) throws {
        try check(example)
    }

    @Test(
        "go on in a table's row at the next cell, which is there even if nothing is in it",
        arguments: [("continue", "1||3"), ("break", "1|")]
    )
    func cells(_ tag: String, _ expected: String) throws {
        let source = "{% tablerow i in (1..3) %}{% if i == 2 %}{% \(tag) %}{% endif %}{{ i }}{% endtablerow %}"
        let cells = try rendered(source).matches(of: /<td class="col\d">(.*?)<\/td>/).map { String($0.1) }
        #expect(cells.joined(separator: "|") == expected)
        #expect(try rendered(source).hasSuffix("</tr>\n"))
    }

    @Test(
        "hide a variable as long as they last, the innermost first, and leave behind what they assign",
        arguments: [
            Example(
                "{% for i in (1..2) %}{% for i in (7..8) %}{{ i }}{% endfor %}{{ i }}{{ forloop.index }} {% endfor %}",
                "7811 7822 "
            ),
            Example("{% for i in (1..3) %}{% assign i = 9 %}{{ i }}{% endfor %}{{ i }}", "1239"),
            Example(
                "{% assign a = 'x' %}{% for a in (1..2) %}{{ a }}{% assign a = 'in' %}{{ a }}{% endfor %}{{ a }}",
                "1122in"
            ),
            Example("{% for i in (5..6) %}{% include 'loop' %}{{ i }} {% endfor %}", "125 126 "),
            Example(
                "{% capture a %}{% capture b %}x{% endcapture %}{{ b }}{{ b }}{% endcapture %}{{ a }}{{ b }}",
                "xxx"
            ),
            Example("{% include 'set' %}{{ v }}{% include 'keep' %}{{ w }}{% render 'set' %}{{ v }}", "pcp"),
            Example(
                "{% for i in (1..2) %}{% for j in (1..2) %}{% if j == 2 %}{% break %}{% endif %}"
                    + "{{ i }}{{ j }}{{ forloop.parentloop.last }} {% endfor %}{% endfor %}",
                "11false 21true "
            ),
            Example(
                "{% for i in (1..2) %}{% include 'place' %} {% endfor %}{% for i in (1..2) %}{% render 'place' %} "
                    + "{% endfor %}",
                "1/2 2/2 / / "
            ),
        ]
    )
    func scopes(_ example: Example) throws {
        try check(example)
    }

    @Test(
        "share what they count with the parts that they include, and with none that they render",
        arguments: [
            Example("{% include 'count' %}{% include 'count' %}{% render 'count' %}{{ n }}{% increment n %}", "01022"),
            Example("{% include 'cycle' %}{% cycle 'a', 'b' %}{% render 'cycle' %}{% cycle 'a', 'b' %}", "abaa"),
            Example(
                "{% assign l = 'a,a,b' | split: ',' %}{% for i in l %}{% include 'change' %}"
                    + "{% render 'change', i: i %}{% endfor %}",
                "aaabb"
            ),
            Example(
                "{% for i in (1..2) %}{% ifchanged %}{% for j in (1..2) %}{% cycle 'a', 'b', 'c' %}{% endfor %}"
                    + "{% endifchanged %};{% endfor %}",
                "ab;ca;"
            ),
            Example(
                "{% increment a %}{% increment a %}{{ a }}{% decrement a %}{% assign a = 9 %}{{ a }}{% increment a %}"
                    + "{{ a }}",
                "0121919"
            ),
            Example(
                "{% for i in (1..3) limit: 2 %}{% cycle 'g': 'x', 'y', 'z' %}{% endfor %}"
                    + "{% for i in (1..2) %}{% cycle 'g': 'x', 'y', 'z' %}{% endfor %}",
                "xyzx"
            ),
        ]
    )
    func counts(_ example: Example) throws {
        try check(example)
    }

    @Test("mean line by line in a liquid tag what they mean one by one")
    func lines() throws {
        let lines = [
            "assign x = 2", "for i in (1..4)", "if i == x", "continue", "elsif i == 4", "break", "endif", "echo i",
            "endfor", "case x", "when 1, 3", "echo 'odd'", "when 2", "echo 'even' | upcase", "endcase",
            "capture y", "echo x", "endcapture", "echo y", "include 'count'", "increment n",
        ]
        let tags = lines.map { "{% \($0) %}" }.joined()
        let whole = "{% liquid\n" + lines.map { "  \($0)\n\n" }.joined() + "%}"
        #expect(try rendered(whole, partials: Self.parts) == "13EVEN201")
        #expect(try rendered(tags, partials: Self.parts) == "13EVEN201")
    }
}
