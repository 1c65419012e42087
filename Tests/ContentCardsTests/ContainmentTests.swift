import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

/// How a server fails on an event.
enum Poisoning: CaseIterable {
    case crash
    case error
    case gateway

    func fail() throws -> TransportResponse {
        switch self {
        case .crash: throw TransportError.connectionLost("the server crashed")
        case .error: .failure(500, code: "internal")
        case .gateway: TransportResponse(status: 502)
        }
    }
}

@Suite("An event on which the server fails", .timeLimit(.minutes(20)))
struct ContainmentTests {
    let bed = TestBed()
    private let reports = Collected<Diagnostic>()

    private func launch() -> ContentCardsClient {
        bed.launch { [reports] in $0.log = { reports.add($0) } }
    }

    /// Fails every request that carries an event of that name.
    private func poison(_ names: Set<String>, _ poisoning: Poisoning) {
        bed.transport.answer { request in
            let isPoisoned = SentBody(request).events.contains { names.contains($0.name ?? "") }
            if isPoisoned { return try poisoning.fail() }
            return request.url.path.hasSuffix("v1/sync") ? .sync([.fixture("card")]) : nil
        }
    }

    /// Sends what can be sent, as an app does that goes on asking; returns how often it asked.
    @discardableResult
    private func drain(_ client: ContentCardsClient, attempts: Int = 60) async -> Int {
        for attempt in 1...attempts {
            if (try? await client.flush()) != nil { return attempt }
            bed.clock.advance(by: 1)
        }
        return attempts
    }

    private var setAside: [Diagnostic] {
        reports.all.filter { if case .eventSetAside = $0 { true } else { false } }
    }

