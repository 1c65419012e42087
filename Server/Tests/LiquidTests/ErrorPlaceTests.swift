import Liquid
import Testing

@Suite("The places of errors")
struct ErrorPlaceTests {
    private static let parts = [
        "ok": "ok\n\nok", "late": "\n {{ 1 | modulo: 0 }}", "outer": "{% include 'ok' %}\n{{ 1 | modulo: 0 }}",
        "deep": "{% render 'late' %}", "broken": "a\n{% if %}",
    ]

    /// The template, line and column of the error that a template ends in, as `late 2:9`.
    private func place(_ source: String, in environment: LiquidEnvironment) -> String? {
        let library = LiquidLibrary(Self.parts, environment: environment)
        let context = LiquidContext(data: shop, partials: library, contentBlocks: library)
        return failure(source, in: environment, context: context).map { error in
            [error.template, "\(error.line):\(error.column)"].compactMap { $0 }.joined(separator: " ")
        }
    }

    @Test(
        "are those of the loop whose turns are too many, not of what it did last",
        arguments: [
            ("a\n{% for i in (1..6) %}\n\n{{ i }}{% endfor %}", 5, "2:1"),
            ("{% for i in (1..2) %}\n{% for j in (1..2) %}\n{{ j }}{% endfor %}\n{% endfor %}", 5, "2:1"),
            ("{% for i in (1..3) %}\n{% for j in (1..1) %}\n{{ j }}{% endfor %}\n{% endfor %}", 4, "1:1"),
            ("{{ 1 }}{% tablerow i in (1..6) %}\n{{ i }}{% endtablerow %}", 5, "1:8"),
            ("{% for i in (1..3) %}\n{% include 'ok' %}{% endfor %}", 5, "2:1"),
            ("{% for i in (1..3) %}\n{% include 'ok' %}{% endfor %}", 4, "1:1"),
            ("{% for i in (1..3) %}\n{% render 'ok' %}\n{{ i | plus: 1 }}{% endfor %}", 2, "1:1"),
            ("{{ 1 }}\n{{ (1..6) | join }}", 5, "2:13"),
        ]
    )
    func turns(_ source: String, _ turns: Int, _ expected: String) {
        let limits = LiquidLimits(duration: .seconds(600), loopTurns: turns)
        #expect(place(source, in: LiquidEnvironment(limits: limits)) == expected)
        let enough = LiquidLimits(duration: .seconds(600), loopTurns: 9)
        #expect(place(source, in: LiquidEnvironment(limits: enough)) == nil)
    }

    @Test(
        "are in the template again once a part of it has ended, and in the part as long as it goes on",
        arguments: [
            ("{% include 'ok' %}\n\n{{ 1 | modulo: 0 }}", "3:8"), ("{% include 'outer' %}", "outer 2:8"),
            ("{{ content_blocks.${ok} }}\n{{ 1 | modulo: 0 }}", "2:8"), ("{% render 'deep' %}", "late 2:9"),
            ("{{ 1 }}{{ content_blocks.${deep} }}", "late 2:9"),
            ("{% if content_blocks.${late} == 1 %}{% endif %}", "late 2:9"),
            ("{% capture x %}\n{% render 'late' %}{% endcapture %}", "late 2:9"),
            ("{% include 'ok' %}\n{% render 'ok' %}{% include 'gone' %}", "2:18"),
            ("{% for i in (1..2) %}{% include 'ok' %}{% endfor %}{% render 'broken' %}", "broken 2:7"),
            ("{% assign x = content_blocks.${none} %}", "1:15"),
            ("{% abort_message(content_blocks.${none}) %}", "1:1"),
        ]
    )
    func parts(_ source: String, _ expected: String) {
        #expect(place(source, in: LiquidEnvironment(limits: LiquidLimits(duration: .seconds(600)))) == expected)
    }

    @Test(
        "are those of the branch, the case or the filter that fails, whatever was rendered before",
        arguments: [
            ("{% if false %}\n{% elsif 'a' < 1 %}{% endif %}", "2:10"),
            ("{% unless 'a' > 2 %}{% endunless %}", "1:11"),
            ("{% for i in (1..2) %}{% if i == 2 %}\n{{ i | modulo: 0 }}{% endif %}{% endfor %}", "2:8"),
            ("{% tablerow i in (1..2) %}\n{{ i | divided_by: 0 }}{% endtablerow %}", "2:8"),
            ("{% ifchanged %}\n {{ 'a' | slice: 'b' }}{% endifchanged %}", "2:11"),
            ("{% cycle 'a' %}\n{% for i in (1..2) offset: 'x' %}{% endfor %}", "2:1"),
            ("{% assign a = 'x' | append: 'y'\n | slice: 'z' %}", "2:4"),
            ("\n{% case 1 %}{% when 1 %}\n\n{{ 'x' }}\n{% when content_blocks.${none} %}{% endcase %}", "2:1"),
            ("x\n{% cycle content_blocks.${none} %}", "2:1"),
            ("{{ 'x' | append: 'é日' }} {{ '日' | slice: 'a' }}", "1:35"),
        ]
    )
    func branches(_ source: String, _ expected: String) {
        #expect(place(source, in: LiquidEnvironment()) == expected)
    }
}
