import Liquid
import Testing

@Suite("What errors say")
struct ErrorMessageTests {
    /// A template, the code and the sentence of its error, and where that is.
    struct Failure: Sendable, CustomTestStringConvertible {
        let source: String
        let code: LiquidError.Code
        let message: String
        let line: Int
        let column: Int

        init(_ source: String, _ code: LiquidError.Code, _ message: String, _ line: Int, _ column: Int) {
            (self.source, self.code, self.message, self.line, self.column) = (source, code, message, line, column)
        }

        var testDescription: String { source }
    }

    private static let syntaxFailures = [
        Failure("{{ a b }}", .syntax, "Expected the end but found 'b'.", 1, 6),
        Failure("x\n\n  {{ 'a }}", .syntax, "This text lacks its closing quote.", 3, 6),
        Failure("{{ a | }}", .syntax, "Expected the name of a filter but found the end.", 1, 8),
        Failure("{{ a | join: }}", .syntax, "Expected a value but found the end.", 1, 14),
        Failure("{{ a. }}", .syntax, "Expected a property name but found the end.", 1, 7),
        Failure("{{ a[0 }}", .syntax, "Expected ']' but found the end.", 1, 8),
        Failure("{{ (1 2) }}", .syntax, "Expected '..' but found '2'.", 1, 7),
        Failure("{{ a ; }}", .syntax, "';' has no meaning here.", 1, 6),
        Failure("{{ é }}", .syntax, "This character has no meaning here.", 1, 4),
        Failure("ab {{ a", .syntax, "This output lacks '}}'.", 1, 4),
        Failure("ab\n{% if a", .syntax, "This tag lacks '%}'.", 2, 1),
        Failure("{% %}", .syntax, "This tag lacks a name.", 1, 1),
        Failure("{% if a = 1 %}{% endif %}", .syntax, "Expected a comparison such as '==' but found '='.", 1, 9),
        Failure("{% if %}{% endif %}", .syntax, "Expected a value but found the end.", 1, 7),
        Failure("{% assign x %}", .syntax, "'assign' is written: assign name = value.", 1, 1),
        Failure("{% assign x y = 1 %}", .syntax, "'assign' needs the name of a variable.", 1, 1),
        Failure("{% capture %}{% endcapture %}", .syntax, "'capture' needs the name of a variable.", 1, 1),
        Failure(
            "{% for 1 in a %}{% endfor %}",
            .syntax,
            "Expected the name of the loop's variable but found '1'.",
            1,
            8
        ),
        Failure("{% for a of b %}{% endfor %}", .syntax, "Expected 'in' but found 'of'.", 1, 10),
        Failure(
            "{% for a in b cols: 2 %}{% endfor %}",
            .syntax,
            "A loop takes 'limit', 'offset' or 'reversed', not 'cols'.",
            1,
            15
        ),
        Failure("{% for a in b limit 2 %}{% endfor %}", .syntax, "Expected ':' but found '2'.", 1, 21),
        Failure("{% case a %}{% else b %}{% endcase %}", .syntax, "'else' stands alone in a 'case'.", 1, 20),
        Failure("{% increment %}", .syntax, "'increment' needs a name.", 1, 1),
        Failure("{% render a %}", .syntax, "Expected the name of a template in quotes but found 'a'.", 1, 11),
        Failure("{% raw a %}{% endraw %}", .syntax, "'raw' takes no arguments.", 1, 1),
        Failure("{% liquid\nraw\n%}", .syntax, "'raw' has no meaning in 'liquid'.", 2, 1),
        Failure("{% # a\n b %}", .syntax, "Each line of an inline comment begins with '#'.", 2, 1),
        Failure("{% doc %}{% doc %}{% enddoc %}", .syntax, "'doc' does not nest.", 1, 10),
    ]

    @Test("of a template name the place of what is wrong", arguments: syntaxFailures)
    func syntax(_ expected: Failure) throws {
        let error = try #require(failure(expected.source))
        #expect(error.code == expected.code)
        #expect(error.message == expected.message)
        #expect(error.line == expected.line)
        #expect(error.column == expected.column)
    }

    private static let structureFailures = [
        Failure("{% nope %}", .unknownTag, "No tag is called 'nope'.", 1, 1),
        Failure("a\n {% endif %}", .unknownTag, "'endif' ends nothing.", 2, 2),
        Failure("{% when 1 %}", .unknownTag, "'when' has no meaning here.", 1, 1),
        Failure("{% if a %}{% endunless %}", .unknownTag, "'endunless' does not end 'if'; 'endif' does.", 1, 11),
        Failure("{% if a %}", .unclosedBlock, "'if' lacks its 'endif'.", 1, 1),
        Failure(
            "{% if a %}{% for b in c %}{% endif %}",
            .unknownTag,
            "'endif' does not end 'for'; 'endfor' does.",
            1,
            27
        ),
        Failure("x{% raw %}{{", .unclosedBlock, "This tag lacks 'endraw'.", 1, 2),
        Failure("{% comment %}{% comment %}{% endcomment %}", .unclosedBlock, "This tag lacks 'endcomment'.", 1, 1),
        Failure("{{ a | nope: 1 }}", .unknownFilter, "No filter is called 'nope'.", 1, 8),
        Failure("{{ a | append }}", .argumentCount, "'append' takes 1 argument, not 0.", 1, 8),
        Failure("{{ a | upcase: 1 }}", .argumentCount, "'upcase' takes 0 arguments, not 1.", 1, 8),
        Failure("{{ a | round: 1, 2 }}", .argumentCount, "'round' takes 0 to 1 arguments, not 2.", 1, 8),
        Failure("{{ a | slice }}", .argumentCount, "'slice' takes 1 to 2 arguments, not 0.", 1, 8),
        Failure("{{ a | upcase: loud: 1 }}", .argumentCount, "'upcase' takes no argument called 'loud'.", 1, 8),
    ]

