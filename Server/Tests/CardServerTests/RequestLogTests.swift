import CardModel
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOEmbedded
import Testing
import WireJSON

@testable import CardServer

@Suite("What is written down of requests")
struct RequestLogTests {
    private static let name = HTTPField.Name.xRequestID

    @Test(
        "A request keeps the id that it comes with, in the answer and in refusals, also where a shortcut would answer"
    )
    func keepsID() async throws {
        try await Workspace.run { workspace in
            let sent: HTTPFields = [Self.name: "edge-1.a_B"]
            let health = try await workspace.send(.get, "/healthz", raw: nil, key: nil, headers: sent)
            #expect(health.headers[Self.name] == "edge-1.a_B")
            let refusal = try await workspace.send(.get, "/v1/keys", raw: nil, key: nil, headers: sent)
            #expect(refusal.json["error"]?["request_id"] == "edge-1.a_B")
            let body = #"{"user_id":"ann","device_id":"d"}"#
            let first = try await workspace.send(.post, "/v1/sync", raw: body, key: workspace.publishable)
            let again = #"{"user_id":"ann","device_id":"d","cursor":"\#(first.cursor)"}"#
            let sync = try await workspace.send(
                .post,
                "/v1/sync",
                raw: again,
                key: workspace.publishable,
                headers: sent
            )
            #expect(sync.headers[Self.name] == "edge-1.a_B")
        }
    }

    @Test(
        "An id that could forge a line of a log is replaced",
        arguments: ["a b", "a\"b", "é", String(repeating: "x", count: 129), "a/b"]
    )
    func replacesID(_ id: String) {
        let made = RequestID.of([Self.name: id])
        #expect(made != id && made.utf8.count == 20)
    }

    @Test("Without an id, each request gets one of its own")
    func makesID() {
        #expect(Set((0..<100).map { _ in RequestID.of([:]) }).count == 100)
    }

    @Test("What is logged stays on its line, whatever is in it")
    func oneLine() {
        #expect(LineLogHandler.oneLine("a\nb\u{85}c\u{2028}d\u{202E}e\u{0}") == #"a\u000ab\u0085c\u2028d\u202ee\u0000"#)
        #expect(LineLogHandler.oneLine("plain é 日本 \\n") == "plain é 日本 \\n")
    }

