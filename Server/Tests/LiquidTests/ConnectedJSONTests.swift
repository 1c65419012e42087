import Liquid
import Testing

/// What users say can't end the JSON string of a request in which it stands.
@Suite("JSON in connected content")
struct ConnectedJSONTests {
    private let environment = LiquidEnvironment()

    /// Answers with an option of the request.
    private struct Echo: ConnectedContentProviding {
        let option: String

        func response(to request: ConnectedContentRequest) throws(LiquidError) -> ConnectedContentResponse {
            // Not JSON as a whole, so that it is printed.
            ConnectedContentResponse(body: "> " + (request.options[option] ?? "none"))
        }
    }

    /// The value of an option as the host is sent it.
    private func option(_ name: String, of options: String, before: String = "") throws -> String? {
        let data: [(key: String, value: LiquidValue)] = [
            ("name", #"M","x-user":"victim"#), ("slash", #"\"#), ("line", "a\nb"), ("plain", "Ann"), ("empty", ""),
            ("object", #"{"a":"b"}"#), ("open", #""x"#), ("list", [#"a"b"#, "c"]),
        ]
        var context = LiquidContext(data: LiquidHash(data))
        context.connectedContent = Echo(option: name)
        let blocks = [
            "object": #"{"X":"{{name}}","Y":"{% for i in list %}{% if true %}{{i}}{% endif %}{% endfor %}"}"#,
            "quoted": #"a "b""#, "captured": #"{% capture c %}"{{name}}"{% endcapture %}"{{c}}""#,
            "cycle": #""{% cycle name, 'b' %}{% increment n %}""#,
            "changed": #""{% for i in list %}{% ifchanged %}{{name}}{% endifchanged %}{% endfor %}"{{object}}"#,
            "table": #"{% tablerow i in list %}{{i}}{% endtablerow %}"#,
        ]
        context.contentBlocks = LiquidLibrary(blocks, environment: environment)
        let source = "\(before){% connected_content https://x.test \(options) %}"
        return try environment.compile(source).render(context).text?
            .replacing("> ", with: "", maxReplacements: 1)
    }

    @Test(
        "escapes outputs within strings, and no others",
        arguments: [
            Example(#"{"X":"{{name}}"}"#, #"{"X":"M\",\"x-user\":\"victim"}"#),
            Example(#"{"X":"{{plain}}","{{slash}}":"a {{line}} b"}"#, #"{"X":"Ann","\\":"a a\nb b"}"#),
            Example(#"{{object}}"#, #"{"a":"b"}"#),
            Example(#"{"X":{{open | as_json_string}},"Y":"{{open}}"}"#, #"{"X":"\"x","Y":"\"x"}"#),
            Example(#"{"X":"{{name | json_escape}}"}"#, #"{"X":"M\",\"x-user\":\"victim"}"#),
            Example(#"{"X":"{{name | json_escape | append: slash}}"}"#, #"{"X":"M\\\",\\\"x-user\\\":\\\"victim\\"}"#),
            Example(#"{"X":"{{name | append: '"'}}"}"#, #"{"X":"M\",\"x-user\":\"victim\""}"#),
            Example(#"{"X":"a\"{{open}}","Y":"b\\","Z":{{open}}"}"#, #"{"X":"a\"\"x","Y":"b\\","Z":"x"}"#),
            Example(#"{"X":{{open}}{{name}}"}"#, #"{"X":"xM\",\"x-user\":\"victim"}"#),
            Example(#"{"X":"\{{open}}"}"#, #"{"X":"\\\"x"}"#),
            Example(#"{"X":"\{{open | json_escape}}"}"#, #"{"X":"\\\"x"}"#),
            Example(#"{"X":"\{{empty}}"}"#, #"{"X":"\\"}"#),
            Example(#"{"X":"{{list}}"}"#, #"{"X":"a\"bc"}"#),
        ]
    )
    func strings(_ example: Example) throws {
        #expect(try option("headers", of: ":headers \(example.source)") == example.expected)
    }

    @Test(
        "follows content blocks, with their branches, loops and captures",
        arguments: [
            Example("{{content_blocks.${object}}}", #"{"X":"M\",\"x-user\":\"victim","Y":"a\"bc"}"#),
            Example(#"{"X":"{{content_blocks.${quoted}}}"}"#, #"{"X":"a \"b\""}"#),
            Example("{{content_blocks.${captured}}}", #""\"M\",\"x-user\":\"victim\"""#),
            Example("{{content_blocks.${cycle}}}", #""M\",\"x-user\":\"victim0""#),
            Example("{{content_blocks.${changed}}}", #""M\",\"x-user\":\"victim"{"a":"b"}"#),
            Example(
                "{{content_blocks.${table}}}",
                "<tr class=\"row1\">\n<td class=\"col1\">a\"b</td><td class=\"col2\">c</td></tr>\n"
            ),
        ]
    )
    func contentBlocks(_ example: Example) throws {
        #expect(try option("headers", of: ":headers \(example.source)") == example.expected)
    }

    @Test(
        "escapes in a body whose type is JSON, wherever the type is said, and in no other",
        arguments: [
            (#":body {"a":"{{name}}"} :content_type application/json"#, true),
            (#":content_type application/vnd.api+JSON; charset=utf-8 :body {"a":"{{name}}"}"#, true),
            (#":body {"a":"{{name}}"} :headers {"Content-type":"application/json"}"#, true),
            (#":headers {"Content-Type":"application/json"} :content_type text/plain :body {"a":"{{name}}"}"#, false),
            (#":body {"a":"{{name}}"} :headers nonsense"#, false),
            (#":body {"a":"{{name}}"}"#, false),
        ]
    )
    func bodies(_ options: String, _ isEscaped: Bool) throws {
        let escaped = #"{"a":"M\",\"x-user\":\"victim"}"#
        #expect(try option("body", of: options) == (isEscaped ? escaped : #"{"a":"M","x-user":"victim"}"#))
    }

    @Test("leaves other texts as they are")
    func surroundings() throws {
        let before = #""{{name}}{% capture c %}{{name}}{% endcapture %}{{c}}"#
        let name = #"M","x-user":"victim"#
        let text = try option("headers", of: #":headers {"X":"{{plain}}"}"#, before: before)
        #expect(text == #""\#(name)\#(name){"X":"Ann"}"#)
        #expect(try option("method", of: #":method "{{name}}"#) == "\"" + name)
    }
}
