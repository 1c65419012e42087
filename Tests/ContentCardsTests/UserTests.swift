import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@Suite("Two users on one device", .timeLimit(.minutes(20)))
struct UserTests {
    let bed = TestBed()

    /// Answers each user with a card of their own, and with the events' fate untouched.
    private func serveEachTheirOwn() {
        bed.transport.answer("v1/sync") { request in
            .sync([.fixture("card of \(SentBody(request).user)"), .fixture("shared")], cursor: "cursor")
        }
    }

    private func synced(_ client: ContentCardsClient, as user: String) async throws -> CardFeed {
        await client.identify(user)
        return try #require(await client.updates.first { $0.lastSync != nil && $0.userID == user })
    }

    @Test("never see each other's cards or flags, and find their own at once when they come back, also offline")
    func separation() async throws {
        serveEachTheirOwn()
        let client = bed.launch()
        _ = try await synced(client, as: "a")
        client.logImpression(cardID: "shared")
        bed.clock.advance(by: 1000)
        let feed = try await synced(client, as: "b")
        #expect(feed.cards.map(\.id) == ["card of b", "shared"])
        #expect(feed.cards.allSatisfy { !$0.isViewed })
        bed.transport.answer("v1/sync") { _ in throw TransportError.unreachable("offline") }
        await client.identify("a")
        #expect(client.feed.cards.map(\.id) == ["card of a", "shared"])
        #expect(client.feed.cards.map(\.isViewed) == [false, true])
    }

    @Test("are switched at once for whoever listens, and the new one asks for the whole feed")
    func atOnce() async throws {
        serveEachTheirOwn()
        let client = bed.launch()
        _ = try await synced(client, as: "a")
        var updates = client.updates.makeAsyncIterator()
        #expect(await updates.next()?.userID == "a")
        await client.identify("b")
        let first = try #require(await updates.next())
        #expect(first.userID == "b" && first.cards.isEmpty)
        #expect(await updates.next()?.cards.first?.id == "card of b")
        let syncs = bed.transport.requests(to: "v1/sync").map(SentBody.init)
        #expect(syncs.map(\.cursor) == [nil, nil])
    }

    @Test("include the one who has not signed in, whose cards are there again after another user")
    func anonymous() async throws {
        serveEachTheirOwn()
        let client = bed.launch()
        await client.identifyAnonymously()
        let feed = try #require(await client.updates.first { $0.lastSync != nil })
        let anonymous = try #require(feed.userID)
        #expect(anonymous.hasPrefix("anonymous-"))
        #expect(feed.cards.map(\.id) == ["card of \(anonymous)", "shared"])
        _ = try await synced(client, as: "a")
        await client.identifyAnonymously()
        #expect(client.userID == anonymous)
        #expect(client.feed.cards.count == 2)
    }

    @Test("do not get an answer that was under way for the other one, and who waited for it is told")
    func lateReply() async throws {
        let gate = Gate()
        bed.transport.answer("v1/sync") { request in
            let user = SentBody(request).user
            if user == "a" { await gate.pass() }
            return .sync([.fixture("card of \(user)")])
        }
        let client = bed.launch()
        await client.identify("a")
        let refresh = Task { try await client.refresh() }
        await gate.arrival()
        while !bed.clock.sleepers.contains(30) { await Task.yield() }
        await client.identify("b")
        let result = await refresh.result
        let error = #expect(throws: ContentCardsError.self) { try result.get() }
        #expect(error?.code == .userChanged)
        await gate.open()
        let feed = try #require(await client.updates.first { $0.lastSync != nil })
        #expect(feed.cards.map(\.id) == ["card of b"])
        #expect(client.feed.userID == "b")
    }

    @Test("have their events delivered as theirs, with their token, also after the app was started again")
    func eventsOfEarlierUser() async throws {
        let provider: ContentCardsClient.TokenProvider = { "token of \($0)" }
        bed.transport.answer { _ in throw TransportError.unreachable("offline") }
        let client = bed.launch { $0.tokenProvider = provider }
        await client.identify("a")
        client.logEvent("by a")
        await client.identify("b")
        client.logEvent("by b")
        await client.close()
        serveEachTheirOwn()
        bed.transport.answer("v1/events") { _ in .events() }
        let before = bed.transport.requests.count
        let again = bed.launch { $0.tokenProvider = provider }
        try await again.flush()
        var (delivered, seen): ([String: [String]], Set<String>) = ([:], [])
        for request in bed.transport.requests.dropFirst(before) {
            let body = SentBody(request)
            #expect(request.headers["Placard-User-Token"] == "token of \(body.user)")
            // An event may be sent again while its answer is awaited: what counts is its id.
            for event in body.events where event.name != nil && seen.insert(event.id).inserted {
                delivered[body.user, default: []] += [event.name ?? ""]
            }
        }
        #expect(delivered == ["a": ["by a"], "b": ["by b"]])
    }

    @Test("share the device's budget of refreshes, which the app's end does not refill")
    func sharedBudget() async throws {
        serveEachTheirOwn()
        let client = bed.launch()
        for user in ["a", "b", "a", "b"] { _ = try await synced(client, as: user) }
        try await client.refresh()
        try await client.refresh()
        await client.close()
        let again = bed.launch()
        let error = await #expect(throws: ContentCardsError.self) { try await again.refresh() }
        #expect(error?.code == .rateLimited)
        #expect(!again.feed.cards.isEmpty)
    }

    @Test("are not confused by the same user again: no new session, no new sync, only the new token")
    func sameUser() async throws {
        bed.serve([])
        let client = bed.launch()
        await client.identify("a", token: "first")
        _ = await client.updates.first { $0.lastSync != nil }
        await client.identify("a", token: "second")
        #expect(bed.transport.requests(to: "v1/sync").count == 1)
        try await client.refresh()
        let tokens = bed.transport.requests(to: "v1/sync").map { $0.headers["Placard-User-Token"] }
        #expect(tokens == ["first", "second"])
    }

    @Test(
        "are refused with an id that no server would take",
        arguments: ["", "a\nb", "ann\u{200F}", "\u{2028}", "\u{202E}nna", String(repeating: "x", count: 513)]
    )
    func invalidID(id: String) async {
        let client = bed.launch()
        var diagnostics = client.diagnostics.makeAsyncIterator()
        await client.identify(id)
        #expect(await diagnostics.next() == .invalidUserID)
        #expect(client.userID == nil)
    }

    @Test(
        "may have ids in any script",
        arguments: ["ユーザー🙂", "a/../b", "\"quoted\" \\", String(repeating: "é", count: 256)]
    )
    func anyID(id: String) async throws {
        serveEachTheirOwn()
        let client = bed.launch()
        _ = try await synced(client, as: id)
        await client.close()
        #expect(bed.launch().feed.userID == id)
        #expect(bed.transport.requests(to: "v1/sync").map { SentBody($0).user } == [id])
    }
}
