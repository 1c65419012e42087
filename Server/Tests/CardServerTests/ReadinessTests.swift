import CardStore
import Foundation
import Hummingbird
import Synchronization
import Testing
import WireJSON

@testable import CardServer

@Suite("Readiness")
struct ReadinessTests {
    /// A store whose checks a test lets end.
    private final class Checks: Sendable {
        private let state = Mutex((count: 0, failure: StoreError?.none))
        private let gate: AsyncStream<Void>?

        init(gate: AsyncStream<Void>? = nil) { self.gate = gate }

        var count: Int { state.withLock { $0.count } }

        func fail(_ failure: StoreError?) { state.withLock { $0.failure = failure } }

        func run() async -> [HealthCheck] {
            if let gate { for await _ in gate {} }
            return state.withLock { state in
                state.count += 1
                return [HealthCheck("write", failure: state.failure)]
            }
        }
    }

    @Test("However many probes come at once, the store is asked once a second")
    func once() async {
        let (time, checks) = (TestTime(100), Checks())
        let readiness = Readiness(uptime: { time.now }, patience: .seconds(600), check: { await checks.run() })
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { #expect(await readiness.report().failure == nil) } }
        }
        #expect(checks.count == 1)
        time.advance(by: 0.5)
        checks.fail(StoreError(.diskFull, "full"))
        #expect(await readiness.report().failure == nil)
        time.advance(by: 0.6)
        #expect(await readiness.report().failure?.failure?.code == .diskFull)
        checks.fail(nil)
        time.advance(by: 1.1)
        #expect(await readiness.report().failure == nil)
        #expect(checks.count == 3)
    }

    @Test("A store that doesn't answer isn't ready, is not asked twice, and is ready once it answers")
    func slow() async {
        let (gate, opened) = AsyncStream.makeStream(of: Void.self)
        let (time, checks) = (TestTime(100), Checks(gate: gate))
        let readiness = Readiness(uptime: { time.now }, check: { await checks.run() })
        for _ in 0..<2 { #expect(await readiness.report().failure?.name == "time") }
        #expect(checks.count == 0)
        opened.finish()
        var isReady = false
        while !isReady { isReady = await readiness.report().failure == nil }
        #expect(checks.count == 1)
    }

    @Test("A deleted database file isn't ready: 503 without details, and with them for a key that may manage")
    func deletedFile() async throws {
        try await Workspace.run { workspace in
            let probe = { try await workspace.send(.get, "/readyz", raw: nil, key: nil) }
            let inspect = { try await workspace.send(.get, "/readyz", raw: nil, key: workspace.secret) }
            let good = try await inspect()
            #expect(good.status == 200 && good.json["status"] == "ready")
            let names = good.json["checks"]?.array?.compactMap { $0["name"]?.string }
            #expect(names == ["file", "space", "read", "write", "configuration"])
            #expect(try await workspace.send(.get, "/readyz", raw: nil, key: workspace.publishable).status == 403)
            #expect(try await workspace.send(.get, "/readyz", raw: nil, key: "sk_wrong").status == 401)

            try FileManager.default.removeItem(atPath: workspace.store.path)
            workspace.time.advance(by: 2)

            let refusal = try await probe()
            #expect(refusal.status == 503)
            #expect(refusal.json["error"]?["code"] == "unavailable" && refusal.json["checks"] == nil)
            let report = try await inspect()
            #expect(report.status == 503 && report.json["status"] == "unavailable")
            #expect(refusal.headers[.retryAfter] == "5" && report.headers[.retryAfter] == "5")
            let file = report.json["checks"]?.array?.first { $0["name"] == "file" }
            #expect(file?["status"] == "failed" && file?["message"]?.string?.contains("placard restore") == true)
            #expect(try await workspace.send(.get, "/healthz", raw: nil, key: nil).status == 200)
        }
    }
}
