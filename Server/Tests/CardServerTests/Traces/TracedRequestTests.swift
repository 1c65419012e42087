import CardModel
import Foundation
import HTTPTypes
import Synchronization
import Testing
import WireJSON

@testable import CardServer
@testable import CardStore

@Suite("Traced requests")
struct TracedRequestTests {
    private static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    /// Runs a workspace that sends its spans to a collector, and returns those once it has stopped.
    private static func spans(
        proxies: TrustedProxies = .none,
        _ change: @escaping @Sendable (inout TraceSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (Workspace) async throws -> Void
    ) async throws -> (spans: [CollectorHost.Span], host: CollectorHost) {
        let found = Mutex<CollectorHost?>(nil)
        try await CollectorHost.run { host, settings in
            var settings = settings
            change(&settings)
            try await Workspace.run(proxies: proxies, change: { $0.traces = settings }, body)
            found.withLock { $0 = host }
        }
        let host = try #require(found.withLock { $0 })
        // A group of changes belongs to no request.
        return (try host.spans.filter { $0.name != "store.commit" }, host)
    }

    @Test("A request is a span with its route, and nothing of its user, its key or its query")
    func requests() async throws {
        let (spans, host) = try await Self.spans { settings in
            settings.headers = ["api-key": "k"]
            settings.resource = ["deployment.environment.name": "test"]
        } _: { workspace in
            let event = workspace.event("session_start")
            _ = try await workspace.sync("ann-the-user", events: [event], headers: [.xRequestID: "edge-7"])
            _ = try await workspace.send(.get, "/v1/users/ann-the-user?a=secret", raw: nil, key: workspace.secret)
            _ = try await workspace.send(.get, "/nowhere/ann-the-user", raw: nil, key: nil)
            let odd = try #require(HTTPRequest.Method("PROPFIND"))
            _ = try await workspace.send(odd, "/v1/sync", raw: nil, key: nil)
        }
        let servers = spans.filter { $0.json["kind"] == 2 }
        #expect(servers.map(\.name) == ["POST /v1/sync", "GET /v1/users/{id}", "GET", "HTTP"])
        let sync = try #require(servers.first)
        #expect(sync["http.request.method"] == "POST" && sync["http.route"] == "/v1/sync")
        #expect(sync["http.response.status_code"] == "200" && sync["url.scheme"] == "http")
        #expect(sync["placard.request_id"] == "edge-7" && sync["error.type"] == nil && sync.parent == nil)
        #expect(sync.trace.count == 32 && sync.id.count == 16)
        let times = ["startTimeUnixNano", "endTimeUnixNano"].compactMap { sync.json[$0]?.string }.compactMap(Int.init)
        #expect(times.count == 2 && times[0] <= times[1] && times[0] > 1_700_000_000_000_000_000)
        let record = try #require(spans.first { $0.name == "store.record_events" })
        #expect(record.trace == sync.trace && record.parent == sync.id)
        let text = host.bodies.joined().lowercased()
        #expect(servers.last?["http.request.method"] == "_OTHER")
        #expect(!text.contains("ann") && !text.contains("secret") && !text.contains("sk_") && !text.contains("pk_"))
        #expect(host.headers.first?[.contentType] == "application/json")
        #expect(host.headers.first?[HTTPField.Name.checked("api-key")] == "k")
        let resource = host.resource?.text ?? ""
        for name in ["service.name", "service.version", "deployment.environment.name", "telemetry.sdk.language"] {
            #expect(resource.contains("\"\(name)\""))
        }
    }

    @Test("A sync that the shortcut answers is traced as one that the application answers")
    func shortcut() async throws {
        let (spans, _) = try await Self.spans { workspace in
            let first = try await workspace.sync("ann")
            let again = try await workspace.sync("ann", cursor: first.cursor, headers: [.traceparent: Self.parent])
            #expect(again.status == 200)
        }
        let servers = spans.filter { $0.json["kind"] == 2 }
        #expect(servers.map(\.name) == ["POST /v1/sync", "POST /v1/sync"])
        #expect(servers.allSatisfy { $0["http.response.status_code"] == "200" && $0["url.scheme"] == "http" })
        #expect(servers.last?.trace != Self.trace)
        #expect(servers.last?.json["links"]?.array?.first?["traceId"]?.string == Self.trace)
    }

    @Test("The word of a backend with a secret key counts; that of a device is linked to, and decides nothing")
    func parents() async throws {
        let headers: HTTPFields = [.traceparent: Self.parent, .tracestate: "vendor=1"]
        let backend: @Sendable (Workspace) async throws -> Void = { workspace in
            let key = workspace.secret
            _ = try await workspace.send(.get, "/v1/campaigns", raw: nil, key: key, headers: headers)
        }
        let device: @Sendable (Workspace) async throws -> Void = { workspace in
            _ = try await workspace.sync("ann", headers: headers)
            let wrong = try await workspace.send(.get, "/v1/campaigns", raw: nil, key: "sk_no", headers: headers)
            #expect(wrong.status == 401)
            let app = workspace.publishable
            _ = try await workspace.send(.get, "/v1/campaigns", raw: nil, key: app, headers: headers)
            _ = try await workspace.send(.get, "/healthz", raw: nil, key: nil, headers: headers)
        }
        // Given a server that traces nothing of its own accord
        let followed = try await Self.spans({ $0.sampler = TraceSampler(ratio: 0) }, backend).spans
        let ignored = try await Self.spans({ $0.sampler = TraceSampler(ratio: 0) }, device).spans
        #expect(followed.map(\.trace) == [Self.trace] && followed.first?.parent == "00f067aa0ba902b7")
        #expect(followed.first?.json["traceState"] == "vendor=1" && followed.first?.json["flags"] == 0x301)
        #expect(ignored.isEmpty)
        // And one that traces everything
        let linked = try await Self.spans({ _ in }, device).spans.filter { $0.json["kind"] == 2 }
        #expect(linked.count == 4)
        for span in linked {
            #expect(span.trace != Self.trace && span.parent == nil)
            #expect(span.json["links"]?.array?.first?["traceId"]?.string == Self.trace)
        }
        let quiet: HTTPFields = [.traceparent: String(Self.parent.dropLast()) + "0"]
        let unsampled = try await Self.spans { workspace in
            let key = workspace.secret
            _ = try await workspace.send(.get, "/v1/campaigns", raw: nil, key: key, headers: quiet)
        }
        #expect(unsampled.spans.isEmpty)
    }

    @Test("The word of a trusted proxy counts only where a setting says so, then for devices as well")
    func proxies() async throws {
        let proxies = TrustedProxies(ranges: [try #require(AddressRange("127.0.0.1"))])
        let device: @Sendable (Workspace) async throws -> Void = { workspace in
            let first = try await workspace.sync("ann", headers: [.traceparent: Self.parent])
            _ = try await workspace.sync("ann", cursor: first.cursor, headers: [.traceparent: Self.parent])
        }
        for trusts in [true, false] {
            let spans = try await Self.spans(
                proxies: proxies,
                { settings in
                    settings.sampler = TraceSampler(ratio: 0)
                    settings.trustsProxies = trusts
                },
                device
            ).spans.filter { $0.json["kind"] == 2 }
            #expect(spans.map(\.trace) == (trusts ? [Self.trace, Self.trace] : []))
        }
    }

    @Test("Two parents, or one that can't be read, are none")
    func unreadable() async throws {
        var two: HTTPFields = [:]
        two.append(HTTPField(name: .traceparent, value: Self.parent))
        two.append(HTTPField(name: .traceparent, value: Self.parent))
        for headers in [two, [.traceparent: "00-x"]] {
            let spans = try await Self.spans { workspace in
                let key = workspace.secret
                _ = try await workspace.send(.get, "/v1/campaigns", raw: nil, key: key, headers: headers)
            }.spans
            #expect(spans.count == 1 && spans.first?.trace != Self.trace && spans.first?.json["links"] == nil)
        }
    }

    @Test("The access log names the trace of a request that is traced")
    func accessLog() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "traced-\(UUID().uuidString).log").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let log = try #require(AccessLog(path: path))
        try await CollectorHost.run { host, settings in
            let change = { (options: inout PlacardServer.Options) in options.traces = settings }
            try await Workspace.run(accessLog: log, change: change) { workspace in
                _ = try await workspace.sync("ann")
                let metrics = try await workspace.send(.get, "/metrics", raw: nil, key: nil).text
                #expect(metrics.contains("placard_traces_spans_total{result=\"dropped\"} 0\n"))
            }
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            let traces = try lines.map { try JSONValue(parsing: String($0))["trace_id"]?.string }
            let servers = try host.spans.filter { $0.json["kind"] == 2 }
            #expect(traces == servers.map(\.trace) && traces.count == 2)
        }
    }

    @Test("Hosts that the server asks are told of the span only where a setting says so", arguments: [true, false])
    func outbound(propagates: Bool) async throws {
        let counts = TraceCounts()
        let queue = SpanQueue(counts: counts)
        let tracer = Tracer(sampler: TraceSampler(ratio: 1), queue: queue, propagates: propagates)
        var client = OutboundClient(allowsPrivateHosts: true)
        client.tracer = tracer
        try await RawHost.run(sending: "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n") { host, port in
            let url = try #require(OutboundURL("http://127.0.0.1:\(port)/users/ann?key=secret"))
            let span = try #require(tracer.begin(.internal, name: "job"))
            _ = try await tracer.run(span) { [client] in
                try await client.send(OutboundRequest(url: url), timeout: 60, bodyLimit: 100)
            }
            #expect(host.received.contains("traceparent: 00-\(span.trace.text)-") == propagates)
        }
        let spans = queue.take(.max)
        #expect(spans.map(\.name) == ["GET", "job"] && spans.first?.isFailure == true)
        let text = String(decoding: TraceExportTests.document.body(of: spans), as: UTF8.self)
        #expect(text.contains(#""server.address""#) && !text.contains("ann") && !text.contains("secret"))
    }

    @Test("A group of changes is a span, and is counted with its size, its wait and its time")
    func groups() async throws {
        let queue = SpanQueue(counts: TraceCounts())
        let log = GroupCommitLog()
        _ = Tracer(sampler: TraceSampler(ratio: 1), queue: queue).noting(groupsOf: log)
        log.note(GroupCommitLog.Group(changes: 3, wait: .microseconds(1_500), duration: .milliseconds(30)))
        log.note(GroupCommitLog.Group(changes: 2_000, wait: .zero, duration: .seconds(9)))
        let spans = queue.take(.max)
        #expect(spans.map(\.name) == ["store.commit", "store.commit"] && spans.allSatisfy { $0.parent == nil })
        #expect(spans.first.map { $0.end &- $0.start } == 30_000_000)
        let values = spans.first?.attributes.map(\.value)
        #expect(values == [.number(3), .number(1_500)])
        let lines = ServerMetrics().commitLines(log.counts)
        for line in [
            "placard_group_commit_changes_bucket{le=\"2.0\"} 0", "placard_group_commit_changes_bucket{le=\"4.0\"} 1",
            "placard_group_commit_changes_bucket{le=\"+Inf\"} 2", "placard_group_commit_changes_sum 2003.0",
            "placard_group_commit_wait_seconds_bucket{le=\"0.0005\"} 1", "placard_group_commit_seconds_count 2",
            "placard_group_commit_seconds_bucket{le=\"5.0\"} 1", "placard_group_commit_seconds_sum 9.03",
        ] {
            #expect(lines.contains(line))
        }
    }

    @Test("The groups of a server's store are in its metrics")
    func countedGroups() async throws {
        try await Workspace.run { workspace in
            func count() async throws -> Int {
                let text = try await workspace.send(.get, "/metrics", raw: nil, key: nil).text
                let line = text.split(separator: "\n").first { $0.hasPrefix("placard_group_commit_seconds_count ") }
                return try #require(line.flatMap { Int($0.split(separator: " ")[1]) })
            }
            let before = try await count()
            _ = try await workspace.sync("ann")
            #expect(try await count() > before)
        }
    }

    @Test("What is done outside of a traced request is no span, and asks no clock")
    func untraced() async throws {
        let asked = Mutex(0)
        let clock = Tracer.Clock(
            now: {
                asked.withLock {
                    $0 += 1
                    return 0
                }
            },
            uptime: {
                asked.withLock {
                    $0 += 1
                    return 0
                }
            }
        )
        let queue = SpanQueue(counts: TraceCounts())
        let tracer: Tracer? = Tracer(sampler: TraceSampler(ratio: 0), queue: queue, clock: clock)
        #expect(await tracer.part("part") { 1 } == 1)
        #expect(await tracer.job("job") { await tracer.part("part") { 2 } } == 2)
        #expect(
            tracer?.begin(
                .server,
                from: {
                    Issue.record("Headers were read")
                    return .none
                }
            ) == nil
        )
        #expect(queue.count == 0 && asked.withLock { $0 } == 0)
    }
}
