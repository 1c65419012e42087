import Liquid
import Testing

@Suite("A check")
struct CheckTests {
    private let environment = LiquidEnvironment()

    @Test("finds nothing wrong with a template that compiles")
    func clean() {
        #expect(environment.check("{% if a %}{{ a | upcase }}{% endif %}").problems.isEmpty)
    }

    @Test("reports every problem with its position, in the order of the source")
    func problems() {
        let source = """
            {{ a | shout }} {{ b | upcase: 1 }}
            日本 {% nope %}
            {% if a = 1 %}{{ c d }}{% endif %}
              {{ e | plus: 1 | yell }}
            """
        let problems = environment.check(source).problems
        #expect(
            problems.map(\.code) == [.unknownFilter, .argumentCount, .unknownTag, .syntax, .syntax, .unknownFilter]
        )
        #expect(problems.map(\.line) == [1, 1, 2, 3, 3, 4])
        #expect(problems.map(\.column) == [8, 24, 4, 9, 20, 20])
    }

    @Test("names the block that is not closed, at its beginning")
    func unclosed() {
        let problems = environment.check("a\n  {% if b %}{% for c in d %}{% endfor %}").problems
        #expect(problems == [LiquidError(.unclosedBlock, "'if' lacks its 'endif'.", line: 2, column: 3)])
        #expect(environment.check("{% raw %}").problems.map(\.code) == [.unclosedBlock])
        #expect(environment.check("{% comment %}").problems.map(\.code) == [.unclosedBlock])
    }

    @Test("says which end tag a block needs")
    func wrongEnd() {
        let problems = environment.check("{% if a %}{% endfor %}{% endif %}{% endif %}").problems
        #expect(problems.map(\.message) == ["'endfor' does not end 'if'; 'endif' does.", "'endif' ends nothing."])
        #expect(environment.check("{% else %}").problems.map(\.message) == ["'else' has no meaning here."])
    }

    @Test("tells which names a template uses")
    func usage() {
        let source = """
            {{${first_name} | default: 'x'}}{{custom_attribute.${plan}}}{% if user.plan.level %}\
            {{ items[0].title }}{% endif %}
            {{content_blocks.${footer}}}{% render 'card' %}{{ a | nope }}
            """
        let usage = environment.check(source).usage
        #expect(usage.attributes == ["first_name"])
        #expect(usage.variables == ["custom_attribute.plan", "user.plan.level", "items", "a"])
        #expect(usage.contentBlocks == ["footer"])
        #expect(usage.partials == ["card"])
        #expect(usage.tags.isSuperset(of: ["if", "render"]))
        #expect(usage.filters == ["default", "nope"])
    }

    @Test(
        "agrees with compiling about the first problem",
        arguments: ["{{ a b }}", "{% nope %}", "{% if a %}", "{{ a | nope }}", "{{ a"]
    )
    func agreement(_ source: String) {
        #expect(environment.check(source).problems.first == failure(source, in: environment))
    }

    @Test("of strict syntax reports what the language ignores")
    func strictness() {
        let source = "{% case a %}{% when 1 and 2 %}{% endcase %}"
        #expect(environment.check(source).problems.isEmpty)
        #expect(LiquidEnvironment(isStrict: true).check(source).problems.map(\.code) == [.syntax])
    }

    @Test("survives any cut through a template")
    func cuts() {
        let source =
            "{%- for i in (1..3) -%}{{ i | plus: 1.5, 'x' }}{% liquid\n if a\n echo b\n endif %}{% raw %}{{${é}}}{% "
            + "endraw %}{% endfor %}"
        for length in 0..<source.utf8.count {
            let head = String(decoding: source.utf8.prefix(length), as: UTF8.self)
            let tail = String(decoding: source.utf8.dropFirst(length), as: UTF8.self)
            for part in [head, tail] {
                let report = environment.check(part)
                #expect(report.problems.isEmpty == ((try? environment.compile(part)) != nil))
            }
        }
    }
}

@Suite("Errors while rendering")
struct RenderErrorTests {
    @Test(
        "tell the line and column of their cause",
        arguments: [
            ("a\n{{ 1 | plus: 1 | divided_by: 0 }}", 2, 18), ("{% if 'a' < 1 %}{% endif %}", 1, 7),
            ("日本\n日 {% for i in (1..2) limit: 'x' %}{% endfor %}", 2, 3),
            ("{% assign x = 1 | modulo: 0 %}", 1, 19), ("{% render 'none' %}", 1, 1),
            ("{% liquid\n  echo 1\n  echo 2 | modulo: 0 %}", 3, 12),
        ]
    )
    func position(_ source: String, _ line: Int, _ column: Int) {
        let error = failure(source)
        #expect(error?.line == line)
        #expect(error?.column == column)
        #expect(error?.template == nil)
    }

    @Test("never contain the data of a user")
    func privacy() {
        #expect(failure("{% if name < 1 %}{% endif %}")?.message == "A text cannot be compared with a number.")
        #expect(failure("{{ hello | base64_decode }}")?.message.contains("Hello") == false)
    }

    @Test(
        "What is printed of a user without a default is told, but for what a condition looks at",
        arguments: [
            ("Hi {{${first_name}}}", ["${first_name}"]), ("Hi {{ ${first_name} | upcase }}", ["${first_name}"]),
            ("Hi {{${first_name} | default: 'you'}}", []), ("{{custom_attribute.${b}}}", ["custom_attribute.${b}"]),
            ("{% if ${first_name} != blank %}Hi {{${first_name}}}{% endif %}", []),
            ("{% if custom_attribute.${a} %}{{custom_attribute.${a}}} {{${city}}}{% endif %}", ["${city}"]),
            ("{% assign x = 1 %}{{ x }} {{ event_properties.${a} }}", []),
        ]
    )
    func unguarded(_ source: String, _ names: [String]) {
        let usage = LiquidEnvironment(filters: .messaging).check(source).usage
        #expect(usage.unguarded.sorted() == names)
    }
}
