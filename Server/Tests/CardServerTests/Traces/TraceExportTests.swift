import Logging
import Synchronization
import Testing
import WireJSON

@testable import CardServer

@Suite("Sending traces to a collector")
struct TraceExportTests {
    static let document = TraceDocument(service: "placard", instance: "i", version: "1", resource: [:])

    /// A collector that says what it was told to say, and remembers how many spans it got.
    private final class Script: SpanSending {
        private let state: Mutex<(answers: [SpanAnswer], sizes: [Int])>

        init(_ answers: [SpanAnswer]) { state = Mutex((answers, [])) }

        var sizes: [Int] { state.withLock { $0.sizes } }

        func send(_ body: [UInt8], timeout: Double) async -> SpanAnswer {
            let text = String(decoding: body, as: UTF8.self)
            return state.withLock { state in
                state.sizes.append(text.split(separator: "\"spanId\"").count - 1)
                return state.answers.isEmpty ? .taken(rejected: 0) : state.answers.removeFirst()
            }
        }
    }

    private struct Scene {
        let counts = TraceCounts()
        let time = Mutex<Double>.Box(1_000)
        let queue: SpanQueue
        let tracer: Tracer
        let script: Script
        let exporter: TraceExporter

        init(_ answers: [SpanAnswer] = [], limit: Int = SpanQueue.standardLimit) {
            let time = time
            queue = SpanQueue(limit: limit, counts: counts)
            tracer = Tracer(sampler: TraceSampler(ratio: 1), queue: queue)
            script = Script(answers)
            exporter = TraceExporter(
                queue: queue,
                document: document,
                sender: script,
                timeout: 10,
                uptime: { time.value.withLock { $0 } },
                chance: { 1 },
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        }

        func add(_ count: Int) {
            for _ in 0..<count { tracer.note(.server, took: .zero) { $0.name = "s" } }
        }

        /// Takes a step after that many seconds, and returns whether something was sent.
        func step(after seconds: Double) async -> Bool {
            time.value.withLock { $0 += seconds }
            let before = script.sizes.count
            _ = await exporter.step()
            return script.sizes.count > before
        }
    }

    @Test("Spans wait for others, five seconds or until there are enough")
    func batches() async {
        let scene = Scene()
        scene.add(3)
        #expect(await scene.step(after: 0) == false)
        #expect(await scene.step(after: 4.9) == false)
        #expect(await scene.step(after: 0.2))
        scene.add(1_600)
        #expect(await scene.step(after: 0.1))
        #expect(await scene.exporter.step() == 0)
        #expect(scene.script.sizes == [3, 512, 512])
        await scene.exporter.flush()
        #expect(scene.script.sizes == [3, 512, 512, 512, 64])
        #expect(scene.counts.spans(.exported) == 1_603 && scene.counts.waiting == 0)
    }

    @Test("What comes where too many wait is dropped and counted")
    func dropped() {
        let scene = Scene(limit: 10)
        scene.add(25)
        #expect(scene.queue.count == 10 && scene.counts.spans(.dropped) == 15 && scene.counts.waiting == 10)
    }

    @Test("A collector that asks for a pause gets it, at most five minutes")
    func pause() async {
        let scene = Scene([.unavailable("HTTP 429", retryAfter: 7), .unavailable("HTTP 503", retryAfter: 1e9)])
        scene.add(2)
        _ = await scene.step(after: 0)
        #expect(await scene.step(after: 5))
        #expect(await scene.step(after: 6.9) == false)
        #expect(await scene.step(after: 0.1))
        #expect(await scene.step(after: 299) == false)
        #expect(await scene.step(after: 1))
        #expect(scene.script.sizes == [2, 2, 2] && scene.counts.spans(.exported) == 2 && scene.counts.failures == 2)
    }

