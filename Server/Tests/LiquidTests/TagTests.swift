import Liquid
import Testing

@Suite("Tags")
struct TagTests {
    @Test(
        "keep and print variables",
        arguments: [
            Example("{% assign x = name | upcase %}{{ x }}", "ANN"),
            Example("{% assign name = 1 %}{{ name }}", "1"),
            Example("{% capture x %}<{{ name }}>{% endcapture %}{{ x }}{{ x }}", "<Ann><Ann>"),
            Example("{% capture 'quoted' %}q{% endcapture %}{{ quoted }}", "q"),
            Example("{% echo name | append: '!' %}{% echo %}", "Ann!"),
            Example("{% increment n %}{% increment n %}{{ n }}{% decrement n %}", "0121"),
            Example("{% decrement n %}{% decrement n %}", "-1-2"),
            Example("{% assign n = 7 %}{% increment n %}{{ n }}", "07"),
        ]
    )
    func variables(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }

    @Test(
        "decide between branches",
        arguments: [
            Example("{% if count > 2 %}a{% elsif yes %}b{% else %}c{% endif %}", "a"),
            Example("{% if count > 3 %}a{% elsif yes %}b{% else %}c{% endif %}", "b"),
            Example("{% if nothing %}a{% elsif no %}b{% else %}c{% endif %}", "c"),
            Example("{% if no %}a{% else %}b{% else %}c{% endif %}", "b"),
            Example("{% unless no %}a{% endunless %}{% unless yes %}b{% elsif yes %}c{% endunless %}", "ac"),
            Example("{% if true or false and false %}a{% endif %}{% if false and true or true %}b{% endif %}", "a"),
            Example("{% case count %}{% when 1, 2 %}a{% when 3 or 4 %}b{% else %}c{% endcase %}", "b"),
            Example("{% case name %}{% when 'Bob' %}a{% else %}c{% endcase %}", "c"),
            Example("{% case count %}{% when 3 %}a{% when 3 %}b{% else %}c{% endcase %}", "ab"),
            Example("{% case none %}{% when empty %}a{% endcase %}", "a"),
        ]
    )
    func branches(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }

    @Test(
        "loop over lists, hashes, ranges and text",
        arguments: [
            Example("{% for n in numbers %}{{ n }},{% endfor %}", "3,1,2,"),
            Example("{% for n in numbers reversed %}{{ n }}{% endfor %}", "213"),
            Example("{% for n in numbers limit: 1 offset: 1 %}{{ n }}{% endfor %}", "1"),
            Example(
                "{% for n in numbers limit: 2 %}{{ n }}{% endfor %}|{% for n in numbers offset: "
                    + "continue %}{{ n }}{% endfor %}",
                "31|2"
            ),
            Example(
                "{% for n in none %}x{% else %}none{% endfor %}{% for n in nothing %}x{% else %}!{% endfor %}",
                "none!"
            ),
            Example("{% for p in user limit: 1 %}{{ p[0] }}={{ p[1] }}{% endfor %}", "plan=gold"),
            Example("{% for n in (1..count) %}{{ n }}{% endfor %}{% for n in (3..1) %}x{% endfor %}", "123"),
            Example("{% for c in name %}{{ c }};{% endfor %}", "Ann;"),
            Example("{% for n in numbers %}{% if n == 1 %}{% continue %}{% endif %}{{ n }}{% endfor %}", "32"),
            Example("{% for n in numbers %}{% if n == 1 %}{% break %}{% endif %}{{ n }}{% endfor %}", "3"),
            Example(
                "{% for n in numbers %}{{ forloop.index }}{{ forloop.rindex0 }}{{ forloop.first }} {% endfor %}",
                "12true 21false 30false "
            ),
            Example(
                "{% for a in (1..2) %}{% for b in (1..2) %}{{ forloop.parentloop.index }}{{ forloop.index }} "
                    + "{% endfor %}{% endfor %}",
                "11 12 21 22 "
            ),
            Example("{% for n in numbers %}{% endfor %}[{{ n }}{{ forloop.index }}]", "[]"),
            Example("a{% break %}b", "a"),
        ]
    )
    func loops(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }

    @Test("lay out a table in rows")
    func table() throws {
        let text = try rendered("{% tablerow n in numbers cols: 2 %}{{ n }}{{ tablerowloop.col }}{% endtablerow %}")
        let first = "<tr class=\"row1\">\n<td class=\"col1\">31</td><td class=\"col2\">12</td></tr>\n"
        #expect(text == first + "<tr class=\"row2\"><td class=\"col1\">21</td></tr>\n")
    }

    @Test(
        "cycle through values",
        arguments: [
            Example("{% for n in (1..3) %}{% cycle 'a', 'b' %}{% endfor %}", "aba"),
            Example("{% cycle 'x': 1, 2 %}{% cycle 'y': 1, 2 %}{% cycle 'x': 1, 2 %}", "112"),
            Example("{% cycle count, name %}{% cycle count, name %}", "33"),
            Example(
                "{% for n in (1..4) %}{% assign h = n | divided_by: 3 %}{% ifchanged %}{{ h }}{% "
                    + "endifchanged %}{% endfor %}",
                "01"
            ),
        ]
    )
    func cycles(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }

    @Test(
        "leave out comments and documentation, and keep raw text",
        arguments: [
            Example("a{% comment %}{% if %}{% comment %}x{% endcomment %}{% endcomment %}b", "ab"),
            Example("a{% # note\n # more %}b", "ab"),
            Example("a{% doc %}{% if %}{% enddoc %}b", "ab"),
            Example("{% raw %}{{ name }}{% if %}{% endraw %}", "{{ name }}{% if %}"),
            Example(
                "{% liquid\n assign x = 2\n if x == 2\n  echo 'two'\n endif\n # note\n for n in numbers\n "
                    + "echo n\n endfor %}",
                "two312"
            ),
        ]
    )
    func comments(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }

    @Test(
        "take of a table's bounds what is a whole number, and a text whole",
        arguments: [
            Example("{% tablerow i in (1..4) limit: 1.7 %}{{ i }}{% endtablerow %}", "1"),
            Example("{% tablerow i in (1..4) limit: '2b' offset: '1' %}{{ i }}{% endtablerow %}", "23"),
            Example("{% tablerow i in (1..4) limit: nothing %}{{ i }}{% endtablerow %}", ""),
            Example("{% tablerow i in (1..4) offset: 'x' %}{{ i }}{% endtablerow %}", "1234"),
            Example("{% tablerow i in name limit: 0 offset: 3 %}{{ i }}{% endtablerow %}", "Ann"),
            Example("{% for i in name limit: 0 %}{{ i }}{% endfor %}", "Ann"),
        ]
    )
    func bounds(_ example: Example) throws {
        let cells = try rendered(example.source).replacing(/<[^>]*>|\n/, with: "")
        #expect(cells == example.expected)
    }

    @Test(
        "pass over what has no effect in a cycle or a case, unless the syntax is strict",
        arguments: [
            Example("{% cycle 'a' x, 'b' %}{% cycle 'a','b', %}", "ab"),
            Example("{% case count %}{% when 3, %}three{% endcase %}", "three"),
        ]
    )
    func stray(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
        #expect(failure(example.source, in: LiquidEnvironment(dialect: .standard, isStrict: true))?.code == .syntax)
    }

    @Test("know no condition after the else of a case")
    func elseAlone() {
        #expect(failure("{% case count %}{% else if %}x{% endcase %}")?.code == .syntax)
    }
}