    @Test("Every request is a line of JSON in the access log, without the user in its path")
    func accessLog() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "access-\(UUID().uuidString).log").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let log = try #require(AccessLog(path: path))
        try await Workspace.run(accessLog: log) { workspace in
            _ = try await workspace.sync("ann")
            _ = try await workspace.send(.get, "/v1/users/ann", raw: nil, key: workspace.secret)
            try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
            log.reopen()
            _ = try await workspace.send(.get, "/nowhere", raw: nil, key: nil)
        }
        defer { try? FileManager.default.removeItem(atPath: path + ".1") }
        let old = try lines(path + ".1")
        #expect(old.map { $0["route"] } == ["/v1/sync", "/v1/users/{id}"])
        #expect(old.map { $0["status"] } == [200, 200])
        #expect(old.allSatisfy { $0["address"] == "127.0.0.1" && $0["id"]?.string?.isEmpty == false })
        #expect(try !String(contentsOfFile: path + ".1", encoding: .utf8).contains("ann"))
        let new = try lines(path)
        #expect(new.map { $0["route"] } == ["other"] && new.map { $0["status"] } == [404])
    }

    @Test("What is refused before it has a route has an id, a line in the access log and a count by reason")
    func earlyRefusals() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "access-\(UUID().uuidString).log").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let log = try #require(AccessLog(path: path))
        let long = String(repeating: "x", count: 40_000)
        let heads = [
            (
                "POST /v1/sync HTTP/1.1\r\nHost: a\r\nX-Request-ID: edge-1\r\nContent-Length: 9999999999\r\n\r\n",
                "body_too_large"
            ),
            ("GET /healthz HTTP/1.1\r\n\r\n", "request_malformed"), ("\u{16}\u{3}\u{1}\r\n\r\n", "request_malformed"),
            ("GET / HTTP/1.1\r\nHost: a\r\nX-A: \(long)\r\n\r\n", "head_too_large"),
        ]
        try await Workspace.run(accessLog: log) { workspace in
            for (head, reason) in heads {
                let connection = try await OpenConnection.open(to: workspace.endpoint)
                await connection.send(head)
                let answer = await connection.readToEnd()
                #expect(answer.contains(#""code":"\#(reason)""#) && answer.contains(#""request_id":""#))
                #expect(answer.contains("X-Request-ID: "))
            }
            let metrics = try await workspace.send(.get, "/metrics", raw: nil, key: nil).text
            #expect(metrics.contains(#"placard_refused_requests_total{reason="request_malformed"} 2"#))
            #expect(metrics.contains(#"placard_refused_requests_total{reason="head_too_large"} 1"#))
            #expect(metrics.contains(#"placard_refused_requests_total{reason="connection_limit"} 0"#))
        }
        let refused = try lines(path).filter { $0["reason"] != nil }
        #expect(refused.map { $0["reason"]?.string } == heads.map(\.1))
        #expect(refused.map { $0["status"] } == [413, 400, 400, 431])
        #expect(refused.map { $0["method"] } == ["POST", "GET", .null, .null])
        #expect(refused.first?["id"] == "edge-1" && Set(refused.map { $0["id"] }).count == 4)
        #expect(refused.allSatisfy { $0["address"] == "127.0.0.1" })
    }

    @Test("A connection for which there is no room is told an id, and a flood of them fills no log")
    func refusalFlood() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "access-\(UUID().uuidString).log").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let metrics = ServerMetrics()
        var now = NIODeadline.uptimeNanoseconds(1)
        do {
            let log = try #require(AccessLog(path: path))
            let refusals = EarlyRefusals(metrics) { log.write($0) }
            let note = { (address: IPAddress?) in
                refusals.note(
                    EarlyRefusal(reason: EarlyRefusals.noRoom, status: 503, id: "a", address: address),
                    at: now
                )
            }
            for _ in 0..<1_000 { note(IPAddress("192.0.2.1")) }
            note(IPAddress("192.0.2.2"))
            now = now + .seconds(11)
            note(IPAddress("192.0.2.1"))
        }
        #expect(metrics.earlyRefusals.withLock { $0 } == [EarlyRefusals.noRoom: 1_002])
        let written = try lines(path)
        #expect(written.count == 12)
        #expect(written.last?["left_out_before"] == 990)

        let channel = EmbeddedChannel(handler: RefusedConnectionHandler(answers: true, id: "the-id"))
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
        let answer = try #require(try channel.readOutbound(as: ByteBuffer.self))
        #expect(String(buffer: answer).contains("\r\nX-Request-ID: the-id\r\n"))
    }

    private func lines(_ path: String) throws -> [JSONValue] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    }

    @Test("While the clock is before the newest event, events are to be sent again; syncs without events go on")
    func wrongClock() async throws {
        try await Workspace.run { workspace in
            let event = {
                #"{"user_id":"ann","device_id":"d","events":[{"id":"\#(UUID().uuidString)","#
                    + #""type":"session_start","at":"#
                    + "\(workspace.time.now)}]}"
            }
            let sync = { try await workspace.send(.post, "/v1/sync", raw: event(), key: workspace.publishable) }
            #expect(try await sync().status == 200)
            workspace.time.advance(by: -300)
            #expect(try await sync().status == 200)
            workspace.time.advance(by: -300_000_000)
            let refusal = try await sync()
            #expect(refusal.status == 503 && refusal.code == "unavailable" && refusal.headers[.retryAfter] == "60")
            #expect(try await workspace.sync("ann").status == 200)
            workspace.time.advance(by: 300_000_600)
            #expect(try await sync().status == 200)
        }
    }

    @Test("A clock that is accepted may be set back at any time")
    func acceptedClock() throws {
        let time = NewestTime(1_000_000, acceptsClock: true)
        for now in [0.0, 2_000_000, 5] { try time.check(now) }
        #expect(throws: RequestError.self) { try NewestTime(1_000_000).check(0) }
    }

    /// The parts of a query that choose lines by a label: `name{…label="value"…}`, and `a|b` for several.
    private static func choices(_ text: String) -> [(name: Substring, label: Substring, values: [Substring])] {
        let text = text.replacing("\\\"", with: "\"")
        return text.matches(of: /((?:placard|process)_[a-z_]+)\{([^}]*)\}/).flatMap { query in
            query.2.matches(of: /([a-z_]+)=~?"([^"]*)"/)
                .map { (query.1, $0.1, $0.2.split(separator: "|")) }
        }
        // What Prometheus itself adds.
        .filter { !["instance", "job"].contains($0.1) }
    }

    @Test("Every label by which the dashboard and the alerts choose is there, with that value, before anything failed")
    func labels() async throws {
        try await Workspace.run { workspace in
            _ = try await workspace.sync("ann")
            let metrics = try await workspace.send(.get, "/metrics", raw: nil, key: nil).text
            let lines = metrics.split(separator: "\n")
            let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
            for file in ["alerts.yaml", "grafana-dashboard.json"] {
                let path = root.appending(path: "packaging/monitoring/\(file)")
                let choices = Self.choices(try String(contentsOf: path, encoding: .utf8))
                #expect(!choices.isEmpty)
                for (name, label, values) in choices {
                    for value in values {
                        let isThere = lines.contains { line in
                            line.hasPrefix("\(name){") && line.contains("\(label)=\"\(value)\"")
                        }
                        #expect(isThere, "\(file): \(name), \(label), \(value)")
                    }
                }
            }
        }
    }

    @Test("Every metric that the dashboard and the alerts name is there, and every route has a duration")
    func monitoring() async throws {
        try await Workspace.run { workspace in
            _ = try await workspace.send(.get, "/v1/users/ann", raw: nil, key: workspace.secret)
            let served = try await workspace.send(.get, "/metrics", raw: nil, key: nil).text
            // And what only a server with a certificate has
            let other = ServerMetrics(newestBackup: { 7 })
            let metrics = served + (other.arrivalLines((0, 0)) + other.processLines).joined(separator: "\n")
            #expect(metrics.contains("\nplacard_newest_backup_timestamp_seconds 7"))
            #expect(served.contains("\nprocess_start_time_seconds \(Int(workspace.time.now))\n"))
            let open = try #require(served.firstMatch(of: /\nprocess_open_fds ([0-9]+)\n/)?.1)
            #expect((4...1_000_000).contains(Int(open) ?? 0))
            #expect(metrics.contains(#"placard_http_request_seconds_count{route="/v1/users/{id}"} 1"#))
            #expect(metrics.contains("placard_ready 1\n"))
            let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
            for name in ["alerts.yaml", "grafana-dashboard.json"] {
                let file = root.appending(path: "packaging/monitoring/\(name)")
                let text = try String(contentsOf: file, encoding: .utf8)
                let names = Set(text.matches(of: /(?:placard|process)_[a-z_]+/).map { String($0.output) })
                #expect(!names.isEmpty)
                for name in names {
                    #expect(metrics.contains("\n\(name){") || metrics.contains("\n\(name) "), "\(name)")
                }
            }
        }
    }
}
