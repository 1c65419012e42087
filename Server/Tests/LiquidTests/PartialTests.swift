import Liquid
import Testing

@Suite("Partials")
struct PartialTests {
    private let partials = [
        "greet": "Hi {{ name }}{{ who }}", "set": "{% assign made = 1 %}", "card": "[{{ card.title }}]",
        "index": "{{ forloop.index }}{{ index }} ", "stop": "s{% break %}t", "nested": "{% include 'greet' %}",
        "shelf/item": "{{ item }}",
    ]

    @Test("see the variables of the template that includes them, and it sees theirs")
    func include() throws {
        #expect(try rendered("{% include 'greet', who: '!' %}{{ who }}", partials: partials) == "Hi Ann!")
        #expect(try rendered("{% include 'set' %}{{ made }}", partials: partials) == "1")
        #expect(try rendered("{% assign f = 'greet' %}{% include f %}", partials: partials) == "Hi Ann")
    }

    @Test("see nothing but data and arguments when they are isolated")
    func render() throws {
        #expect(try rendered("{% assign who = 1 %}{% render 'greet' %}", partials: partials) == "Hi Ann")
        #expect(try rendered("{% render 'set' %}{{ made }}", partials: partials) == "")
        #expect(try rendered("{% increment made %}{% render 'set' %}{% increment made %}", partials: partials) == "01")
    }

    @Test("take a subject by their name or by another")
    func subject() throws {
        #expect(
            try rendered("{% render 'card' with items[0] %}{% include 'card' with items[1] %}", partials: partials)
                == "[Hat][Cup]"
        )
        #expect(
            try rendered("{% render 'card' for items %}{% include 'card' for items %}", partials: partials)
                == "[Hat][Cup][Cap][Hat][Cup][Cap]"
        )
        #expect(try rendered("{% render 'index' for numbers as index %}", partials: partials) == "13 21 32 ")
        #expect(try rendered("{% include 'shelf/item' with name %}", partials: partials) == "Ann")
    }

    @Test("end the loop around an include, but not around a render")
    func interrupts() throws {
        #expect(try rendered("{% for n in numbers %}{% include 'stop' %}{% endfor %}", partials: partials) == "s")
        #expect(try rendered("{% for n in numbers %}{% render 'stop' %}{% endfor %}", partials: partials) == "sss")
    }

    @Test("fail with a name when they are missing or must not be included")
    func missing() {
        var context = LiquidContext(data: shop)
        #expect(failure("{% render 'x' %}", context: context)?.code == .missingTemplate)
        context.partials = LiquidLibrary(partials, environment: standard)
        #expect(failure("{% include nothing %}", context: context)?.code == .argument)
        #expect(failure("{% render 'nested' %}", context: context)?.code == .includeNotAllowed)
    }

    @Test("prefer the subject to an argument of the same name, unless there is none")
    func subjects() throws {
        let partials = ["card": "<{{ card }}>"]
        #expect(try rendered("{% render 'card' with name, card: 1 %}", partials: partials) == "<Ann>")
        #expect(try rendered("{% render 'card' for numbers, card: 1 %}", partials: partials) == "<3><1><2>")
        #expect(try rendered("{% render 'card' with nothing, card: 1 %}", partials: partials) == "<1>")
    }

    @Test("report errors at their place in the partial")
    func position() {
        var context = LiquidContext(data: shop)
        context.partials = LiquidLibrary(
            ["late": "a\n\n {{ 1 | divided_by: 0 }}", "broken": "x{% nope %}"],
            environment: standard
        )
        let late = failure("{% render 'late' %}", context: context)
        #expect(late?.template == "late")
        #expect(late?.line == 3)
        #expect(late?.column == 9)
        let broken = failure("{% render 'broken' %}", context: context)
        #expect(broken?.template == "broken")
        #expect(broken?.column == 2)
    }
}