    @Test("of its tags and filters name the one that is wrong", arguments: structureFailures)
    func structure(_ expected: Failure) throws {
        try syntax(expected)
    }

    private static let renderFailures = [
        Failure("{{ 1 | divided_by: 0 }}", .zeroDivision, "A number is divided by zero.", 1, 8),
        Failure("\n{{ 1\n | modulo: 0 }}", .zeroDivision, "A number is divided by zero.", 3, 4),
        Failure("{{ name | slice: 'x' }}", .argument, "A text is not a whole number.", 1, 11),
        Failure("{{ name | slice: 1.5 }}", .argument, "A number is not a whole number.", 1, 11),
        Failure("{{ name | truncate: nothing }}", .argument, "A missing value is not a whole number.", 1, 11),
        Failure("{{ name | upcase | truncate: user }}", .argument, "A hash is not a whole number.", 1, 20),
        Failure("{{ name | concat: name }}", .argument, "'concat' needs a list.", 1, 11),
        Failure("{{ '%FF' | url_decode }}", .argument, "'url_decode' needs text that decodes to UTF-8.", 1, 12),
        Failure("{{ 'a' | base64_decode }}", .argument, "This text is not base64.", 1, 10),
        Failure("{{ numbers | map: 'x' }}", .argument, "A number in the list has no such property.", 1, 14),
        Failure("{% if 'a' < 1 %}{% endif %}", .incomparable, "A text cannot be compared with a number.", 1, 7),
        Failure("{% if 1 >= 'a' %}{% endif %}", .incomparable, "A number cannot be compared with a text.", 1, 7),
        Failure("{% render 'x' %}", .missingTemplate, "No template is called 'x'.", 1, 1),
        Failure("a{% include nothing %}", .argument, "'include' needs the name of a template.", 1, 2),
        Failure("{% for i in letters limit: name %}{% endfor %}", .argument, "A text is not a whole number.", 1, 1),
        Failure(
            "{% for i in letters %}\n{{ i | divided_by: 0 }}{% endfor %}",
            .zeroDivision,
            "A number is divided by zero.",
            2,
            8
        ),
    ]

    @Test("of a render name the filter, condition or tag that failed", arguments: renderFailures)
    func rendering(_ expected: Failure) throws {
        try syntax(expected)
    }

    @Test(
        "of JSON name the byte at which it goes wrong",
        arguments: [
            ("", "JSON ends where a value is expected.", 1), ("[1,", "JSON ends where a value is expected.", 4),
            ("[1 2]", "JSON lacks the end of an array.", 4), ("{\"a\" 1}", "JSON lacks a colon after a key.", 6),
            ("{a: 1}", "JSON lacks a key.", 2), ("{\"a\": 1", "JSON lacks the end of an object.", 8),
            ("\"ab", "JSON lacks the end of a string.", 4), ("nul", "JSON has an unknown word.", 1),
            ("1 1", "JSON goes on after its value.", 3), ("\"é\" x", "JSON goes on after its value.", 6),
        ]
    )
    func json(_ text: String, _ message: String, _ column: Int) {
        let error = #expect(throws: LiquidError.self) { try LiquidValue(json: text.utf8) }
        #expect(error == LiquidError(.invalidJSON, message, line: 1, column: column))
    }

    @Test(
        "of numbers that JSON does not have are told, and those that it has are read",
        arguments: [
            ("0", true), ("-0", true), ("10", true), ("-1.50", true), ("1e5", true), ("1E+5", true), ("0.1e-2", true),
            ("01", false), ("-01", false), ("00", false), ("+1", false), ("1.", false), (".5", false), ("-.5", false),
            ("1e", false), ("1e+", false), ("1.e5", false), ("--1", false), ("1-1", false), ("1.5.2", false),
            ("1e5e5", false), ("-", false), ("NaN", false), ("Infinity", false), ("0x10", false), ("1_000", false),
        ]
    )
    func numbers(_ text: String, isNumber: Bool) {
        #expect(((try? LiquidValue(json: text.utf8)) != nil) == isNumber)
        #expect(((try? LiquidValue(json: "[\(text)]".utf8)) != nil) == isNumber)
    }
}
