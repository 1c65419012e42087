import Liquid
import Testing

@Suite("Standard filters")
struct FilterTests {
    @Test(
        "change text",
        arguments: [
            Example("{{ 'a' | append: 'b' | prepend: 'c' }} {{ nothing | append: 1 }}", "cab 1"),
            Example("{{ 'hELLO wORLD' | capitalize }} {{ 'é' | upcase }} {{ 'É' | downcase }}", "Hello world É é"),
            Example("[{{ ' a ' | strip }}][{{ ' a ' | lstrip }}][{{ ' a ' | rstrip }}]", "[a][a ][ a]"),
            Example(
                "{{ 'aXbXc' | replace: 'X', '-' }} {{ 'aXbXc' | replace_first: 'X', '-' }} "
                    + "{{ 'aXbXc' | replace_last: 'X', '-' }}",
                "a-b-c a-bXc aXb-c"
            ),
            Example(
                "{{ 'aXbXc' | remove: 'X' }} {{ 'aXbXc' | remove_first: 'X' }} {{ 'aXbXc' | remove_last: 'X' }}",
                "abc abXc aXbc"
            ),
            Example(
                "{{ 'ab' | replace: '', '.' }} {{ 'ab' | replace_first: '', '.' }} {{ 'ab' | replace_last: '', '.' }}",
                ".a.b. .ab ab."
            ),
            Example(
                "{{ 'a,b,,' | split: ',' | size }} {{ 'a b  c' | split: ' ' | join: '-' }} "
                    + "{{ '日本' | split: '' | join: '-' }}",
                "2 a-b-c 日-本"
            ),
            Example(
                "{{ hello | truncate: 8 }} {{ hello | truncate: 5, '' }} {{ hello | truncate: 1 }} "
                    + "{{ hello | truncate: 11 }}",
                "Hello... Hello ... Hello World"
            ),
            Example(
                "{{ 'a  b c' | truncatewords: 2 }} {{ 'a b' | truncatewords: 2 }} {{ 'a b' | truncatewords: 0, '!' }}",
                "a b... a b a!"
            ),
            Example("{{ \"a\r\nb\nc\" | newline_to_br }} {{ \"a\r\nb\" | strip_newlines }}", "a<br />\nb<br />\nc ab"),
            Example(
                "{{ hello | slice: 0, 5 }} {{ hello | slice: -3, 2 }} {{ japanese | slice: 1 }} {{ numbers | slice: "
                    + "1, 9 | join }} {{ hello | slice: 99 }}",
                "Hello rl 本 1 2 "
            ),
        ]
    )
    func text(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }

    @Test(
        "encode and decode",
        arguments: [
            Example("{{ '<a href=\"b\">&' | escape }}{{ \"'\" | escape }}", "&lt;a href=&quot;b&quot;&gt;&amp;&#39;"),
            Example("{{ '&lt; & &#39; &x' | escape_once }}", "&lt; &amp; &#39; &amp;x"),
            Example("{{ 'a b&é/~' | url_encode }} {{ 'a+b%26%C3%A9' | url_decode }}", "a+b%26%C3%A9%2F~ a b&é"),
            Example("{{ 'hi?>' | base64_encode }} {{ 'aGk/Pg==' | base64_decode }}", "aGk/Pg== hi?>"),
            Example("{{ 'hi?>' | base64_url_safe_encode }} {{ 'aGk_Pg' | base64_url_safe_decode }}", "aGk_Pg== hi?>"),
            Example("{{ '<p>a</p><!-- b --><script>c</script>d < e' | strip_html }}", "ad < e"),
        ]
    )
    func coding(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }

    @Test(
        "compute",
        arguments: [
            Example(
                "{{ 1 | plus: 2 }} {{ 1 | plus: 2.0 }} {{ '1.5' | plus: '2' }} {{ 'x' | plus: 1 }} "
                    + "{{ 0.1 | plus: 0.2 }}",
                "3 3.0 3.5 1 0.3"
            ),
            Example(
                "{{ 10.1 | minus: 2.2 }} {{ 3 | times: 1.1 }} {{ 9223372036854775807 | plus: 1 }}",
                "7.9 3.3 9.223372036854776e+18"
            ),
            Example("{{ 7 | divided_by: 2 }} {{ -7 | divided_by: 2 }} {{ 7 | divided_by: 2.0 }}", "3 -4 3.5"),
            Example("{{ 7 | modulo: 3 }} {{ -7 | modulo: 3 }} {{ 3.7 | modulo: 1.2 }}", "1 2 0.1"),
            Example(
                "{{ 2.5 | round }} {{ -2.5 | round }} {{ 2.675 | round: 2 }} {{ 1250 | round: -2 }} {{ 5 | round: 1 }}",
                "3 -3 2.68 1300 5"
            ),
            Example(
                "{{ 1.2 | ceil }} {{ -1.2 | floor }} {{ '3.9' | floor }} {{ -4 | abs }} {{ '-1.5' | abs }}",
                "2 -2 3 4 1.5"
            ),
            Example("{{ 3 | at_least: 5 }} {{ 3 | at_most: 2.5 }} {{ nothing | at_least: 1 }}", "5 2.5 1"),
        ]
    )
    func numbers(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }

