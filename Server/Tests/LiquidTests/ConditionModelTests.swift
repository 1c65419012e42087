import Liquid
import Testing

/// Compares conditions with what their operators say, one at a time.
@Suite("Conditions and their model")
struct ConditionModelTests {
    private func holds(_ condition: String, _ data: [(key: String, value: LiquidValue)] = []) throws -> Bool {
        let source = "{% if \(condition) %}1{% else %}0{% endif %}{% unless \(condition) %}0{% else %}1{% endunless %}"
        let text = try standard.compile(source).render(LiquidContext(data: LiquidHash(data))).text
        // What holds does not hold when it is turned around.
        #expect(text == "11" || text == "00")
        return text == "11"
    }

    @Test("Terms are joined from the right, so that the last two are joined first")
    func joined() throws {
        var random = SeededRandom(seed: 51)
        for _ in 0..<400 {
            let terms = (0..<Int.random(in: 1...6, using: &random)).map { _ in Bool.random(using: &random) }
            let operators = terms.dropFirst().map { _ in Bool.random(using: &random) }
            var condition = "\(terms[0])"
            for (isAnd, term) in zip(operators, terms.dropFirst()) { condition += " \(isAnd ? "and" : "or") \(term)" }
            var expected = terms[terms.count - 1]
            for place in operators.indices.reversed() {
                expected = operators[place] ? terms[place] && expected : terms[place] || expected
            }
            #expect(try holds(condition) == expected, "\(condition)")
        }
    }

    @Test("A comparison that fails is not made where the terms before it decide")
    func decided() throws {
        #expect(try holds("true or 'a' < 1"))
        #expect(try !holds("false and 'a' < 1"))
        #expect(failure("{% if true and 'a' < 1 %}{% endif %}")?.code == .incomparable)
        #expect(failure("{% if false or 'a' < 1 %}{% endif %}")?.code == .incomparable)
    }

    @Test("Numbers are ordered by value, whole or not")
    func numbers() throws {
        let numbers: [LiquidValue] = [-2, -1.5, 0, .double(-0.0), 0.5, 1, 1.0, 2, .double(.infinity), .double(.nan)]
        let values: [Double] = [-2, -1.5, 0, -0.0, 0.5, 1, 1.0, 2, .infinity, .nan]
        for left in numbers.indices {
            for right in numbers.indices {
                let data: [(key: String, value: LiquidValue)] = [("a", numbers[left]), ("b", numbers[right])]
                #expect(try holds("a == b", data) == (values[left] == values[right]))
                #expect(try holds("a != b", data) == (values[left] != values[right]))
                guard !values[left].isNaN, !values[right].isNaN else { continue }
                #expect(try holds("a < b", data) == (values[left] < values[right]))
                #expect(try holds("a <= b", data) == (values[left] <= values[right]))
                #expect(try holds("a > b", data) == (values[left] > values[right]))
                #expect(try holds("a >= b", data) == (values[left] >= values[right]))
            }
        }
    }

    @Test("Texts are ordered by their bytes")
    func texts() throws {
        // In this order.
        let texts = ["", "\u{1}", "1", "10", "9", "A", "B", "a", "ab", "b", "e\u{301}", "z", "\u{E9}", "日", "😀"]
        for left in texts.indices {
            for right in texts.indices {
                let data: [(key: String, value: LiquidValue)] = [
                    ("a", .string(texts[left])), ("b", .string(texts[right])),
                ]
                #expect(try holds("a == b", data) == (left == right))
                #expect(try holds("a < b", data) == (left < right))
                #expect(try holds("a <= b", data) == (left <= right))
                #expect(try holds("a > b", data) == (left > right))
                #expect(try holds("a >= b", data) == (left >= right))
            }
        }
    }

    @Test(
        "Whether a value is true, empty and blank depends on its kind alone",
        arguments: [
            (.null, false, false, true), (.bool(false), false, false, true), (.bool(true), true, false, false),
            (0, true, false, false), (0.0, true, false, false), ("", true, true, true), (" \t\r\n", true, false, true),
            ("\u{A0}", true, false, false), ("a", true, false, false), ([], true, true, true),
            ([nil], true, false, false),
            ([:], true, true, true), (["a": nil], true, false, false), (.range(LiquidRange(1, 0)), true, false, false),
            (.double(.nan), true, false, false), (.date(LiquidDate(seconds: 0)), true, false, false),
        ] as [(LiquidValue, Bool, Bool, Bool)]
    )
    func kinds(_ value: LiquidValue, _ isTrue: Bool, _ isEmpty: Bool, _ isBlank: Bool) throws {
        let data: [(key: String, value: LiquidValue)] = [("a", value)]
        #expect(try holds("a", data) == isTrue)
        #expect(try holds("a == empty", data) == isEmpty)
        #expect(try holds("empty == a", data) == isEmpty)
        #expect(try holds("a != empty", data) != isEmpty)
        #expect(try holds("a == blank", data) == isBlank)
        #expect(try holds("blank == a", data) == isBlank)
        #expect(try holds("a == nil", data) == (value == .null))
    }

    @Test(
        "A text has its parts, a list its items, a hash its keys and a range its numbers",
        arguments: [
            ("abc", "", true), ("abc", "abc", true), ("abc", "ac", false), ("abc", "B", false), ("a1", 1, true),
            ("a1.5", 1.5, true), ("", "", true), ("", "a", false), (["a", 1, nil], "a", true), ([1, 2], 1.0, true),
            ([1, 2], "1", false), ([[1]], [1], true), ([nil], .null, false), ([false], false, false),
            ([true], true, true),
            (["k": 1], "k", true), (["k": 1], 1, false), (["k": nil], "k", true), ([:], "k", false),
            (.range(LiquidRange(1, 3)), 3, true), (.range(LiquidRange(1, 3)), 4, false),
            (.range(LiquidRange(.min, .max)), 0, true), (.range(LiquidRange(3, 1)), 2, false),
            (.range(LiquidRange(1, 3)), "2", false), (12, 1, false), (.null, "a", false), (true, "t", false),
        ] as [(LiquidValue, LiquidValue, Bool)]
    )
    func contains(_ whole: LiquidValue, _ part: LiquidValue, _ isContained: Bool) throws {
        #expect(try holds("a contains b", [("a", whole), ("b", part)]) == isContained)
    }

    @Test(
        "A case takes every value that equals its subject, once for each, and else only where none does",
        arguments: [
            Example("{% case 1 %}{% when 1 %}a{% when 1.0 %}b{% when '1' %}c{% else %}d{% endcase %}", "ab"),
            Example("{% case 1 %}{% when 1, 1 %}a{% endcase %}", "aa"),
            Example("{% case 1 %}{% else %}a{% when 1 %}b{% endcase %}", "ab"),
            Example("{% case 1 %}{% when 1 %}a{% else %}b{% when 1 %}c{% else %}d{% endcase %}", "ac"),
            Example("{% case nothing %}{% when nil %}a{% else %}b{% endcase %}", "a"),
            Example("{% case empty_text %}{% when blank %}a{% when empty %}b{% endcase %}", "ab"),
            Example("{% case numbers %}{% when numbers %}a{% endcase %}", "a"),
            Example("x{% case 1 %} ignored {{ name }} {% when 1 %}a{% endcase %}y", "xay"),
            Example("{% case 2 %}{% when 1 or 2 or 3 %}a{% endcase %}", "a"),
            Example("{% case 'or' %}{% when 'or', 'and' %}a{% endcase %}", "a"),
        ]
    )
    func cases(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }
}
