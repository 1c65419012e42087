import Liquid
import Testing

/// Renders everything with values that nobody means well: an error is an answer, the end of the process is none.
@Suite("Hostile values")
struct HostileValueTests {
    private let environment = LiquidEnvironment()

    /// Renders one template with each of the rows of values, named a, b and c.
    private func render(_ source: String, with rows: some Sequence<[LiquidValue]>) throws {
        let template = try environment.compile(source)
        var answers = 0
        var asked = 0
        for row in rows {
            let data = LiquidHash(zip(["a", "b", "c"], row).map { (key: $0, value: $1) })
            asked += 1
            switch Result(catching: { () throws(LiquidError) in try template.render(LiquidContext(data: data)) }) {
            case .success: answers += 1
            case .failure(let error): answers += error.line > 0 ? 1 : 0
            }
        }
        #expect(answers == asked)
    }

    private func filter(_ name: String, _ arguments: Int) -> String {
        "{{ a | \(name)\(arguments > 0 ? ": b" : "")\(arguments > 1 ? ", c" : "") }}"
    }

    @Test("end no filter, in any place", arguments: FilterRegistry.messaging.names)
    func filters(name: String) throws {
        let filter = try #require(FilterRegistry.messaging[name])
        let (small, large) = (HostileValues.small, HostileValues.large)
        let few = small.enumerated().filter { $0.offset % 5 == 0 }.map(\.element)
        for count in filter.argumentCount {
            let source = self.filter(name, count)
            switch count {
            case 0: try render(source, with: (small + large).map { [$0] })
            case 1:
                try render(source, with: small.flatMap { first in small.map { [first, $0] } })
                try render(source, with: large.flatMap { first in few.map { [first, $0] } })
                try render(source, with: few.flatMap { first in large.map { [first, $0] } })
            default:
                try render(source, with: few.flatMap { first in few.flatMap { b in few.map { [first, b, $0] } } })
                try render(source, with: few.flatMap { first in large.map { [first, $0, $0] } })
            }
        }
    }

    @Test(
        "end no tag and no expression",
        arguments: [
            "{% for i in a limit: b offset: c %}{{ i }}{{ forloop.rindex }}{% if forloop.index > "
                + "3 %}{% break %}{% endif %}{% endfor %}",
            "{% for i in a limit: 3 reversed %}{{ i }}{% endfor %}{% for i in a offset: "
                + "continue %}{% break %}{% endfor %}",
            "{% for i in (a..b) limit: 2 offset: c %}{{ i }}{% endfor %}",
            "{% for i in (a..b) reversed limit: 2 %}{{ i }}{% endfor %}",
            "{% tablerow i in a cols: b limit: 3 offset: c %}{{ tablerowloop.col }}{% endtablerow %}",
            "{% assign r = (a..b) %}{{ r }}{{ r.size }}{{ (a..b) | first }}{{ (a..b) | last }}{{ (a..b) | size }}",
            "{{ a[b] }}{{ a[b][c] }}{{ [a] }}{{ a.size }}{{ a.first }}{{ a.last }}{{ a.first.last.size }}",
            "{% if a == b %}{% endif %}{% if a != b %}{% endif %}{% if a contains b %}{% endif %}",
            "{% if a < b %}{% endif %}{% if a >= b %}{% endif %}", "{% if a > b or a <= c and b %}{% endif %}",
            "{% case a %}{% when b, c %}{{ a }}{% else %}{{ b }}{% endcase %}",
            "{% cycle a: b, c %}{% cycle a, b, c %}{% cycle a: b, c %}", "{% abort_message(a) %}",
            "{% assign x = a | times: b | round: c %}{{ x | abs | modulo: b | divided_by: c | ceil }}",
            "{{ a | times: 1.0 | round: b }}{{ a | plus: b | minus: c | floor }}",
            "{{ a | date: '%c %s %N %z %::z %G %V %U %j %10Y %-y %C' }}{{ a | time_zone: 'UTC' | date: '%c %s %Z' }}",
            "{{ a | split: b | slice: c | join: b | truncate: c, a | truncatewords: b }}",
        ]
    )
    func tags(source: String) throws {
        let few = HostileValues.small.enumerated().filter { $0.offset % 8 == 0 }.map(\.element)
        try render(source, with: HostileValues.small.flatMap { a in few.flatMap { b in few.map { [a, b, $0] } } })
        try render(source, with: HostileValues.large.flatMap { a in few.map { [a, $0, .int(2)] } })
    }

    @Test("are counted with as numbers should be")
    func values() throws {
        func text(_ source: String) throws -> String? {
            let data: LiquidValue = ["least": .string("-9223372036854775808"), "most": .int(.max)]
            guard case .hash(let hash) = data else { return nil }
            return try environment.compile(source).render(LiquidContext(data: hash)).text
        }
        #expect(try text("{{ least | round }} {{ least | round: 2 }}") == "-9223372036854775808 -9223372036854775808")
        #expect(try text("{{ least | times: 1.0 }}") == "-9.223372036854776e+18")
        #expect(
            try text("{{ least | round: -3 }} {{ most | round: -3 }}") == "-9223372036854775808 9.223372036854776e+18"
        )
        #expect(try text("{{ 1.5 | round: least }} {{ 1.5 | round: most }} {{ 149 | round: -2 }}") == "0 1.5 100")
        #expect(try text("{{ 'abc' | truncate: least }}|{{ 'abc' | truncate: least, '' }}") == "...|")
        #expect(
            try text("{{ -2.5 | round }} {{ 2.5 | round }} {{ -25 | round: -1 }} {{ 24 | round: -1 }}") == "-3 3 -30 20"
        )
    }
}