    @Test("One that can't be reached is asked more and more seldom, and what it doesn't take five times is given up")
    func unreachable() async {
        let scene = Scene((0..<7).map { _ in .unavailable("refused", retryAfter: nil) })
        scene.add(4)
        _ = await scene.step(after: 0)
        #expect(await scene.step(after: 5))
        for pause in [1.0, 2, 4, 8] {
            #expect(await scene.step(after: pause - 0.1) == false)
            #expect(await scene.step(after: 0.1))
        }
        #expect(scene.counts.spans(.failed) == 4 && scene.counts.failures == 5)
        // The next spans find the same pause, not the first one again.
        scene.add(1)
        #expect(await scene.step(after: 15.9) == false)
        #expect(await scene.step(after: 0.1))
        #expect(await scene.step(after: 31.9) == false)
        #expect(await scene.step(after: 0.1))
        #expect(await scene.step(after: 60))
        #expect(scene.counts.spans(.exported) == 1)
        // And once it takes some again, the pauses are short again.
        scene.add(1)
        #expect(await scene.step(after: 5))
    }

    @Test("What a collector refuses isn't sent again, and what it takes in part is counted so")
    func refused() async {
        let scene = Scene([.refused("HTTP 400"), .taken(rejected: 2)])
        scene.add(5)
        _ = await scene.step(after: 0)
        #expect(await scene.step(after: 5))
        #expect(scene.counts.spans(.failed) == 5)
        scene.add(3)
        #expect(await scene.step(after: 10))
        #expect(scene.script.sizes == [5, 3])
        #expect(scene.counts.spans(.failed) == 7 && scene.counts.spans(.exported) == 1)
    }

    @Test("A collector that is down when the server stops loses spans, and holds nothing up")
    func flush() async {
        let scene = Scene([.unavailable("refused", retryAfter: 60)])
        scene.add(600)
        await scene.exporter.flush()
        #expect(scene.script.sizes == [512] && scene.counts.spans(.failed) == 600 && scene.queue.count == 0)
    }

    @Test("A collector that never answers holds up neither requests nor the end of the server")
    func hanging() async throws {
        try await RawHost.run(sending: "") { host, port in
            var settings = try #require(TraceSettings(endpoint: "http://127.0.0.1:\(port)/v1/traces"))
            // The end of the server doesn't wait for it, however busy the machine is.
            settings.timeout = 600
            try await Workspace.run(change: { [settings] in $0.traces = settings }) { workspace in
                for _ in 0..<600 { _ = try await workspace.send(.get, "/healthz", raw: nil, key: nil) }
                await host.heard()
                #expect(try await workspace.sync("ann").status == 200)
            }
            #expect(host.received.hasPrefix("POST /v1/traces HTTP/1.1\r\n"))
        }
    }

    @Test("A collector's answers are read as the protocol has them")
    func answers() async throws {
        let partial = #"{"partialSuccess":{"rejectedSpans":"3","errorMessage":"no"}}"#
        let expected: [(String, SpanAnswer)] = [
            ("200 OK\r\nContent-Length: \(partial.utf8.count)\r\n\r\n\(partial)", .taken(rejected: 3)),
            ("200 OK\r\nContent-Length: 3\r\n\r\n{]x", .taken(rejected: 0)),
            ("503 No\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n", .unavailable("HTTP 503", retryAfter: 9)),
            ("429 No\r\nContent-Length: 0\r\n\r\n", .unavailable("HTTP 429", retryAfter: nil)),
            ("400 No\r\nContent-Length: 0\r\n\r\n", .refused("HTTP 400")),
            ("302 No\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n", .refused("HTTP 302")),
        ]
        for (text, answer) in expected {
            try await RawHost.run(sending: "HTTP/1.1 " + text) { _, port in
                let settings = try #require(TraceSettings(endpoint: "http://127.0.0.1:\(port)/v1/traces"))
                #expect(await CollectorClient(settings).send([], timeout: 60) == answer)
            }
        }
        let closed = try #require(
            TraceSettings(endpoint: "http://127.0.0.1:\(try await RawHost.closedPort())/v1/traces")
        )
        guard case .unavailable = await CollectorClient(closed).send([], timeout: 60) else {
            return #expect(Bool(false), "A closed port has answered")
        }
    }
}
