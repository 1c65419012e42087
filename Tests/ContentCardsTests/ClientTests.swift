import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@Suite("A client", .timeLimit(.minutes(20)))
struct ClientTests {
    let bed = TestBed()

    /// Identifies a user and waits until the first sync has been published.
    private func synced(_ client: ContentCardsClient, as user: String = "a") async throws -> CardFeed {
        await client.identify(user)
        return try #require(await client.updates.first { $0.lastSync != nil && $0.userID == user })
    }

    @Test("shows what the server sends and delivers what the user does, once")
    func roundTrip() async throws {
        bed.serve([.fixture("a"), .fixture("b") { $0.isPinned = true }])
        let client = bed.launch()
        let feed = try await synced(client)
        #expect(feed.cards.map(\.id) == ["b", "a"])
        client.logImpression(feed.cards[0])
        client.logClick(feed.cards[1])
        try await client.flush()
        try await client.flush()
        #expect(bed.sentEvents.map(\.type) == ["impression", "click"])
        #expect(bed.sentEvents.map(\.card) == ["b", "a"])
        #expect(client.pendingEventCount == 0)
    }

    @Test("publishes the cached feed first, then the sync, and a sync without changes too")
    func updates() async throws {
        bed.serve([.fixture("a")])
        let first = bed.launch()
        _ = try await synced(first)
        await first.close()
        let second = bed.launch()
        var updates = second.updates.makeAsyncIterator()
        let cached = try #require(await updates.next())
        #expect(cached.userID == "a" && cached.cards.map(\.id) == ["a"])
        bed.clock.advance(by: 100)
        try await second.refresh()
        let synced = try #require(await updates.next())
        #expect(synced.cards == cached.cards)
        #expect(synced.lastSync == cached.lastSync?.addingTimeInterval(100))
    }

    @Test("has the cached cards at once after a cold start without a network, and without those that expired")
    func coldStart() async throws {
        bed.serve([.fixture("a"), .fixture("b") { $0.expiresAt = bed.clock.now + 3600 }])
        let first = bed.launch()
        _ = try await synced(first)
        await first.close()
        bed.transport.answer("v1/sync") { _ in throw TransportError.unreachable("offline") }
        bed.clock.advance(by: 3600)
        let second = bed.launch()
        #expect(second.feed.cards.map(\.id) == ["a"])
        let error = await #expect(throws: ContentCardsError.self) { try await second.refresh() }
        #expect(error?.code == .offline)
        #expect(second.feed.cards.map(\.id) == ["a"])
    }

    @Test("takes a card away the moment it expires, offline and without being asked")
    func expiryTimer() async throws {
        bed.serve([.fixture("a"), .fixture("b") { $0.expiresAt = bed.clock.now + 50 }])
        let client = bed.launch()
        _ = try await synced(client)
        var updates = client.updates.makeAsyncIterator()
        #expect(await updates.next()?.count == 2)
        await bed.clock.waitForSleeper(of: 50)
        bed.clock.advance(by: 50)
        #expect(await updates.next()?.cards.map(\.id) == ["a"])
    }

    @Test("notices within a minute that the clock was set past an expiry")
    func clockJump() async throws {
        bed.serve([.fixture("a") { $0.expiresAt = bed.clock.now + 86_400 }])
        let client = bed.launch()
        _ = try await synced(client)
        var updates = client.updates.makeAsyncIterator()
        #expect(await updates.next()?.count == 1)
        await bed.clock.waitForSleeper(of: 60)
        bed.clock.jump(by: 100_000)
        bed.clock.advance(by: 60)
        #expect(await updates.next()?.count == 0)
    }

    @Test("shows local changes at once, keeps them over a crash, and lets no sync undo them")
    func localState() async throws {
        bed.serve([.fixture("a"), .fixture("b")])
        let client = bed.launch()
        _ = try await synced(client)
        #expect(client.logImpression(cardID: "a"))
        #expect(client.logDismissal(cardID: "b"))
        #expect(client.feed.cards.map(\.isViewed) == [true])
        try await client.refresh()
        #expect(client.feed.cards.map(\.id) == ["a"])
        await client.close()
        let again = bed.launch()
        #expect(again.feed.cards.map(\.isViewed) == [true])
        try await again.refresh()
        #expect(again.feed.cards.map(\.id) == ["a"])
    }

