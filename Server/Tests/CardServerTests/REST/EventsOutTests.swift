import CardModel
import CardStore
import Crypto
import Foundation
import Hummingbird
import LiveTesting
import Logging
import SQLiteCardStore
import Synchronization
import Testing
import WireJSON

@testable import CardServer

@Suite("Events out")
struct EventsOutTests {
    @Test("The export streams the log in both formats and goes on from a position")
    func export() async throws {
        try await Workspace.run { workspace in
            try await workspace.track(["e1", "e2", "with, \"both\""])
            let all = try await workspace.backend("/v1/events/export")
            let lines = all.text.split(separator: "\n")
            #expect(all.headers[.contentType] == "application/x-ndjson; charset=utf-8")
            let names = try lines.map { try JSONValue(parsing: String($0))["details"]?["name"]?.string }
            #expect(names == ["e1", "e2", "with, \"both\""])
            let positions = lines.map { EventFormat.jsonl.position(of: $0) }
            let second = try #require(positions[1])
            let rest = try await workspace.backend("/v1/events/export?after=\(second)&format=csv&type=custom")
            let rows = rest.text.components(separatedBy: "\r\n")
            #expect(rows[0].hasPrefix("position,id,user_id,type,at"))
            #expect(rows.count == 3)
            #expect(rows[1].contains("\"with, \"\"both\"\"\""))
            #expect(EventFormat.csv.position(of: rows[1]) == second + 1)
            #expect(try await workspace.backend("/v1/events/export?type=nonsense").status == 400)
            #expect(try await workspace.backend("/v1/events/export?campaign_id=none").text == "")
        }
    }

    @Test("The export streams more than one page")
    func pages() async throws {
        var limits = DeviceLimits.unlimited
        limits.user.eventNames = 10_000
        try await Workspace.run(limits: limits) { workspace in
            for batch in 0..<30 { try await workspace.track((0..<75).map { "e\(batch)-\($0)" }) }
            let text = try await workspace.backend("/v1/events/export").text
            #expect(text.split(separator: "\n").count == 2_250)
        }
    }

    @Test("A webhook is set up, read without its secret, and removed")
    func settings() async throws {
        try await Workspace.run { workspace in
            #expect(try await workspace.manage(.get, "/v1/webhook").status == 404)
            for body: JSONValue in [
                [:], ["url": "ftp://x"], ["url": "http://x", "types": ["y"]], ["url": "http://x", "z": 1],
            ] {
                #expect(try await workspace.manage(.put, "/v1/webhook", body).status == 400)
            }
            let made = try await workspace.manage(
                .put,
                "/v1/webhook",
                ["url": "http://127.0.0.1:8081/", "types": ["click"]]
            )
            let secret = try #require(made.json["secret"]?.string)
            #expect(secret.hasPrefix("whsec_"))
            let read = try await workspace.manage(.get, "/v1/webhook").json
            #expect(read["secret"] == nil)
            #expect(read["types"] == ["click"])
            let again = try await workspace.manage(.put, "/v1/webhook", ["url": "http://127.0.0.1:8082/"])
            #expect(again.status == 200)
            #expect(again.json["secret"] == nil)
            #expect(try await workspace.store.webhookState()?.webhook.secret == secret)
            let own: JSONValue = ["url": "http://127.0.0.1:8082/", "secret": "a-secret-of-their-own"]
            #expect(try await workspace.manage(.put, "/v1/webhook", own).json["secret"] == "a-secret-of-their-own")
            #expect(try await workspace.manage(.put, "/v1/webhook", own).json["secret"] == nil)
            let rotated = try await workspace.manage(.post, "/v1/webhook/rotate").json
            #expect(rotated["secret"]?.string?.hasPrefix("whsec_") == true)
            #expect(rotated["url"] == "http://127.0.0.1:8082/")
            #expect(try await workspace.store.webhookState()?.webhook.secret == rotated["secret"]?.string)
            #expect(try await workspace.manage(.delete, "/v1/webhook").status == 204)
            #expect(try await workspace.manage(.get, "/v1/webhook").status == 404)
            #expect(try await workspace.manage(.post, "/v1/webhook/rotate").status == 404)
        }
    }

