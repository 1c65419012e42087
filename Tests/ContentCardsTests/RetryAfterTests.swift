import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("A server that has too much to do", .timeLimit(.minutes(20)))
struct RetryAfterTests {
    let bed = TestBed()

    private func machine() -> SyncMachine {
        var machine = SyncMachine(
            settings: .init(),
            budget: RefreshBudget(at: Date(timeIntervalSince1970: 0))
        )
        _ = machine.handle(.sessionStarted, for: user, at: Moment(now: Date(timeIntervalSince1970: 0), uptime: 0))
        return machine
    }

    private let user = CurrentUser(id: "a")

    private func sent(_ actions: [SyncMachine.Action]) -> Int {
        actions.count { if case .send = $0 { true } else { false } }
    }

    @Test(
        "is asked no more often than backoff allows when it says 0, a time that is over, or nothing",
        arguments: [0, nil]
    )
    func noTime(seconds: TimeInterval?) {
        var machine = machine()
        let begin = Date(timeIntervalSince1970: 0)
        var requests = sent(
            machine.handle(.want(.manual, waiter: nil, lastSync: nil), for: user, at: Moment(now: begin, uptime: 0))
        )
        // Given ten minutes in which every second a caller wants something, and each request is turned away
        for second in 0..<600 {
            let moment = Moment(now: begin + Double(second), uptime: Double(second))
            if let inFlightRequest = machine.inFlightRequest {
                let failure = RequestFailure.status(429, code: nil, message: nil, retryAfter: seconds)
                let answer = SyncMachine.Input.answered(
                    request: inFlightRequest.request.id,
                    .failure(failure),
                    backlog: [:]
                )
                requests += sent(machine.handle(answer, for: user, at: moment))
            }
            for input in [SyncMachine.Input.wake, .flush(second), .want(.live, waiter: nil, lastSync: nil)] {
                requests += sent(machine.handle(input, for: user, at: moment))
            }
        }
        #expect(requests <= 11)
    }

    @Test("is left alone for the longest of a day, whatever it says, and then asked again")
    func longest() {
        var machine = machine()
        let begin = Date(timeIntervalSince1970: 0)
        _ = machine.handle(.want(.manual, waiter: nil, lastSync: nil), for: user, at: Moment(now: begin, uptime: 0))
        let seconds = RetryAfter.seconds("999999999999999999999", at: begin)
        let failure = RequestFailure.status(503, code: nil, message: nil, retryAfter: seconds)
        let id = machine.inFlightRequest?.request.id ?? 0
        let answer = SyncMachine.Input.answered(request: id, .failure(failure), backlog: [:])
        _ = machine.handle(answer, for: user, at: Moment(now: begin, uptime: 0), random: 1)
        #expect(sent(machine.handle(.wake, for: user, at: Moment(now: begin + 86_400, uptime: 86_400))) == 0)
        #expect(sent(machine.handle(.wake, for: user, at: Moment(now: begin + 86_700, uptime: 86_700))) == 1)
    }

    @Test("is asked for nothing before the time is over: no sync, no events, no content types, no stream")
    func everyEndpoint() async throws {
        let transport = bed.transport
        bed.transport.answer("v1/sync") { _ in
            await transport.streamOpened()
            return .failure(429, code: "rate_limited", retryAfter: "60")
        }
        let client = bed.launch(sessions: .automatic, live: true)
        await client.identify("a")
        await bed.clock.waitForSleeper(of: 66)
        let before = bed.transport.requests.count
        client.logEvent("waits")
        for _ in 0..<3 {
            let refused = await #expect(throws: ContentCardsError.self) { try await client.refresh() }
            #expect(refused?.code == .rateLimited && (refused?.retryAfter ?? 0) > 0)
            let flushed = await #expect(throws: ContentCardsError.self) { try await client.flush() }
            #expect(flushed?.code == .rateLimited)
            let types: [ContentTypeSchema] = []
            let published = await #expect(throws: ContentCardsError.self) {
                try await client.publishContentTypes(types)
            }
            #expect(published?.code == .rateLimited)
        }
        // When the stream breaks, it stays closed for as long
        bed.transport.breakLive()
        await bed.clock.waitForSleeper(of: 1)
        bed.clock.advance(by: 1)
        await bed.clock.waitForSleeper(of: 65)
        #expect(bed.transport.requests.count == before)
        bed.transport.answer("v1/sync") { _ in .sync([.fixture("a")]) }
        bed.clock.advance(by: 65)
        #expect(await client.updates.first { $0.count == 1 } != nil)
        await client.close()
    }

    @Test("is left alone after a launch, too")
    func relaunch() async throws {
        bed.transport.answer("v1/sync") { _ in .failure(503, code: "unavailable", retryAfter: "600") }
        let client = bed.launch()
        await client.identify("a")
        await #expect(throws: ContentCardsError.self) { try await client.refresh() }
        await client.close()
        let before = bed.transport.requests.count
        bed.clock.advance(by: 300)
        let again = bed.launch(sessions: .automatic)
        let error = await #expect(throws: ContentCardsError.self) { try await again.refresh() }
        #expect(error?.code == .rateLimited)
        #expect(error?.retryAfter == 360)
        #expect(bed.transport.requests.count == before)
        await again.close()
    }

    @Test("says for a stream alone when that may come back, while syncs go on", arguments: [429, 503])
    func stream(status: Int) async throws {
        bed.serve([.fixture("a")])
        bed.transport.answer("v1/live") { _ in .failure(status, code: "rate_limited", retryAfter: "120") }
        let client = bed.launch(sessions: .automatic, live: true)
        await client.identify("a")
        await bed.clock.waitForSleeper(of: 1)
        bed.clock.advance(by: 1)
        await bed.clock.waitForSleeper(of: 131)
        // A new session does not open it either
        await client.endSession()
        await client.startSession()
        try await client.refresh()
        await bed.clock.waitForSleeper(of: 131)
        #expect(bed.transport.requests(to: "v1/live").count == 1)
        bed.clock.advance(by: 131)
        for await request in bed.transport.newRequests(includingPast: true)
        where request.url.path.hasSuffix("live") && bed.transport.requests(to: "v1/live").count == 2 { break }
        await client.close()
    }

    @Test("makes the stream wait longer each time when it closes it at once, although it said something")
    func shortStreams() async throws {
        bed.serve([])
        let client = bed.launch(sessions: .automatic, live: true)
        await client.identify("a")
        for delay in [1.0, 2, 4, 8] {
            await bed.transport.streamOpened()
            bed.transport.sendLive(": hello\n\n")
            bed.transport.breakLive()
            await bed.clock.waitForSleeper(of: delay)
            bed.clock.advance(by: delay)
        }
        await client.close()
    }
}
