import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

#if canImport(Observation)
import Observation
#endif

@Suite("In the background", .timeLimit(.minutes(20)))
struct BackgroundTests {
    let bed = TestBed()

    @Test("a push message for content cards brings new cards, says so, and delivers events; any other message is left")
    func push() async throws {
        bed.serve([.fixture("a")])
        let client = bed.launch()
        await client.identify("a")
        _ = await client.updates.first { $0.lastSync != nil }
        #expect(client.handle(push: ["aps": ["content-available": 1]]) == nil)
        let message: [AnyHashable: Any] = ["aps": ["content-available": 1], ContentCardsClient.pushKey: true]
        #expect(await client.handle(push: message)?.value == .noChange)
        bed.serve([.fixture("a"), .fixture("b")], cursor: "2")
        client.logEvent("before")
        #expect(await client.handle(push: message)?.value == .newCards)
        #expect(client.feed.count == 2)
        #expect(bed.sentEvents.contains { $0.name == "before" })
        await client.close()
    }

    @Test("a session ends when the app was left, however late that is told, and goes on where it is back by then")
    func lateEnd() async throws {
        bed.serve([])
        let client = bed.launch()
        await client.identify("a")
        await client.startSession()
        let engine = client.core.open().engine
        let left = bed.clock.uptime
        bed.clock.advance(by: 60)
        await engine.leaveSession(at: left)
        await client.startSession()
        await engine.leaveSession(at: left)
        let isInSession = await engine.machine.inSession
        #expect(isInSession)
        try await client.flush()
        #expect(bed.sentEvents.filter { $0.type == "session_start" }.count == 2)
        await client.close()
    }

    @Test("a refresh fails without a network or a user, and when the budget is empty, however many messages come")
    func failing() async {
        bed.transport.answer("v1/sync") { _ in throw TransportError.unreachable("scripted") }
        let client = bed.launch()
        #expect(await client.refreshInBackground() == .failed)
        await client.identify("a")
        for _ in 0..<20 { #expect(await client.refreshInBackground() == .failed) }
        #expect(bed.transport.requests(to: "v1/sync").count <= 5)
        await client.close()
    }

    @Test("a refresh ends when all events are delivered, however many there are, and with an empty budget, too")
    func deliveringAll() async {
        bed.serve([])
        let client = bed.launch { $0.flushDelay = 3_600 }
        await client.identify("a")
        await client.startSession()
        _ = await client.updates.first { $0.lastSync != nil }
        for number in 1...600 { client.logEvent("event \(number)") }
        #expect(await client.refreshInBackground() == .noChange)
        #expect(client.pendingEventCount == 0)
        #expect(bed.sentEvents.filter { $0.type == "custom" }.count == 600)
        for _ in 0..<5 { _ = await client.refreshInBackground() }
        client.logEvent("late")
        #expect(await client.refreshInBackground() == .failed)
        #expect(client.pendingEventCount == 0 && bed.sentEvents.contains { $0.name == "late" })
        await client.close()
    }

    @Test("a refresh that a server never answers ends within twenty seconds")
    func timeout() async {
        let gate = Gate()
        bed.transport.answer("v1/sync") { _ in
            await gate.pass()
            return .sync([])
        }
        let client = bed.launch { $0.requestTimeout = 300 }
        await client.identify("a")
        let refresh = Task { await client.refreshInBackground() }
        await gate.arrival()
        await bed.clock.waitForSleeper(of: 20)
        bed.clock.advance(by: 20)
        #expect(await refresh.value == .failed)
        await gate.open()
        await client.close()
    }
}

#if canImport(Observation)
@Suite("The observable feed", .timeLimit(.minutes(20)))
@MainActor
struct ObservableCardFeedTests {
    @Test("follows the client, and says how a refresh ended")
    @available(iOS 17, macOS 14, tvOS 17, visionOS 1, *)
    func follows() async throws {
        let bed = TestBed()
        bed.transport.answer("v1/sync") { _ in throw TransportError.unreachable("scripted") }
        let client = bed.launch()
        await client.identify("a")
        let observed = ObservableCardFeed(client)
        await observed.refresh()
        #expect(observed.error?.code == .offline && !observed.isRefreshing)
        bed.serve([.fixture("a")])
        await withCheckedContinuation { continuation in
            withObservationTracking {
                _ = observed.feed
            } onChange: {
                continuation.resume()
            }
            Task { await observed.refresh() }
        }
        while observed.feed.count == 0 || observed.isRefreshing { await Task.yield() }
        #expect(observed.feed.cards.map(\.id) == ["a"] && observed.error == nil)
        await client.close()
    }

    @Test("says that a refresh failed which the server put off, where there are no cards of an earlier answer")
    @available(iOS 17, macOS 14, tvOS 17, visionOS 1, *)
    func putOff() async {
        let bed = TestBed()
        bed.transport.answer("v1/sync") { _ in .failure(429, code: "rate_limited", retryAfter: "60") }
        let client = bed.launch()
        await client.identify("a")
        let observed = ObservableCardFeed(client)
        await observed.refresh()
        #expect(observed.error?.code == .rateLimited)
        await client.close()
    }

    @Test("goes with its last reference, while the client works on")
    @available(iOS 17, macOS 14, tvOS 17, visionOS 1, *)
    func lifetime() async {
        let bed = TestBed()
        let client = bed.launch()
        weak var observed: ObservableCardFeed?
        do {
            let feed = ObservableCardFeed(client)
            observed = feed
            await Task.yield()
        }
        let end = Date() + 60
        while observed != nil, Date() < end { await Task.yield() }
        #expect(observed == nil)
        await client.close()
    }
}
#endif