    @Test("A text in comma-separated values never begins a formula, and a number stays one")
    func formulas() async throws {
        try await Workspace.run { workspace in
            let names = ["=1+1", "+1", "-2+3", "@SUM(A1)", " =1", "＝1", "-\"", "a=b", "'quoted"]
            try await workspace.track(names)
            let text = try await workspace.backend("/v1/events/export?format=csv&type=custom").text
            let rows = text.components(separatedBy: "\r\n").dropFirst().dropLast()
            let fields = rows.map { $0.split(separator: ",", omittingEmptySubsequences: false)[9] }
            #expect(
                fields == [
                    "'=1+1", "'+1", "'-2+3", "'@SUM(A1)", "' =1", "'＝1", "\"'-\"\"\"", "a=b",
                    "'quoted",
                ]
            )
            #expect(CSVField.text("\t=1") == "'\t=1")
            for text in ["=\u{301}1", "=\u{200D}1+1", "@\u{FE0F}SUM(1)", "\u{200B}=1", "\u{FEFF} +1", "\r\n=1"] {
                #expect(CSVField.text(text).utf8.drop { $0 == UInt8(ascii: "\"") }.first == UInt8(ascii: "'"))
            }
            #expect(Array(CSVField.text("a,\u{301}b").utf8) == Array("\"a,\u{301}b\"".utf8))
            #expect(Array(CSVField.text("a\"\u{301}b").utf8) == Array("\"a\"\"\u{301}b\"".utf8))
            #expect(CSVField.text("a\r\nb\nc") == "\"a b c\"")
            #expect(CSVField.literal("-1.5") == "-1.5")
            #expect(CSVField.text("-1.5") == "'-1.5")
        }
    }
}

