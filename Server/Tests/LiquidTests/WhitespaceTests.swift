import Liquid
import Testing

@Suite("White space")
struct WhitespaceTests {
    @Test(
        "goes where a delimiter asks for it",
        arguments: [
            Example("a \n {{- 1 -}} \t b", "a1b"),
            Example("a {{- 1 }} b", "a1 b"),
            Example("a {{ 1 -}} b", "a 1b"),
            Example("a {%- if yes -%} b {%- endif -%} c", "abc"),
            Example("a {%- comment -%} x {%- endcomment -%} b", "ab"),
            Example("a {%- raw -%} b {%- endraw -%} c", "a b c"),
            Example("{%- assign x = 1 -%}\n{{ x }}", "1"),
            Example("a {%- # note -%} b", "ab"),
        ]
    )
    func trimming(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }

    @Test(
        "goes from blocks that print nothing else",
        arguments: [
            Example("[{% if yes %} {% assign x = 1 %} {% endif %}]", "[]"),
            Example("[{% for n in numbers %} {% comment %}c{% endcomment %} {% endfor %}]", "[]"),
            Example("[{% if yes %} {{ nothing }} {% endif %}]", "[  ]"),
            Example("[{% if yes %} {% else %} x {% endif %}]", "[ ]"),
            Example("[{% case 1 %}{% when 1 %} {% capture x %}y{% endcapture %} {% endcase %}]", "[]"),
        ]
    )
    func blankBlocks(_ example: Example) throws {
        #expect(try rendered(example.source) == example.expected)
    }
}
