import Liquid
import Testing

@Suite("The dialect of customer messaging")
struct MessagingTests {
    private let environment = LiquidEnvironment()

    private var context: LiquidContext {
        let data: LiquidValue = [
            "first_name": "Ann", "custom_attribute": ["plan": "gold", "zip code": "101", "pets": [["name": "Rex"]]],
            "api_trigger_properties": ["tile_id": 7], "event_properties": ["x": "e"], "campaign": ["name": "Spring"],
        ]
        var context = LiquidContext()
        if case .hash(let hash) = data { context.data = hash }
        let blocks = [
            "sign-off": "Yours, {{ ${first_name} | upcase }}{{ ps }}", "outer": "<{{ content_blocks.${sign-off} }}>",
            "stop": "{% abort_message('from a block') %}", "set": "{% assign made = 1 %}",
        ]
        context.contentBlocks = LiquidLibrary(blocks, environment: environment)
        return context
    }

    private func outcome(_ source: String) throws -> LiquidOutcome {
        try environment.compile(source).render(context)
    }

    @Test(
        "reads attributes and properties in braces",
        arguments: [
            Example("{{${first_name}}}", "Ann"),
            Example("{{ ${first_name} | upcase }}", "ANN"),
            Example("{{${last_name} | default: 'friend'}}", "friend"),
            Example(
                "{{custom_attribute.${plan}}} {{custom_attribute.${zip code}}} {{custom_attribute.${ plan }}}",
                "gold 101 gold"
            ),
            Example("{{custom_attribute.${pets}[0].name}}", "Rex"),
            Example(
                "{{api_trigger_properties.${tile_id}}} {{event_properties.${x}}} {{campaign.${name}}}",
                "7 e Spring"
            ),
            Example("{% if custom_attribute.${plan} == 'gold' %}yes{% endif %}", "yes"),
            Example("{% assign first_name = 'Bob' %}{{${first_name}}} {{first_name}}", "Ann Bob"),
            Example("{% for pet in custom_attribute.${pets} %}{{ pet.name }}{% endfor %}", "Rex"),
        ]
    )
    func attributes(_ example: Example) throws {
        #expect(try outcome(example.source) == .rendered(example.expected))
    }

    @Test("renders content blocks in place, in each other and with the variables around them")
    func contentBlocks() throws {
        #expect(try outcome("{{content_blocks.${sign-off}}}") == .rendered("Yours, ANN"))
        #expect(
            try outcome("{% assign ps = '!' %}{{ content_blocks.${outer} | id: 'cb1' }}") == .rendered("<Yours, ANN!>")
        )
        #expect(try outcome("{{content_blocks.${set}}}{{ made }}") == .rendered("1"))
        #expect(failure("{{content_blocks.${nope}}}", in: environment, context: context)?.code == .missingContentBlock)
    }

    @Test(
        "aborts with a reason or without one",
        arguments: [
            ("a{% abort_message('no plan') %}b", "no plan"), ("{% abort_message %}", nil),
            ("{% abort_message() %}", nil), ("{% if true %}{% abort_message \"x\" %}{% endif %}", "x"),
            ("{{content_blocks.${stop}}}", "from a block"),
            ("{% for i in (1..3) %}{% abort_message('in a loop') %}{% endfor %}", "in a loop"),
            ("{% capture x %}{% abort_message('captured') %}{% endcapture %}", "captured"),
        ] as [(String, String?)]
    )
    func abort(_ source: String, _ reason: String?) throws {
        #expect(try outcome(source) == .aborted(reason: reason, source: reason))
    }

    @Test(
        "says of a reason that it computes what it was computed from",
        arguments: [
            ("{% abort_message(first_name) %}", "Ann", "{{first_name}}"),
            ("{% abort_message ( ${first_name} ) %}", "Ann", "{{${first_name}}}"),
            ("{% abort_message first_name %}", "Ann", "{{first_name}}"),
            ("{% assign why = 'no plan' %}{% abort_message(why) %}", "no plan", "{{why}}"),
            ("{% capture why %}no {{first_name}}{% endcapture %}{% abort_message(why) %}", "no Ann", "{{why}}"),
            ("{% abort_message(42) %}", "42", "{{42}}"), ("{% abort_message(nobody) %}", "", "{{nobody}}"),
        ]
    )
    func computedReason(_ template: String, _ reason: String, _ source: String) throws {
        #expect(try outcome(template) == .aborted(reason: reason, source: source))
    }

    @Test(
        "has filters of its own",
        arguments: [
            Example(
                "{{ 1234567.5 | number_with_delimiter }} {{ -123 | number_with_delimiter }} "
                    + "{{ 'x' | number_with_delimiter }}",
                "1,234,567.5 -123 x"
            ),
            Example("{{ custom_attribute | property_accessor: 'zip code' }}", "101"),
            Example("{{ 'a\"b\\' | json_escape }}", "a\\\"b\\\\"),
            Example("{{ custom_attribute.pets | as_json_string }}", "[{\"name\":\"Rex\"}]"),
            Example("{% assign j = '{\"a\": [1, 2]}' | json_parse %}{{ j.a[1] }}", "2"),
            Example("{{ 'hey<&>hi' | url_escape }} {{ 'hey<&>hi' | url_param_escape }}", "hey%3C&%3Ehi hey%3C%26%3Ehi"),
        ]
    )
    func filters(_ example: Example) throws {
        #expect(try outcome(example.source) == .rendered(example.expected))
    }

    @Test("is not part of the standard language")
    func standardOnly() {
        #expect(failure("{{${first_name}}}")?.code == .syntax)
        #expect(failure("{% abort_message %}")?.code == .unknownTag)
        #expect(failure("{{ 1 | number_with_delimiter }}")?.code == .unknownFilter)
    }

    @Test(
        "refuses braces that are malformed",
        arguments: ["{{${}}}", "{{${a}", "{{ $a }}", "{{ a.$b }}", "{% if ${a %}{% endif %}"]
    )
    func malformed(_ source: String) {
        #expect(failure(source, in: environment)?.code == .syntax)
    }
}

