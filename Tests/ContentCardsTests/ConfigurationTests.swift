import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("Settings of a client", .timeLimit(.minutes(20)))
struct ConfigurationTests {
    private let bed = TestBed()

    @Test(
        "have their defaults in place of times that are none",
        arguments: [TimeInterval.nan, -1, -TimeInterval.infinity]
    )
    func times(wrong: TimeInterval) {
        var settings = ContentCardsClient.Configuration()
        let defaults = settings
        settings.cacheTimeout = wrong
        settings.sessionTimeout = wrong
        settings.flushDelay = wrong
        settings.requestTimeout = wrong
        settings.refreshTimeout = wrong
        settings.liveSilence = wrong
        let usable = settings.usable
        #expect([usable.cacheTimeout, usable.sessionTimeout, usable.flushDelay] == [60, 10, 2])
        #expect([usable.requestTimeout, usable.refreshTimeout, usable.liveSilence] == [15, 30, 40])
        #expect(defaults.usable.flushDelay == defaults.flushDelay)
    }

    @Test("keep what may be nothing, and no time for an answer that would be none")
    func nothing() {
        var settings = ContentCardsClient.Configuration()
        settings.cacheTimeout = 0
        settings.sessionTimeout = 0
        settings.flushDelay = 0
        settings.requestTimeout = 0
        settings.refreshTimeout = 0.5
        let usable = settings.usable
        #expect([usable.cacheTimeout, usable.sessionTimeout, usable.flushDelay] == [0, 0, 0])
        #expect(usable.requestTimeout == 15 && usable.refreshTimeout == 0.5)
    }

    @Test("that are no numbers let requests end, and events wait for others as ever")
    func noNumbers() async throws {
        bed.serve([.fixture("a")])
        let client = bed.launch {
            ($0.flushDelay, $0.requestTimeout, $0.refreshTimeout) = (.nan, .nan, .nan)
        }
        await client.identify("ann")
        try await client.refresh()
        #expect(client.feed.cards.map(\.id) == ["a"])
        await client.startSession()
        try await client.flush()
        await client.setFlushDelay(.nan)
        client.logEvent("later")
        // The engine may hear of the event only after the clock has been put forward.
        while !bed.sentEvents.contains(where: { $0.name == "later" }) {
            bed.clock.advance(by: 2)
            await Task.yield()
        }
        await client.close()
    }

    @Test("of no delay send each event at once, in a session too, and a failure is no reason to ask without end")
    func noDelay() async throws {
        bed.transport.answer { _ in throw TransportError.unreachable("offline") }
        let client = bed.launch { $0.flushDelay = 0 }
        await client.identify("ann")
        await client.startSession()
        client.logEvent("now")
        while bed.transport.requests.isEmpty { await Task.yield() }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(bed.transport.requests.count < 6)
        #expect(client.pendingEventCount > 0)
        await client.close()
    }
}