    @Test("applies what the event log holds to a cache that was never written again")
    func replay() async throws {
        bed.serve([.fixture("a"), .fixture("b")])
        let client = bed.launch()
        _ = try await synced(client)
        let cache = try #require(bed.files(named: "feed").first)
        let before = try Data(contentsOf: cache)
        client.logClick(cardID: "a", customAction: true)
        client.logDismissal(cardID: "b")
        await client.close()
        try before.write(to: cache)
        let again = bed.launch()
        #expect(again.feed.cards.map(\.id) == ["a"])
        #expect(again.feed.cards.map(\.isClicked) == [true])
    }

    @Test("dismisses many cards in a row without a refresh")
    func manyDismissals() async throws {
        bed.serve((0..<30).map { .fixture("card-\($0)") })
        let client = bed.launch()
        let feed = try await synced(client)
        for card in feed.cards { #expect(client.logDismissal(card)) }
        #expect(client.feed.cards.isEmpty)
        #expect(bed.transport.requests(to: "v1/sync").count == 1)
    }

    @Test("takes a removed card away and accepts what another device did")
    func otherDevice() async throws {
        bed.serve([.fixture("a"), .fixture("b")])
        let client = bed.launch()
        _ = try await synced(client)
        bed.transport.answer("v1/sync") { request in
            #expect(SentBody(request).cursor == "1")
            let viewed = ContentCard.fixture("a") { ($0.isViewed, $0.isClicked) = (true, true) }
            return .sync([viewed], replaces: false, removed: ["b"], cursor: "2")
        }
        try await client.refresh()
        #expect(client.feed.cards.map(\.id) == ["a"])
        #expect(client.feed.cards[0].isViewed && client.feed.cards[0].isClicked)
    }

    @Test("logs a session start for each session: not after 10 seconds in the background, but after 11")
    func sessions() async throws {
        bed.serve([])
        let client = bed.launch()
        await client.identify("a")
        await client.startSession()
        await client.endSession()
        bed.clock.advance(by: 10)
        await client.startSession()
        await client.endSession()
        bed.clock.advance(by: 11)
        await client.startSession()
        try await client.flush()
        #expect(bed.sentEvents.map(\.type) == ["session_start", "session_start"])
    }

    @Test("ends a refresh by timeout when the server never answers")
    func timeout() async throws {
        let gate = Gate()
        bed.transport.answer("v1/sync") { _ in
            await gate.pass()
            return .sync()
        }
        let client = bed.launch { $0.requestTimeout = 100 }
        await client.identify("a")
        let refresh = Task { try await client.refresh() }
        await bed.clock.waitForSleeper(of: 30)
        bed.clock.advance(by: 30)
        let result = await refresh.result
        let error = #expect(throws: ContentCardsError.self) { try result.get() }
        #expect(error?.code == .timeout)
        await gate.open()
    }

    @Test("ends a refresh when its task is cancelled, and the others go on")
    func cancellation() async throws {
        let gate = Gate()
        bed.transport.answer("v1/sync") { _ in
            await gate.pass()
            return .sync([.fixture("a")])
        }
        let client = bed.launch()
        await client.identify("a")
        let cancelled = Task { try await client.refresh() }
        let kept = Task { try await client.refresh() }
        await gate.arrival()
        cancelled.cancel()
        let result = await cancelled.result
        let error = #expect(throws: ContentCardsError.self) { try result.get() }
        #expect(error?.code == .cancelled)
        await gate.open()
        try await kept.value
        #expect(client.feed.count == 1)
    }

    @Test("delivers ten thousand events after a day offline, in order and in requests that the server takes")
    func dayOffline() async throws {
        bed.transport.answer { _ in throw TransportError.unreachable("offline") }
        let first = bed.launch()
        await first.identify("a")
        for number in 0..<10_000 { first.logEvent("e\(number)") }
        await first.close()
        bed.clock.advance(by: 86_400)
        bed.transport.answer { request in request.url.path.hasSuffix("events") ? .events() : .sync() }
        let before = bed.transport.requests.count
        let second = bed.launch()
        try await second.flush()
        let names = bed.transport.requests.dropFirst(before).flatMap { SentBody($0).events.compactMap(\.name) }
        #expect(names == (0..<10_000).map { "e\($0)" })
        #expect(bed.transport.requests.allSatisfy { SentBody($0).events.count <= 250 })
        #expect(second.pendingEventCount == 0)
    }

    @Test("never sends an event that happened later than the request, also when the clock was set back")
    func clockSetBack() async throws {
        bed.serve([])
        let client = bed.launch()
        _ = try await synced(client)
        client.logEvent("before")
        bed.clock.jump(by: -7200)
        try await client.flush()
        let body = try #require(bed.transport.requests(to: "v1/events").last.map(SentBody.init))
        #expect(body.events.map(\.at) == [body.sentAt])
    }

    @Test("drops what the server rejects for good, keeps nothing back for it, and says so")
    func rejected() async throws {
        bed.serve([])
        let client = bed.launch()
        _ = try await synced(client)
        var diagnostics = client.diagnostics.makeAsyncIterator()
        bed.transport.answer("v1/events") { request in
            let id = SentBody(request).events[0].id
            return .json(
                #"{"events":{"accepted":1,"duplicate":0,"rejected":[{"id":"\#(id)","code":"card_unknown"}]}}"#
            )
        }
        client.logEvent("one")
        client.logEvent("two")
        try await client.flush()
        #expect(client.pendingEventCount == 0)
        let id = try #require(bed.sentEvents.first?.id)
        #expect(await diagnostics.next() == .eventRejected(id: id, code: "card_unknown"))
    }

    @Test("remembers over launches when the server last answered, also when nothing had changed")
    func lastSync() async throws {
        bed.serve([.fixture("a")])
        let client = bed.launch()
        _ = try await synced(client)
        bed.clock.advance(by: 1000)
        try await client.refresh()
        let lastSync = client.feed.lastSync
        await client.close()
        #expect(lastSync == bed.clock.now)
        bed.clock.advance(by: 61)
        let again = bed.launch()
        let snapshot = await again.updates.first { _ in true }
        #expect(snapshot?.lastSync == lastSync && snapshot?.cards.map(\.id) == ["a"])
        // What was delivered from the cache is no sync: a feed that opens asks.
        let count = bed.transport.requests(to: "v1/sync").count
        try await again.refresh(.feedOpened)
        #expect(bed.transport.requests(to: "v1/sync").count == count + 1)
        #expect(again.feed.lastSync == bed.clock.now)
        await again.close()
    }

    @Test("asks once where a feed is opened while the first answer comes")
    func openedDuringSync() async throws {
        for _ in 0..<200 {
            let (bed, gate) = (TestBed(), Gate())
            bed.transport.answer("v1/sync") { _ in
                await gate.pass()
                return .sync([])
            }
            let client = bed.launch { $0.storage = .memory }
            await client.identify("a")
            await gate.arrival()
            let refresh = Task { try await client.refresh(.feedOpened) }
            await gate.open()
            try await refresh.value
            try await client.refresh(.feedOpened)
            #expect(bed.transport.requests(to: "v1/sync").count == 1)
            await client.close()
        }
    }

    private struct Weak {
        weak var client: ContentCardsClient?
    }

    @Test("has on the disk what was done to cards before it forgets the events that said so")
    func stateBeforeAcknowledgement() async throws {
        bed.serve([.fixture("a"), .fixture("b")])
        let client = bed.launch()
        _ = try await synced(client)
        client.logImpression(cardID: "a")
        client.logDismissal(cardID: "b")
        try await client.flush()
        // The files as a crash would leave them: the client was not closed.
        let copy = TestBed()
        try FileManager.default.copyItem(at: bed.directory, to: copy.directory)
        let crashed = copy.launch()
        #expect(crashed.pendingEventCount == 0)
        #expect(crashed.feed.cards.map(\.id) == ["a"])
        #expect(crashed.feed.cards.map(\.isViewed) == [true])
        await client.close()
    }

    @Test("stops when it is released, and so do its streams")
    func release() async {
        var client: ContentCardsClient? = bed.launch()
        let watched = Weak(client: client)
        let updates = client?.updates
        client = nil
        #expect(watched.client == nil)
        var count = 0
        for await _ in updates ?? AsyncStream(unfolding: { nil }) { count += 1 }
        #expect(count <= 1)
    }
}