    @Test(
        "work on lists",
        arguments: [
            Example(
                "{{ numbers | join }} {{ numbers | join: '+' }} {{ 'a' | join }} {{ nested | join: ',' }}",
                "3 1 2 3+1+2 a 1,2,3,4"
            ),
            Example(
                "{{ numbers | first }}{{ numbers | last }} {{ numbers | reverse | join }} {{ numbers | size }}",
                "32 2 1 3 3"
            ),
            Example(
                "{{ numbers | sort | join }} {{ letters | sort | join }} {{ letters | sort_natural | join }}",
                "1 2 3 C a b a b C"
            ),
            Example(
                "{{ items | map: 'title' | join }} {{ items | sort: 'price' | map: 'title' | join }}",
                "Hat Cup Cap Cup Hat Cap"
            ),
            Example(
                "{{ items | where: 'kind' | size }} {{ items | where: 'price', 2 | map: 'title' | join }}",
                "2 Cup"
            ),
            Example(
                "{{ items | reject: 'kind' | map: 'title' | join }} {{ items | reject: 'price', 5 | size }}",
                "Cup 1"
            ),
            Example(
                "{% assign cup = items | find: 'title', 'Cup' %}{{ cup.price }} {{ items | find_index: 'title', "
                    + "'Cap' }} {{ items | find_index: 'title', 'x' }}",
                "2 2 "
            ),
            Example(
                "{{ items | has: 'kind' }} {{ items | has: 'title', 'Cat' }} {{ none | has: 'x' }}",
                "true false false"
            ),
            Example("{{ items | sum: 'price' }} {{ nested | sum }} {{ none | sum }}", "12 10 0"),
            Example("{{ 'a,b,a' | split: ',' | uniq | join }} {{ items | uniq: 'price' | size }}", "a b 2"),
            Example("{{ items | map: 'kind' | compact | size }} {{ items | compact: 'kind' | size }}", "2 2"),
            Example("{{ numbers | concat: letters | join }}", "3 1 2 b a C"),
            Example("{{ letters | upcase }}", "[\"B\", \"A\", \"C\"]"),
        ]
    )
    func lists(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }

    @Test(
        "put a default in the place of what is missing",
        arguments: [
            Example(
                "{{ nothing | default: 'd' }}{{ no | default: 'd' }}{{ empty_text | default: "
                    + "'d' }}{{ none | default: 'd' }}",
                "dddd"
            ),
            Example(
                "{{ 0 | default: 'd' }}{{ no | default: 'd', allow_false: true }}{{ nothing | default }}",
                "0false"
            ),
        ]
    )
    func defaults(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }

    @Test("refuse more or fewer arguments than they take")
    func argumentCount() {
        #expect(failure("{{ 1 | plus }}")?.code == .argumentCount)
        #expect(failure("{{ 1 | abs: 1 }}")?.code == .argumentCount)
        #expect(failure("{{ 1 | append: 2, 3 }}")?.code == .argumentCount)
        #expect(failure("{{ 1 | upcase: loud: true }}")?.code == .argumentCount)
        #expect(failure("{{ 1 | upcase }}") == nil)
    }

    @Test("fail where no result makes sense")
    func failures() {
        #expect(failure("{{ 1 | divided_by: 0 }}")?.code == .zeroDivision)
        #expect(failure("{{ 1 | modulo: 'x' }}")?.code == .zeroDivision)
        #expect(failure("{{ name | slice: 'x' }}")?.code == .argument)
        #expect(failure("{{ name | truncate: nothing }}")?.code == .argument)
        #expect(failure("{{ 'é' | base64_decode }}")?.code == .argument)
        #expect(failure("{{ '%FF' | url_decode }}")?.code == .argument)
        #expect(failure("{{ numbers | map: 'x' }}")?.code == .argument)
        #expect(failure("{{ numbers | concat: 1 }}")?.code == .argument)
        #expect(failure("{{ numbers | concat: letters | sort }}")?.code == .incomparable)
        #expect(failure("{{ 1 | nope }}")?.code == .unknownFilter)
    }

    @Test(
        "go by the reference language where an argument or a value is odd",
        arguments: [
            Example("{{ 'a ' | truncatewords: 1 }}", "a..."), Example("{{ 'a b ' | truncatewords: 2 }}", "a b..."),
            Example("{{ ' a' | truncatewords: 1 }}", " a"), Example("{{ 5 | truncatewords | split: '' | size }}", "1"),
            Example("{{ 10 | sort: 'x' }}", "10"), Example("{{ 'abc' | map: 1.5 }}", "b"),
            Example("{{ '1e3' | date: '%Y' }}", "1e3"), Example("{{ '2nd may 2026' | date: '%F' }}", "2026-05-02"),
            Example("{{ '14mar2026' | date: '%F' }}", "2026-03-14"),
        ]
    )
    func odd(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }

    @Test("refuse base64 with bits that are left over")
    func leftovers() {
        #expect(failure("{{ '42' | base64_url_safe_decode }}")?.code == .argument)
        #expect(failure("{{ '4w' | base64_url_safe_decode }}") == nil)
    }

    @Test("can be added and replaced")
    func custom() throws {
        let shout = LiquidFilter("shout", arguments: 0...1, keywords: ["times"]) { call in
            let times = if case .int(let times)? = call.keywords["times"] { times } else { 1 }
            return .string(call.text.uppercased() + String(repeating: "!", count: times) + call.text(0))
        }
        let upcase = LiquidFilter("upcase") { _ in "replaced" }
        let environment = LiquidEnvironment(filters: .standard.adding([shout, upcase]))
        let template = try environment.compile("{{ 'a' | shout: 'b', times: 3 }} {{ 'a' | upcase }}")
        #expect(try template.render().text == "A!!!b replaced")
    }
}
