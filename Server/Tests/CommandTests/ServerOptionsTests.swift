import ArgumentParser
import CommandSettings
import Foundation
import Testing

@testable import CardServer
@testable import PlacardCommands

/// What flags, the environment and the file say of a server.
struct ServerOptionsTests {
    private static func values(_ environment: [String: String] = [:], file: String? = nil) throws -> SettingValues {
        try SettingValues(
            file: file,
            environment: Dictionary(uniqueKeysWithValues: environment.map { ("PLACARD_\($0.key)", $0.value) })
        )
    }

    /// Returns the message of what can't be used.
    private static func problem(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return "\(error)"
        }
    }

    // MARK: Limits

    @Test func `A flag comes before the environment, which comes before the file`() throws {
        let values = try Self.values(
            ["MAX_CONNECTIONS": "20", "IDLE_TIMEOUT": "21"],
            file: "max_connections: 30\nidle_timeout: 31\nhead_timeout: 32\n"
        )
        let limits = try LimitOptions.parse(["--max-connections", "10"]).limits(values)
        #expect(limits.connections == 10 && limits.idleSeconds == 21 && limits.headSeconds == 32)
        #expect(limits.liveStreams == ServerLimits().liveStreams)
        let problem = Self.problem {
            _ = try LimitOptions.parse([]).limits(Self.values(file: "head_timeout: 0\n"))
        }
        #expect(problem?.hasPrefix("head_timeout in placard.yaml: a whole number from 1 to 3600") == true)
    }

    @Test func `Memory for bodies is in MiB, of which one address has a quarter`() throws {
        let limits = try LimitOptions.parse(["--body-memory", "4"]).limits(Self.values())
        #expect(limits.bodyBytes == 4 << 20 && limits.bodyBytesPerAddress == 1 << 20)
        let most = try LimitOptions.parse(["--body-memory", "1048576"]).limits(Self.values())
        #expect(most.bodyBytes == 1 << 40)
    }

    @Test(
        "A number out of its range is refused by its flag",
        arguments: [
            ("max-connections", "0"), ("max-connections", "1000001"), ("max-connections-per-address", "0"),
            ("max-live-streams", "-1"), ("head-timeout", "0"), ("body-timeout", "3601"), ("write-timeout", "1.5"),
            ("idle-timeout", "1e3"), ("shutdown-timeout", "-1"), ("drain-delay", "10s"), ("reconnect-spread", " 1"),
            ("min-rate", "1000000001"), ("body-memory", "3"), ("body-memory", "9223372036854775808"),
            ("max-connections", "１２"),
        ]
    )
    func limits(_ flag: String, _ text: String) throws {
        let options = try LimitOptions.parse(["--\(flag)=\(text)"])
        let problem = Self.problem { _ = try options.limits(Self.values()) }
        #expect(problem?.hasPrefix("--\(flag)") == true, "\(problem ?? "taken")")
    }

    // MARK: Proxies

    @Test func `Proxies are addresses and ranges, and whoever connects by the socket`() throws {
        let options = try ProxyOptions.parse(["--trusted-proxies", "10.1.2.3/8, ::1 unix"])
        let proxies = try options.proxies(Self.values())
        #expect(proxies.ranges.map(\.description) == ["10.0.0.0/8", "::1"] && proxies.includesSocket)
        #expect(proxies.header == .automatic)
        let header = try ProxyOptions.parse(["--forwarded-header", "X-Forwarded-For"]).proxies(Self.values())
        #expect(header.ranges.isEmpty && !header.includesSocket)
        // Empty, it takes back what the file says.
        let none = try ProxyOptions.parse([]).proxies(
            Self.values(["TRUSTED_PROXIES": ""], file: "trusted_proxies: [10.0.0.0/8]\n")
        )
        #expect(none.ranges.isEmpty)
        let listed = try ProxyOptions.parse([]).proxies(Self.values(file: "trusted_proxies: [10.0.0.1, unix]\n"))
        #expect(listed.ranges.count == 1 && listed.includesSocket)
    }

    @Test(
        "What is no address is refused, since everybody else could say where requests come from",
        arguments: ["proxy", "10.0.0.0/33", "10.0.0", "10.0.0.1;10.0.0.2", "UNIX", "*", "10.0.0.1/", "::1/129"]
    )
    func proxies(_ text: String) throws {
        let options = try ProxyOptions.parse(["--trusted-proxies", text])
        let problem = Self.problem { _ = try options.proxies(Self.values()) }
        #expect(problem?.hasPrefix("--trusted-proxies: ") == true, "\(problem ?? "taken")")
    }

    // MARK: Certificates and pictures

    @Test func `A certificate and its key are given together`() throws {
        #expect(try TLSOptions.parse([]).files(Self.values()) == nil)
        let both = try TLSOptions.parse(["--tls-key", "k"]).files(Self.values(["TLS_CERTIFICATE": "c"]))
        #expect(both == CertificateFiles(certificate: "c", key: "k"))
        let alone = Self.problem { _ = try TLSOptions.parse([]).files(Self.values(["TLS_KEY": "k"])) }
        #expect(alone == "PLACARD_TLS_KEY: give the certificate too, by --tls-certificate.")
        let missing = Self.problem { _ = try TLSOptions.parse(["--tls-certificate", "c"]).files(Self.values()) }
        #expect(missing == "--tls-certificate: give the key too, by --tls-key.")
        let options = try TLSOptions.parse(["--tls-certificate", "/nowhere/c", "--tls-key", "/nowhere/k"])
        #expect(throws: CommandError.self) { _ = try options.certificate(Self.values()) }
    }

    @Test(
        "The address for pictures has no path, query, fragment or password",
        arguments: [
            "cards.example.com", "ftp://cards.example.com", "https://", "https://cards.example.com/path",
            "https://cards.example.com?a=b", "https://cards.example.com/#a", "https://u:hush@cards.example.com",
            "//cards.example.com", "https:cards.example.com",
        ]
    )
    func publicAddress(_ text: String) throws {
        var options = PlacardServer.Options()
        let media = try MediaOptions.parse(["--public-url", text])
        let problem = Self.problem { try media.apply(to: &options, Self.values()) }
        #expect(problem?.hasPrefix("--public-url: ") == true && problem?.contains("hush") == false)
        #expect(options.publicURL == nil)
    }

    @Test func `Pictures have an address and room`() throws {
        var options = PlacardServer.Options()
        let media = try MediaOptions.parse(["--public-url", "https://cards.example.com/", "--media-storage", "0"])
        try media.apply(to: &options, Self.values())
        #expect(options.publicURL == "https://cards.example.com/" && options.mediaBytes == 0)
        try MediaOptions.parse([]).apply(to: &options, Self.values(["MEDIA_STORAGE": "3"]))
        #expect(options.mediaBytes == 3 << 20)
    }

    // MARK: Traces

    private static func traces(_ environment: [String: String], _ arguments: String...) throws -> TraceSettings? {
        try TraceOptions.parse(arguments).settings(SettingValues(environment: environment))
    }

    @Test func `A collector's address without a path gets the one at which collectors take spans`() throws {
        #expect(try Self.traces([:]) == nil)
        for (text, target) in [
            ("http://127.0.0.1:4318", "/v1/traces"), ("http://127.0.0.1:4318/", "/v1/traces"),
            ("https://c/own", "/own"), ("https://c/?a=b", "/?a=b"),
        ] {
            let settings = try #require(try Self.traces([:], "--traces-endpoint", text))
            #expect(settings.endpoint.target == target, "\(text)")
        }
        let common = try #require(try Self.traces(["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"]))
        #expect(common.endpoint.host == "c" && common.endpoint.target == "/v1/traces")
        let own = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "PLACARD_TRACES_ENDPOINT": "http://d:4318"]
        #expect(try Self.traces(own)?.endpoint.host == "d")
        let disabled = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_SDK_DISABLED": "true"]
        #expect(try Self.traces(disabled) == nil)
    }

    @Test func `Headers are of one place, and their values are in no message`() async throws {
        let collector = ["PLACARD_TRACES_ENDPOINT": "http://c:4318"]
        let headers = collector.merging(["PLACARD_TRACES_HEADERS": "authorization=Bearer%20hush,x-team=a"]) { $1 }
        #expect(try Self.traces(headers)?.headers == ["authorization": "Bearer hush", "x-team": "a"])
        try await CommandFolder.with { folder in
            let file = try folder.write("authorization=hush\n", to: "headers")
            let both = headers.merging(["PLACARD_TRACES_HEADERS_FILE": file]) { $1 }
            let wrong = collector.merging(["PLACARD_TRACES_HEADERS": "a=hush%0D%0Ab: c"]) { $1 }
            let unnamed = collector.merging(["PLACARD_TRACES_HEADERS": "hush"]) { $1 }
            let missing = collector.merging(["PLACARD_TRACES_HEADERS_FILE": "/nowhere/headers"]) { $1 }
            for environment in [both, wrong, unnamed, missing] {
                let problem = try #require(Self.problem { _ = try Self.traces(environment) })
                #expect(!problem.contains("hush"), "\(problem)")
            }
            let kept = collector.merging(["PLACARD_TRACES_HEADERS_FILE": file]) { $1 }
            #expect(try Self.traces(kept)?.headers == ["authorization": "hush"])
        }
    }

    @Test(
        "A setting without a collector is named: nothing would be traced",
        arguments: ["TRACES_HEADERS", "TRACES_SERVICE", "TRACES_TRUST_PROXIES", "TRACES_PROPAGATE", "TRACES_SAMPLE"]
    )
    func withoutCollector(_ name: String) {
        let problem = Self.problem { _ = try Self.traces(["PLACARD_\(name)": "1"]) }
        #expect(problem == "PLACARD_\(name): there is no collector. Set traces_endpoint, too.")
    }

    @Test(
        "What can't be used of a collector is refused by the name of its setting",
        arguments: [
            ("TRACES_ENDPOINT", "c:4318"), ("TRACES_ENDPOINT", "http://u:p@c"), ("TRACES_SAMPLE", "-0.1"),
            ("TRACES_SAMPLE", "1.1"), ("TRACES_SAMPLE", "nan"), ("TRACES_SAMPLE", "half"),
            ("TRACES_PROPAGATE", "1"), ("TRACES_TRUST_PROXIES", "yes"),
        ]
    )
    func collector(_ name: String, _ text: String) {
        var environment = ["PLACARD_TRACES_ENDPOINT": "http://c:4318"]
        environment["PLACARD_\(name)"] = text
        let problem = Self.problem { _ = try Self.traces(environment) }
        #expect(problem?.hasPrefix("PLACARD_\(name): ") == true, "\(problem ?? "taken")")
    }
}
