import Testing

@testable import CommandSettings

@Suite("The variables of OpenTelemetry")
struct TraceVariablesTests {
    private func variables(_ environment: [String: String]) throws -> TraceVariables {
        TraceVariables(try SettingValues(environment: environment))
    }

    @Test("name a collector: that of traces as it is, or that of everything with the path of traces")
    func endpoint() throws {
        let base = "OTEL_EXPORTER_OTLP_ENDPOINT"
        #expect(try variables([:]).endpoint == nil)
        #expect(try variables([base: ""]).endpoint == nil)
        #expect(try variables([base: "http://c:4318"]).endpoint?.text == "http://c:4318/v1/traces")
        #expect(try variables([base: "http://c:4318/x/"]).endpoint?.text == "http://c:4318/x/v1/traces")
        let both = [base: "http://c:4318", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://d/"]
        #expect(try variables(both).endpoint?.text == "http://d/")
    }

    @Test("switch everything off")
    func disabled() throws {
        #expect(try variables(["OTEL_SDK_DISABLED": "TRUE"]).isDisabled)
        #expect(try !variables(["OTEL_SDK_DISABLED": "1"]).isDisabled)
        #expect(try variables(["OTEL_TRACES_EXPORTER": "none"]).isDisabled)
        #expect(try variables(["OTEL_TRACES_EXPORTER": "console"]).isDisabled)
        #expect(try !variables(["OTEL_TRACES_EXPORTER": "console,otlp"]).isDisabled)
    }

    @Test("have headers and attributes, in which values may be percent-encoded")
    func pairs() throws {
        let headers = try variables([
            "OTEL_EXPORTER_OTLP_HEADERS": "a=x", "OTEL_EXPORTER_OTLP_TRACES_HEADERS": " api-key = k%20=1 ,, b=2",
        ]).headers()
        #expect(headers.map(\.name) == ["api-key", "b"] && headers.map(\.value) == ["k =1", "2"])
        #expect(try variables(["OTEL_RESOURCE_ATTRIBUTES": "a=%E3%81%82"]).resource().map(\.value) == ["あ"])
        for bad in ["a", "=1", "a=%zz", "a=%ff"] {
            let error = #expect(throws: ConfigurationError.self) {
                try variables(["OTEL_EXPORTER_OTLP_HEADERS": bad]).headers()
            }
            #expect(error?.description.hasPrefix("OTEL_EXPORTER_OTLP_HEADERS: ") == true)
        }
    }

    @Test("say which requests are traced")
    func sampler() throws {
        func sampler(_ name: String, _ argument: String? = nil) throws -> TraceVariables.Sampler? {
            var environment = ["OTEL_TRACES_SAMPLER": name]
            environment["OTEL_TRACES_SAMPLER_ARG"] = argument
            return try variables(environment).sampler()
        }
        #expect(try sampler("") == nil)
        #expect(try sampler("always_off") == .init(ratio: 0, followsParent: false))
        #expect(try sampler("parentbased_always_on") == .init(ratio: 1, followsParent: true))
        #expect(try sampler("parentbased_traceidratio", "0.25") == .init(ratio: 0.25, followsParent: true))
        #expect(try sampler("traceidratio") == .init(ratio: 1, followsParent: false))
        for (name, argument) in [("jaeger_remote", nil), ("traceidratio", "2"), ("traceidratio", "nan")] {
            #expect(throws: ConfigurationError.self) { try sampler(name, argument) }
        }
    }

    @Test("name no protocol but HTTP, and a time in milliseconds")
    func others() throws {
        #expect(throws: ConfigurationError.self) {
            try variables(["OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"]).checkProtocol()
        }
        try variables(["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/json"]).checkProtocol()
        #expect(try variables(["OTEL_EXPORTER_OTLP_TIMEOUT": "2500"]).timeout() == 2.5)
        #expect(throws: ConfigurationError.self) { try variables(["OTEL_EXPORTER_OTLP_TIMEOUT": "0"]).timeout() }
    }
}
