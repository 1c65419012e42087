import Liquid
import Testing

@Suite("Expressions")
struct ExpressionTests {
    @Test(
        "print values",
        arguments: [
            Example(
                "{{ 1 }} {{ -2 }} {{ 1.50 }} {{ 'a' }} {{ \"b\" }} {{ true }} {{ nil }} {{ empty }}",
                "1 -2 1.5 a b true  "
            ),
            Example("{{ numbers }} {{ nested }} {{ (1..3) }} {{ nothing }}{{ unknown.x.y }}", "312 1234 1..3 "),
            Example("{{ items[0] }}", "{\"title\"=>\"Hat\", \"price\"=>5, \"kind\"=>\"wear\"}"),
            Example(
                "{{ 10000000000000000.0 }} {{ 0.00001 }} {{ 100.0 }} {{ 123456789.25 }}",
                "1.0e+16 1.0e-05 100.0 123456789.25"
            ),
            Example("{{ }}{{- -}}", ""),
        ]
    )
    func values(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }

    @Test(
        "follow paths",
        arguments: [
            Example(
                "{{ user.plan }} {{ user['plan'] }} {{ user.tags[1] }} {{ user.tags[-2] }} {{ user.tags[9] }}",
                "gold gold y x "
            ),
            Example(
                "{{ numbers.size }} {{ numbers.first }} {{ numbers.last }} {{ name.size }} {{ japanese.size }}",
                "3 3 2 3 3"
            ),
            Example("{{ user.size }} {{ numbers['size'] }}", "9 "),
            Example("{% assign key = 'plan' %}{{ user[key] }} {{ ['name'] }} {{ [key] }}", "gold Ann "),
            Example("{{ items[0].title }} {{ items.last['title'] }} {{ items[numbers[1]].title }}", "Hat Cap Cup"),
            Example("{% for i in (numbers[1]..count) %}{{ i }}{% endfor %}{{ (1.9..'3') | join }}", "1231 2 3"),
        ]
    )
    func paths(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }

    @Test(
        "hold",
        arguments: [
            "1 == 1.0", "name == 'Ann'", "name != 'Bob'", "name <> 'Bob'", "count >= 3", "count < 3.5", "'a' < 'b'",
            "''", "0",
            "none == empty", "empty_text == empty", "spaces == blank", "nothing == blank", "no == blank",
            "nothing == nil",
            "name contains 'n'", "numbers contains 2", "user contains 'plan'", "(1..3) contains 2",
            "numbers == numbers",
            "yes and count and name", "no or yes",
        ]
    )
    func truths(_ condition: String) throws {
        #expect(try rendered("{% if \(condition) %}holds{% endif %}") == "holds")
    }

    @Test(
        "do not hold",
        arguments: [
            "1 == '1'", "nothing", "no", "nothing < 1", "1 > nothing", "numbers > 1", "name == blank",
            "nothing == empty",
            "name contains nothing", "name contains 'x'", "numbers contains '2'", "yes == 1", "empty == blank",
            "no or nothing",
        ]
    )
    func falsehoods(_ condition: String) throws {
        #expect(try rendered("{% if \(condition) %}holds{% endif %}") == "")
    }

    @Test("fail to order values of different kinds")
    func incomparable() {
        #expect(failure("{% if 'a' < 1 %}{% endif %}")?.code == .incomparable)
    }

    @Test(
        "are refused when they are malformed",
        arguments: [
            "{{ a b }}", "{{ a. }}", "{{ .a }}", "{{ a[ }}", "{{ a['b' }}", "{{ 'a }}", "{{ a..b }}", "{{ (1..) }}",
            "{{ (1) }}",
            "{{ a | }}", "{{ a | join: }}", "{{ | upcase }}", "{{ a * 2 }}", "{{ -a }}", "{{ @a }}", "{{ a", "{{ a }",
            "{% if",
            "{% if %}{% endif %}", "{% if a = b %}{% endif %}", "{% if not a %}{% endif %}", "{% if a b %}{% endif %}",
            "{% assign %}", "{% assign a b %}", "{% for a %}{% endfor %}", "{% for a in %}{% endfor %}",
            "{% case %}{% endcase %}",
            "{% case a %}{% when %}{% endcase %}", "{% cycle %}", "{% capture %}{% endcapture %}", "{% render name %}",
            "{% raw x %}{% endraw %}", "{% increment %}", "{% %}", "{% #a\nb %}",
        ]
    )
    func malformed(_ source: String) {
        #expect(failure(source)?.code == .syntax)
    }
}