@Suite("Connected content")
struct ConnectedContentTests {
    private let environment = LiquidEnvironment()

    /// Answers with a fixed response, and shows the request in the body where it is asked to.
    private struct Provider: ConnectedContentProviding {
        var body: String?
        var status = 200

        func response(to request: ConnectedContentRequest) throws(LiquidError) -> ConnectedContentResponse {
            if request.address.contains("forbidden") {
                throw LiquidError(.connectedContent, "The host is not allowed.")
            }
            let options = request.options.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return ConnectedContentResponse(
                status: status,
                body: body ?? ([request.address] + options).joined(separator: " ")
            )
        }
    }

    private func rendered(_ source: String, _ provider: Provider) throws -> String? {
        var context = LiquidContext(data: LiquidHash([("id", "u 1")]))
        context.connectedContent = provider
        return try environment.compile(source).render(context).text
    }

    @Test("passes on the address and the options with their Liquid rendered")
    func request() throws {
        let source =
            "{% connected_content https://x.test/{{${id} | url_encode}}?a=b:c :basic_auth shop "
            + ":cache_max_age 60 :retry "
            + ":headers {\"X-Id\": \"{{${id}}}\", \"B\" :\"c\"} :method post :body a={{id}}&b=2 %}"
        let expected =
            "https://x.test/u+1?a=b:c basic_auth=shop body=a=u 1&b=2 cache_max_age=60 "
            + "headers={\"X-Id\": \"u 1\", \"B\" :\"c\"} method=post retry="
        #expect(try rendered(source, Provider()) == expected)
    }

    @Test("keeps JSON in a variable, and tells the status")
    func json() throws {
        let provider = Provider(body: #"{"text": "hi", "list": [1]}"#, status: 201)
        let saved =
            "{% connected_content https://x.test :save result %}{{ result.text }} {{ result.__http_status_code__ }}"
        #expect(try rendered(saved, provider) == "hi 201")
        #expect(try rendered("{% connected_content https://x.test %}{{ connected.list[0] }}", provider) == "1")
    }

    @Test("shows a template the status where there is no content, and no page that says so")
    func failedStatus() throws {
        let provider = Provider(body: "<h1>Gone</h1>", status: 410)
        #expect(
            try rendered("a{% connected_content https://x.test %}b{{ connected.__http_status_code__ }}", provider)
                == "ab410"
        )
    }

    @Test("prints text in place, unless it is to be kept")
    func text() throws {
        #expect(try rendered("a{% connected_content https://x.test %}b", Provider(body: "plain")) == "aplainb")
        #expect(
            try rendered("a{% connected_content https://x.test :save t %}b{{ t }}", Provider(body: "plain"))
                == "abplain"
        )
    }

    @Test("fails with a name without a provider, and when the provider refuses")
    func refusal() {
        let source = "x\n{% connected_content https://forbidden.test %}"
        let missing = failure(source, in: environment, context: LiquidContext())
        #expect(missing?.code == .connectedContent)
        #expect(missing?.line == 2)
        var context = LiquidContext()
        context.connectedContent = Provider()
        let refused = failure(source, in: environment, context: context)
        #expect(refused?.message == "The host is not allowed.")
        #expect(refused?.line == 2)
        #expect(failure("{% connected_content :save x %}", in: environment)?.code == .syntax)
        #expect(failure("{% connected_content https://x.test :save %}", in: environment)?.code == .syntax)
    }
}
