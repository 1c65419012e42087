import Liquid
import Testing

@Suite("A batch")
struct BatchTests {
    @Test("answers a line with the rendered text")
    func result() {
        let answer = LiquidBatch.answer(line: #"{"template": "Hi {{ name }}", "data": {"name": "Ann"}}"#)
        #expect(answer == #"{"result":"Hi Ann"}"#)
    }

    @Test("renders partials that the line brings along")
    func partials() {
        let line = #"{"template": "{% render 'card', n: 2 %}", "templates": {"card": "<{{ n }}>"}}"#
        #expect(LiquidBatch.answer(line: line) == #"{"result":"<2>"}"#)
    }

    @Test("answers an error with its code, line and column")
    func error() {
        let answer = LiquidBatch.answer(line: #"{"template": "a\n {% nope %}"}"#)
        let expected = #"{"error":"No tag is called 'nope'.","code":"unknown_tag","line":2,"column":2}"#
        #expect(answer == expected)
    }

    @Test("answers malformed lines with an error instead of stopping")
    func malformed() {
        #expect(LiquidBatch.answer(line: "{").contains("invalid_json"))
        #expect(LiquidBatch.answer(line: "[]").contains("invalid_json"))
        #expect(LiquidBatch.answer(line: #"{"template": 1}"#).contains("invalid_json"))
    }

    @Test("answers in one line for readers that know other ends of lines too")
    func ends() {
        let answer = LiquidBatch.answer(line: #"{"template": "a\u2028b\u2029c\u0085d😀"}"#)
        #expect(answer == #"{"result":"a\u2028b\u2029c\u0085d😀"}"#)
    }

    @Test("escapes control characters and quotes in its answer")
    func escaping() {
        let answer = LiquidBatch.answer(line: #"{"template": "\"\\\n\t\u0001é"}"#)
        #expect(answer == #"{"result":"\"\\\n\t\u0001é"}"#)
    }
}
