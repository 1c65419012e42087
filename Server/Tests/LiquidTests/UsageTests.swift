import Liquid
import Testing

/// What a check says of the data that a template reads, wherever that stands.
@Suite("The usage of a template")
struct UsageTests {
    private func usage(_ source: String) -> LiquidReport.Usage {
        let report = LiquidEnvironment().check(source)
        #expect(report.problems.isEmpty)
        return report.usage
    }

    @Test(
        "has what is read, in whatever tag it is read",
        arguments: [
            "{{ P }}", "{{ 1 | plus: P }}", "{{ 1 | default: 2, allow_false: P }}", "{% assign x = P %}",
            "{% echo P %}", "{% liquid\necho P\n%}", "{% if P %}{% endif %}", "{% if 1 == P %}{% endif %}",
            "{% unless a and P contains 1 %}{% endunless %}", "{% if a %}{% elsif P %}{% endif %}",
            "{% case P %}{% endcase %}", "{% case a %}{% when 1, P %}{% endcase %}",
            "{% for i in P %}{% endfor %}", "{% for i in (1..P) %}{% endfor %}",
            "{% for i in a limit: P %}{% endfor %}", "{% for i in a offset: P %}{% endfor %}",
            "{% for i in a %}{% else %}{{ P }}{% endfor %}", "{% tablerow i in a cols: P %}{% endtablerow %}",
            "{% cycle P: 1, 2 %}", "{% cycle 1, P %}", "{% capture x %}{{ P }}{% endcapture %}",
            "{% ifchanged %}{{ P }}{% endifchanged %}", "{% include P %}", "{% include 'x' with P %}",
            "{% render 'x', y: P %}", "{{ a[P] }}", "{{ [P] }}", "{% abort_message(P) %}", "{% abort_message P %}",
            "{% connected_content https://x.test/{{ P }} %}",
            "{% connected_content https://x.test :headers {\"a\": \"{{ P }}\"} :body {{ P }} %}",
        ]
    )
    func places(_ source: String) {
        func written(_ name: String) -> LiquidReport.Usage {
            usage(source.split(separator: "P", omittingEmptySubsequences: false).joined(separator: name))
        }
        #expect(written("custom_attribute.${plan}").variables.contains("custom_attribute.plan"))
        #expect(written("${city}").attributes == ["city"])
        #expect(written("user.address['zip code']").variables.contains("user.address.zip code"))
        #expect(written("content_blocks.${footer}").contentBlocks == ["footer"])
    }

    @Test(
        "has none of what only looks like it",
        arguments: [
            "{% raw %}{{ ${city} }}{% endraw %}", "{% comment %}{{ ${city} }}{% endcomment %}",
            "{% doc %}{{ ${city} }}{% enddoc %}", "{% # ${city} %}", "${city}", "{{ '${city}' }}",
        ]
    )
    func elsewhere(_ source: String) {
        let usage = usage(source)
        #expect(usage.attributes.isEmpty && usage.variables.isEmpty && usage.unguarded.isEmpty)
    }

    @Test(
        "says what is printed without a default, by which tag ever",
        arguments: [
            ("{% echo ${city} %}", ["${city}"]), ("{% liquid\n echo custom_attribute.${a} | upcase\n%}", ["a"]),
            ("{% echo ${city} | default: 'x' %}", []), ("{% capture x %}{{ ${city} }}{% endcapture %}", ["${city}"]),
            ("{% assign x = ${city} %}", []), ("{{ ${city} | upcase | default: 'x' }}", []),
        ]
    )
    func printed(_ source: String, _ names: [String]) {
        let expected = names.map { $0.hasPrefix("$") ? $0 : "custom_attribute.${\($0)}" }
        #expect(usage(source).unguarded.sorted() == expected)
    }

    @Test(
        "takes a case for a condition, which looks at what it compares",
        arguments: [
            ("{% case ${city} %}{% when 'Rome' %}{{ ${city} }}{% endcase %}", []),
            ("{% case custom_attribute.${a} %}{% when nil %}{% else %}{{ custom_attribute.${a} }}{% endcase %}", []),
            ("{% case true %}{% when ${city}, ${street} %}{{ ${city} }}{{ ${street} }}{% endcase %}", []),
            ("{% case ${city} %}{% when 'Rome' %}{{ ${street} }}{% endcase %}", ["${street}"]),
            ("{% for i in (1..${count}) %}{{ ${count} }}{% endfor %}", ["${count}"]),
        ]
    )
    func cases(_ source: String, _ names: [String]) {
        #expect(usage(source).unguarded.sorted() == names)
    }
}
