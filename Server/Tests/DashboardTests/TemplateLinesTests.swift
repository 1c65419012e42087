import Testing

@testable import Dashboard

@Suite("Dashboard: lines of templates")
struct TemplateLinesTests {
    @Test(
        "Lines that are indented, and closing tags, continue the line before; others begin a line of the page",
        arguments: [
            ("<p>\n    One\n</p>\n<p>Two</p>\n", "<p>One</p>\n<p>Two</p>\n"),
            (
                "<ul>\n{{#items}}\n    <li>{{name}}</li>\n{{/items}}\n</ul>",
                "<ul>\n{{#items}}<li>{{name}}</li>{{/items}}</ul>"
            ),
            ("<p>\n    one two\n    three\n</p>", "<p>one two three</p>"),
            ("<p>\n    one\n    <b>two</b>\n    {{three}}\n    four\n</p>", "<p>one<b>two</b>{{three}}four</p>"),
            (
                "<a\n    href=\"{{address}}\"\n    {{#isNew}} class=\"new\"{{/isNew}}>x</a>",
                "<a href=\"{{address}}\"{{#isNew}} class=\"new\"{{/isNew}}>x</a>"
            ),
            ("<a title=\"a > b\n    c\"\n    >x</a>", "<a title=\"a > b c\">x</a>"),
            ("1 < 2\n    and {{{html}}}\n    <br\n    >", "1 < 2 and {{{html}}}<br>"),
            ("a\n\n    b\n", "a\nb\n"),
            ("{{unclosed\n  <p", "{{unclosed<p"),
            ("", ""),
        ]
    )
    func joined(lines: String, page: String) {
        #expect(TemplateLines.joined(lines) == page)
        #expect(TemplateLines.joined(page) == TemplateLines.joined(TemplateLines.joined(page)))
    }
}