@Suite("Sending events to a webhook")
struct WebhookWorkerTests {
    @Test("Every event arrives once and in order, signed, while the receiver takes them")
    func delivers() async throws {
        try await WebhookScene.run { scene in
            try await scene.record(1...1_200)
            while try await scene.step() == 0 {}
            #expect(scene.receiver.numbers == Array(1...1_200))
            #expect(scene.receiver.requests.count == 3)
            for request in scene.receiver.requests { #expect(request.isSigned(with: scene.secret)) }
            #expect(try await scene.store.webhookState()?.progress.lastSuccessAt == scene.time.now)
            // Nothing new: nothing sent.
            _ = try await scene.step()
            #expect(scene.receiver.requests.count == 3)
        }
    }

    @Test("A request is no larger than proxies take, and smaller after a failure, down to one event")
    func sizes() async throws {
        try await WebhookScene.run { scene in
            let text = String(repeating: "x", count: 15_000)
            let events = (1...64).map { number in
                DeviceEvent(
                    id: EventID(high: 1, low: UInt64(number)),
                    kind: .custom(name: "\(number)"),
                    at: scene.time.now,
                    properties: Array(#"{"text":"\#(text)"}"#.utf8)
                )
            }
            let batch = EventBatch(user: UserID(rawValue: "ann"), events: events, receivedAt: scene.time.now)
            _ = try await scene.store.recordEvents(batch)
            scene.receiver.refuses { $0 > 40_000 }
            for _ in 0..<60 where scene.receiver.taken.count < 64 {
                if try await scene.step() > 0 { scene.time.advance(by: 3_600) }
            }
            #expect(scene.receiver.taken == Array(1...64))
            let sizes = scene.receiver.requests.map(\.body.count)
            #expect(sizes.max().map { $0 <= WebhookBatchSize.bytes + 100 } == true)
            #expect(sizes.first.map { $0 > 200_000 } == true)
        }
    }

    @Test("A receiver that fails gets the batch again later, and misses nothing")
    func retries() async throws {
        try await WebhookScene.run { scene in
            try await scene.record(1...3)
            scene.receiver.answer(.internalServerError, .serviceUnavailable, .found)
            for failures in 1...3 {
                #expect(try await scene.step() > 0)
                #expect(try await scene.store.webhookState()?.progress.failures == failures)
                let before = scene.receiver.requests.count
                _ = try await scene.step()
                #expect(scene.receiver.requests.count == before, "nothing is sent before the pause is over")
                scene.time.advance(by: 10)
            }
            #expect(try await scene.store.webhookState()?.progress.lastFailure == "HTTP 302")
            try await scene.record(4...4)
            _ = try await scene.step()
            #expect(scene.receiver.taken == [1, 2, 3, 4])
            #expect(try await scene.store.webhookState()?.progress.failures == 0)
            #expect(scene.metrics.webhook.withLock { $0 } == WebhookCounts(taken: 1, failed: 3))
        }
    }

    @Test("Metrics say how often a receiver failed in a row and how long events wait, however long it is dead")
    func backlog() async throws {
        try await WebhookScene.run { scene in
            func lines() -> [String] { scene.metrics.webhookLines(at: scene.time.now).filter { !$0.hasPrefix("#") } }
            let name = "placard_webhook"
            try await scene.record(1...3)
            for _ in 0..<20 { scene.receiver.answer(.serviceUnavailable) }
            for _ in 0..<20 {
                _ = try await scene.step()
                scene.time.advance(by: 3_600)
            }
            scene.receiver.answer(.serviceUnavailable)
            _ = try await scene.step()
            #expect(lines().contains("\(name)_consecutive_failures 20"))
            #expect(lines().contains("\(name)_oldest_event_seconds 72000.0"))
            // The next ones are taken; the first are small.
            scene.time.advance(by: 4_600)
            while scene.receiver.taken.count < 3 { _ = try await scene.step() }
            scene.time.advance(by: 5)
            _ = try await scene.step()
            #expect(lines().contains("\(name)_consecutive_failures 0"))
            #expect(lines().contains("\(name)_oldest_event_seconds 0.0"))
            try await scene.record(4...4)
            scene.time.advance(by: 5)
            scene.receiver.answer(.serviceUnavailable)
            _ = try await scene.step()
            try await scene.store.saveWebhook(nil, after: nil, at: scene.time.now, by: .command)
            _ = try await scene.step()
            #expect(lines().contains("\(name)_oldest_event_seconds 0.0"))
        }
    }

    @Test("A node whose clock is far ahead sends nothing that another one is sending")
    func clocks() async throws {
        try await WebhookScene.run { scene in
            try await scene.record(1...2)
            #expect(try await scene.store.claimWebhook(for: "other", seconds: WebhookWorker.claim) != nil)
            #expect(try await scene.step(as: "fast", ahead: 10 * WebhookWorker.claim) == WebhookWorker.pause)
            #expect(scene.receiver.numbers == [])
            scene.time.advance(by: WebhookWorker.claim)
            _ = try await scene.step(as: "fast", ahead: 10 * WebhookWorker.claim)
            #expect(scene.receiver.numbers == [1, 2])
        }
    }

    @Test("A process that dies before it has noted the answer sends the batch again")
    func restarts() async throws {
        try await WebhookScene.run { scene in
            try await scene.record(1...2)
            _ = try await scene.step()
            try await scene.record(3...4)
            // The receiver takes the batch, but the claim is lost before that is noted.
            scene.receiver.whenAsked {
                scene.time.advance(by: 200)
                _ = try? await scene.store.claimWebhook(for: "other", seconds: 100)
            }
            _ = try await scene.step()
            #expect(scene.receiver.numbers == [1, 2, 3, 4])
            scene.time.advance(by: 400)
            _ = try await scene.step(as: "restarted")
            #expect(scene.receiver.numbers == [1, 2, 3, 4, 3, 4])
        }
    }

    @Test("A receiver that is not there is a failure like any other")
    func unreachable() async throws {
        try await WebhookScene.run { scene in
            let port = try await RawHost.closedPort()
            let hook = Webhook(url: "http://127.0.0.1:\(port)/", secret: scene.secret, createdAt: scene.time.now)
            try await scene.store.saveWebhook(hook, after: 0, at: scene.time.now, by: .command)
            try await scene.record(1...1)
            _ = try await scene.step()
            let progress = try #require(try await scene.store.webhookState()?.progress)
            #expect(progress.failures == 1)
            #expect(progress.position == 0)
        }
    }

    @Test("A line begins with its position, whatever the ID behind that begins with")
    func positions() {
        #expect(EventFormat.csv.position(of: "12,\u{301}a,anna") == 12)
        #expect(EventFormat.csv.position(of: "12\u{301},a,anna") == nil)
        #expect(EventFormat.jsonl.position(of: "{\"position\":12,\"id\":\"\u{301}a\"}") == 12)
    }

    @Test("Events of other types are passed over without a request")
    func types() async throws {
        try await WebhookScene.run { scene in
            let hook = Webhook(
                url: scene.url,
                secret: scene.secret,
                types: ["purchase"],
                createdAt: scene.time.now
            )
            try await scene.store.saveWebhook(hook, after: 0, at: scene.time.now, by: .command)
            try await scene.record(1...5)
            _ = try await scene.step()
            #expect(scene.receiver.requests.isEmpty)
            let position = try #require(try await scene.store.webhookState()?.progress.position)
            #expect(position >= 5)
        }
    }
}