    @Test("is not taken for settled where an answer says nothing about events, and comes again under its id")
    func silence() async throws {
        bed.transport.answer("v1/sync") { _ in .json(#"{"cursor":"1","replace":true,"cards":[]}"#) }
        bed.transport.answer("v1/events") { _ in .json("{}") }
        let client = launch()
        await client.identify("a")
        client.logEvent("kept")
        try? await client.flush()
        try? await client.refresh()
        #expect(client.pendingEventCount == 1)
        bed.transport.answer { _ in nil }
        bed.transport.answer("v1/events") { _ in .events() }
        try await client.flush()
        #expect(client.pendingEventCount == 0)
        #expect(Set(bed.sentEvents.map(\.id)).count == 1)
    }

    @Test(
        "three times alone is set aside and reported, and all others are delivered, in order",
        arguments: Poisoning.allCases
    )
    func poisoned(poisoning: Poisoning) async throws {
        poison(["e57"], poisoning)
        let client = launch()
        await client.identify("a")
        for number in 0..<100 { client.logEvent("e\(number)") }
        await drain(client)
        #expect(client.pendingEventCount == 0)
        #expect(setAside.count == 1)
        let alone = bed.transport.requests.map(SentBody.init).filter { $0.events.map(\.name) == ["e57"] }
        #expect(alone.count == 3)
        let sent = bed.transport.requests.map(SentBody.init).filter { body in
            !body.events.isEmpty && !body.events.contains { $0.name == "e57" }
        }
        #expect(sent.flatMap { $0.events.compactMap(\.name) } == (0..<100).filter { $0 != 57 }.map { "e\($0)" })
        await client.close()
    }

    @Test("does not keep the feed from being refreshed")
    func feed() async throws {
        poison(["bad"], .error)
        let client = launch()
        await client.identify("a")
        client.logEvent("bad")
        for _ in 0..<3 { try? await client.refresh() }
        #expect(client.feed.cards.map(\.id) == ["card"])
        await client.close()
    }

    @Test("is searched for over launches: a restart does not begin again")
    func restarts() async throws {
        poison(["e13"], .crash)
        let first = launch()
        await first.identify("a")
        for number in 0..<40 { first.logEvent("e\(number)") }
        try? await first.flush()
        await first.close()
        // Given launches that each find time for one or two requests
        var launches = 1
        while setAside.isEmpty, launches < 40 {
            let client = launch()
            try? await client.flush()
            bed.clock.advance(by: 60)
            await client.close()
            launches += 1
        }
        #expect(setAside.count == 1)
        #expect(launches < 30)
        let last = launch()
        await drain(last)
        #expect(last.pendingEventCount == 0)
        await last.close()
        let alone = bed.transport.requests.map(SentBody.init).filter { $0.events.map(\.name) == ["e13"] }
        #expect(alone.count == 3)
    }

    @Test(
        "is none while the device is offline, the server is down for everything, or asks to be left alone",
        arguments: 0..<5
    )
    func noBlame(trouble: Int) async throws {
        bed.transport.answer { _ in
            switch trouble {
            case 0: throw TransportError.unreachable("offline")
            case 1: throw TransportError.timedOut
            case 2: throw TransportError.connectionLost("down")
            case 3: return .failure(500, code: "internal")
            default: return .failure(503, code: "unavailable", retryAfter: "1")
            }
        }
        let client = launch()
        await client.identify("a")
        for number in 0..<5 { client.logEvent("e\(number)") }
        await drain(client, attempts: 80)
        #expect(client.pendingEventCount == 5)
        #expect(setAside.isEmpty)
        // When the server is there again, everything is delivered
        bed.transport.answer { request in request.url.path.hasSuffix("events") ? .events() : .sync() }
        bed.clock.advance(by: 600)
        await drain(client)
        #expect(client.pendingEventCount == 0)
        await client.close()
    }

    @Test("can be any number of events: what is kept of them is bounded, and the rest goes on")
    func many() async throws {
        let names = Set((0..<30).map { "bad\($0)" })
        poison(names, .error)
        let client = launch()
        await client.identify("a")
        for number in 0..<30 {
            client.logEvent("bad\(number)")
            client.logEvent("good\(number)")
        }
        await drain(client, attempts: 600)
        #expect(client.pendingEventCount == 0)
        #expect(setAside.count == 30)
        let good = bed.transport.requests.map(SentBody.init).filter { body in
            !body.events.contains { names.contains($0.name ?? "") }
        }
        #expect(Set(good.flatMap { $0.events.compactMap(\.name) }) == Set((0..<30).map { "good\($0)" }))
        await client.close()
        let store = ClientStore(directory: bed.directory, endpoint: TestBed.endpoint, key: "pk_test") { _ in }
        defer { store.release() }
        let kept = store.openJournal(user: "a").setAside
        #expect(kept.count == Journal.setAsideLimit)
        #expect(kept.last?.members.contains("bad29") == true)
    }

    @Test("rests between two attempts unless a caller waits")
    func rest() {
        var machine = SyncMachine(
            settings: .init(),
            budget: RefreshBudget(at: Date(timeIntervalSince1970: 0))
        )
        func moment(_ uptime: Double) -> Moment { Moment(now: Date(timeIntervalSince1970: uptime), uptime: uptime) }
        func take(_ input: SyncMachine.Input, at uptime: Double) -> [SyncMachine.Action] {
            machine.handle(input, for: CurrentUser(), at: moment(uptime), random: 1)
        }
        func limit() -> Int? { machine.inFlightRequest?.request.eventLimit }
        func answer(_ answer: SyncMachine.SyncAnswer, at uptime: Double) -> [SyncMachine.Action] {
            take(
                .answered(request: machine.inFlightRequest?.request.id ?? 0, answer, backlog: machine.backlog),
                at: uptime
            )
        }
        _ = take(.backlog(["a": 1]), at: 0)
        #expect(limit() == 250)
        _ = answer(.failure(.connectionLost("x")), at: 0)
        #expect(limit() == nil)
        // Then the next request has no event, and says whether it was the event
        _ = take(.wake, at: 1)
        #expect(limit() == 0)
        let actions = answer(.success(nil), at: 1)
        #expect(actions.contains(.countFailure(user: "a")) && actions.contains(.wake(at: 31)))
        _ = take(.wake, at: 30)
        #expect(limit() == nil)
        _ = take(.wake, at: 31)
        #expect(limit() == 1)
    }
}

@Suite("URLSession with a server that is gone", .timeLimit(.minutes(20)))
struct LostConnectionTests {
    @Test("tells a connection that was closed without an answer from a server that is not there")
    func lost() async throws {
        let server = try #require(ClosingServer())
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/v1/events"))
        let body = Data("{}".utf8)
        let request = TransportRequest(method: "POST", url: url, body: body, timeout: 300)
        let answer = await Task { try await URLSessionTransport().send(request) }.result
        let error = #expect(throws: TransportError.self) { try answer.get() }
        guard case .connectionLost = error else {
            Issue.record("it was \(String(describing: error))")
            return
        }
    }
}
