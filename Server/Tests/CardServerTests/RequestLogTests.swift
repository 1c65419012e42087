import CardModel
import Foundation
import HTTPTypes
import Hummingbird
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

    private func lines(_ path: String) throws -> [JSONValue] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    }

    @Test("Like lines are limited in a window, and the next one says how many were left out")
    func repeatedLines() {
        var lines = RepeatedLines()
        let decisions = (0..<100).map { _ in lines.decide("a", at: 5) }
        #expect(decisions == Array(repeating: .write(omitted: 0), count: 10) + Array(repeating: .omit, count: 90))
        #expect(lines.decide("b", at: 5) == .write(omitted: 0))
        #expect(lines.decide("a", at: 16) == .write(omitted: 90))
        #expect(lines.decide("a", at: 16) == .write(omitted: 0))
        for number in 0..<10_000 { #expect(lines.decide("line \(number)", at: 17) == .write(omitted: 0)) }
    }

    @Test("While the clock is before the newest event, events are to be sent again; syncs without events go on")
    func wrongClock() async throws {
        try await Workspace.run { workspace in
            let event = {
                #"{"user_id":"ann","device_id":"d","events":[{"id":"\#(UUID().uuidString)","type":"session_start","at":"#
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

    @Test("Every metric that the dashboard and the alerts name is there, and every route has a duration")
    func monitoring() async throws {
        try await Workspace.run { workspace in
            _ = try await workspace.send(.get, "/v1/users/ann", raw: nil, key: workspace.secret)
            let served = try await workspace.send(.get, "/metrics", raw: nil, key: nil).text
            // And what only a server with a certificate has
            let metrics = served + ServerMetrics().arrivalLines((0, 0)).joined(separator: "\n")
            #expect(metrics.contains(#"placard_http_request_seconds_count{route="/v1/users/{id}"} 1"#))
            #expect(metrics.contains("placard_ready 1\n"))
            let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
            for name in ["alerts.yaml", "grafana-dashboard.json"] {
                let file = root.appending(path: "packaging/monitoring/\(name)")
                let text = try String(contentsOf: file, encoding: .utf8)
                let names = Set(text.matches(of: /placard_[a-z_]+/).map { String($0.output) })
                #expect(!names.isEmpty)
                for name in names {
                    #expect(metrics.contains("\n\(name){") || metrics.contains("\n\(name) "), "\(name)")
                }
            }
        }
    }
}
