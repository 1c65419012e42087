import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("A live stream of a hostile or broken server", .timeLimit(.minutes(20)))
struct LiveStreamTests {
    private let clock = ManualClock()
    private let transport = ScriptedTransport()
    private let heard = Collected<String>()

    private static func text(_ signal: LiveStream.Signal) -> String {
        switch signal {
        case .changed(let generation): "changed \(generation.map { String($0) } ?? "-")"
        case .refused(let token): "refused \(token ?? "-")"
        case .heldOff(let seconds): "held off \(seconds)"
        }
    }

    private static var request: TransportRequest? {
        URL(string: "https://cards.example/v1/live").map {
            TransportRequest(method: "GET", url: $0, headers: ["Placard-User-Token": "t"])
        }
    }

    /// Begins to follow the stream; returns what it signals as well.
    private func run(
        _ permission: @escaping @Sendable () -> LiveStream.Permission = {
            LiveStreamTests.request.map(LiveStream.Permission.open) ?? .no
        }
    ) -> (task: Task<Void, Never>, signals: AsyncStream<String>) {
        let (signals, continuation) = AsyncStream.makeStream(of: String.self)
        let stream = LiveStream(
            clock: clock,
            transport: transport,
            random: { 1 },
            silence: 40,
            request: { permission() },
            signal: { [heard] signal in
                heard.add(LiveStreamTests.text(signal))
                continuation.yield(LiveStreamTests.text(signal))
            }
        )
        return (Task { await stream.run() }, signals)
    }

    /// Waits for each of some delays, and lets it pass.
    private func pass(_ delays: [TimeInterval]) async {
        for delay in delays {
            await clock.waitForSleeper(of: delay)
            clock.advance(by: delay)
        }
    }

    @Test("says that something changed, with the newest generation that can be one, and nothing of other events")
    func data() async {
        let (task, signals) = run()
        var heard = signals.makeAsyncIterator()
        await transport.streamOpened()
        let pieces = [
            (#"{"generation":"7"}"#, "changed -"), (#"{"generation":1.5}"#, "changed -"),
            (#"{"generation":null}"#, "changed -"), ("[7]", "changed -"), ("{", "changed -"),
            (#"{"generation":0}"#, "changed 0"), (#"{"generation":9007199254740992}"#, "changed 9007199254740992"),
            (#"{"generation":9007199254740993}"#, "changed -"), (#"{"generation":3,"more":{}}"#, "changed 3"),
        ]
        for (data, expected) in pieces {
            transport.sendLive("event: Changed\ndata: \(data)\n\nevent: changed \ndata: \(data)\n\ndata: \(data)\n\n")
            transport.sendLive("event: changed\ndata: \(data)\n\n")
            #expect(await heard.next() == expected, "\(data)")
        }
        // Many in one piece are one signal, and one without data is one, too.
        let many = [3, 9, -1, 5].map { "event: changed\ndata: {\"generation\":\($0)}\n\n" }.joined()
        transport.sendLive(many + "event: changed\n\n")
        #expect(await heard.next() == "changed 9")
        transport.sendLive("event: changed\n\n")
        #expect(await heard.next() == "changed -")
        task.cancel()
        await task.value
    }

    @Test(
        "is refused for what the answer says, and only then",
        arguments: [
            (401, nil, ["refused t"]), (401, "5", ["refused t"]), (403, "5", []), (404, nil, []), (204, nil, []),
            (302, "5", []), (429, nil, []), (429, "5", ["held off 5.0"]), (500, "soon", []),
            (500, "7", ["held off 7.0"]), (503, "0", ["held off 0.0"]), (503, "1e9", []),
            (503, "999999999999", ["held off 86400.0"]),
        ] as [(Int, String?, [String])]
    )
    func refusals(status: Int, retryAfter: String?, expected: [String]) async {
        transport.answer("v1/live") { _ in .failure(status, code: "x", retryAfter: retryAfter) }
        let (task, _) = run()
        await clock.waitForSleeper(of: 1)
        #expect(heard.all == expected)
        #expect(transport.requests.count == 1)
        task.cancel()
        await task.value
    }

    @Test("that can't be opened is tried again after growing delays, of a minute at most")
    func unreachable() async {
        transport.answer("v1/live") { _ in throw TransportError.unreachable("scripted") }
        let (task, _) = run()
        await pass([1, 2, 4, 8, 16, 32, 60, 60])
        await clock.waitForSleeper(of: 60)
        #expect(transport.requests.count == 9 && heard.all.isEmpty)
        task.cancel()
        await task.value
    }

    @Test(
        "that a server or a proxy doesn't have is looked for less and less often, up to once an hour",
        arguments: [403, 404, 405, 501]
    )
    func absent(status: Int) async {
        transport.answer("v1/live") { _ in .failure(status, code: "x") }
        let (task, _) = run()
        await pass([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 3_600])
        await clock.waitForSleeper(of: 3_600)
        #expect(transport.requests.count == 14 && heard.all.isEmpty)
        task.cancel()
        await task.value
    }

    @Test("is not asked for while that isn't permitted: after the time that is said, or after growing delays")
    func permissions() async {
        let script = Locked<[LiveStream.Permission]>([.later(5), .no, .no, .later(3), .no])
        let (task, _) = run { script.withLock { $0.isEmpty ? .later(1_000) : $0.removeFirst() } }
        await pass([5, 1, 2, 3, 4])
        await clock.waitForSleeper(of: 1_000)
        #expect(transport.requests.isEmpty)
        task.cancel()
        await task.value
    }

    @Test("is kept while the server says anything within the time of silence, and opened again after that")
    func silence() async {
        var opened = transport.newRequests().makeAsyncIterator()
        let (task, signals) = run()
        var heard = signals.makeAsyncIterator()
        _ = await opened.next()
        await transport.streamOpened()
        await clock.waitForSleeper(of: 40)
        for seconds: TimeInterval in [30, 20, 20, 20] {
            clock.advance(by: seconds)
            transport.sendLive("event: changed\n\n")
            #expect(await heard.next() == "changed -")
            clock.advance(by: 10)
            // Ten seconds after the last word: thirty are left.
            await clock.waitForSleeper(of: 30)
        }
        #expect(transport.requests.count == 1)
        clock.advance(by: 30)
        // It was open for long: the first delay is the shortest.
        await pass([1])
        _ = await opened.next()
        #expect(transport.requests.count == 2)
        task.cancel()
        await task.value
    }

    @Test("whose line or event never ends is closed and tried again, later each time", arguments: ["x", "data\n"])
    func endless(text: String) async {
        let (task, _) = run()
        for delay: TimeInterval in [1, 2, 4] {
            await transport.streamOpened()
            transport.sendLive(String(repeating: text, count: 70_000))
            await clock.waitForSleeper(of: delay)
            transport.breakLive()
            clock.advance(by: delay)
        }
        #expect(heard.all.isEmpty)
        task.cancel()
        await task.value
    }
}
