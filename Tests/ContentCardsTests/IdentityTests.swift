import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

/// One character in one scalar and in two: canonically equivalent, and different bytes.
private let composed = "caf\u{E9}"
private let decomposed = "cafe\u{301}"

@Suite("Canonically equivalent ids", .timeLimit(.minutes(20)))
struct IdentityTests {
    let bed = TestBed()

    @Test("are equal to Swift and differ in bytes", arguments: [(composed, decomposed), ("\u{212A}ate", "Kate")])
    func premise(one: String, other: String) {
        #expect(one == other)
        #expect(!one.hasSameBytes(as: other))
        #expect(BytewiseText(one) != BytewiseText(other))
        #expect(Set([BytewiseText(one), BytewiseText(other), BytewiseText(one)]).count == 2)
        #expect((BytewiseText(one) < BytewiseText(other)) != (BytewiseText(other) < BytewiseText(one)))
        let (some, none) = (Optional(one), Optional<String>.none)
        #expect(!some.hasSameBytes(as: other) && !some.hasSameBytes(as: nil) && some.hasSameBytes(as: one))
        #expect(none.hasSameBytes(as: nil) && !none.hasSameBytes(as: other))
    }

    @Test("are two users: a switch between them changes the feed, the cursor and whose events are sent")
    func users() async throws {
        bed.transport.answer("v1/sync") { request in
            let isComposed = SentBody(request).user.hasSameBytes(as: composed)
            return .sync([.fixture(isComposed ? "of composed" : "of decomposed")], cursor: "c")
        }
        let client = bed.launch()
        await client.identify(composed)
        _ = await client.updates.first { $0.lastSync != nil }
        #expect(client.logEvent("by composed"))
        await client.identify(decomposed)
        #expect(client.userID.hasSameBytes(as: decomposed))
        #expect(client.feed.lastSync == nil || client.feed.cards.map(\.id) == ["of decomposed"])
        let feed = await client.updates.first { $0.lastSync != nil }
        #expect(feed?.cards.map(\.id) == ["of decomposed"])
        #expect(client.logEvent("by decomposed"))
        try await client.flush()
        for name in ["by composed", "by decomposed"] {
            let sender = bed.transport.requests.map(SentBody.init).first { $0.events.contains { $0.name == name } }
            #expect(sender?.user.hasSameBytes(as: name == "by composed" ? composed : decomposed) == true)
        }
        let cursors = bed.transport.requests(to: "v1/sync").map(SentBody.init)
            .filter { $0.user.hasSameBytes(as: decomposed) }.map(\.cursor)
        #expect(cursors.first == .some(nil))
        await client.close()
    }

    @Test("have files of their own, which neither reads of the other")
    func files() async throws {
        bed.transport.answer("v1/sync") { _ in .sync([.fixture("a")]) }
        let client = bed.launch()
        for user in [composed, decomposed] {
            await client.identify(user)
            _ = await client.updates.first { $0.lastSync != nil }
        }
        await client.close()
        #expect(bed.files(named: "feed").count == 2)
        // Given one's files in the place of the other's
        let store = ClientStore(directory: bed.directory, endpoint: TestBed.endpoint, key: "pk_test") { _ in }
        defer { store.release() }
        #expect(store.loadFeed(user: composed) != nil)
        let files = try #require(bed.files(named: "feed") as [URL]?)
        let bytes = try files.map { try Data(contentsOf: $0) }
        for (file, other) in zip(files, bytes.reversed()) { try other.write(to: file) }
        #expect(store.loadFeed(user: composed) == nil && store.loadFeed(user: decomposed) == nil)
    }

    @Test("are two owners of event logs")
    func journals() throws {
        try FileManager.default.createDirectory(at: bed.directory, withIntermediateDirectories: true)
        let path = bed.directory.appendingPathComponent("events").path
        var journal = Journal(user: composed, path: path, writing: .system) { _ in }
        let event = LoggedEvent(sequence: 1, id: "1", type: "custom", time: 1, members: "")
        try journal.append(event, dropping: 0)
        #expect(Journal(user: composed, path: path, writing: .system) { _ in }.pending.count == 1)
        #expect(Journal(user: decomposed, path: path, writing: .system) { _ in }.pending.isEmpty)
    }

    @Test("keep their events apart in the queue")
    func queue() {
        let queue = EventQueue(journals: [], limit: 10, report: { _ in }, opener: { Journal(inMemoryFor: $0) })
        #expect(queue.append(.custom("x", [:]), id: "1", at: 0, user: composed))
        #expect(queue.append(.custom("x", [:]), id: "2", at: 0, user: decomposed))
        #expect(queue.counts == [BytewiseText(composed): 1, BytewiseText(decomposed): 1])
        #expect(queue.pending(user: decomposed).map(\.id) == ["2"])
        queue.settle(queue.pending(user: composed), user: composed)
        #expect(queue.counts == [BytewiseText(decomposed): 1])
    }

    @Test("have tokens and sessions of their own")
    func tokens() {
        let settings = SyncMachine.SyncSettings()
        var machine = SyncMachine(
            settings: settings,
            budget: RefreshBudget(at: Date(timeIntervalSince1970: 0))
        )
        let moment = Moment(now: Date(timeIntervalSince1970: 0), uptime: 0)
        let (one, other) = (CurrentUser(id: BytewiseText(composed)), CurrentUser(id: BytewiseText(decomposed)))
        _ = machine.handle(.token(user: BytewiseText(composed), .given("token of composed")), for: one, at: moment)
        let actions = machine.handle(.want(.identify, waiter: nil, lastSync: nil), for: other, at: moment)
        let sent = actions.compactMap { if case .send(let request) = $0 { request } else { nil } }
        #expect(sent.map(\.user) == [BytewiseText(decomposed)])
        #expect(sent.map(\.token) == [nil])
        var session = SessionState(timeout: 10)
        #expect(session.enter(user: one, at: 0) == true)
        #expect(session.enter(user: other, at: 1) == true)
        #expect(session.enter(user: other, at: 2) == false)
    }

    @Test("are two cards: marks, removals and dismissals of one leave the other alone")
    func cards() {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        var state = FeedState()
        let cards = [ContentCard.fixture(composed), .fixture(decomposed)]
        #expect(cards[0] != cards[1] && !cards[0].hasSameID(as: cards[1]))
        #expect(cards[0].precedes(cards[1]) != cards[1].precedes(cards[0]))
        state.merge(SyncReply(cursor: "1", replaces: true, cards: cards), at: now)
        #expect(state.visible(at: now).count == 2)
        #expect(state.mark(.dismissal, id: decomposed) == true)
        #expect(state.visible(at: now).map(\.identity) == [BytewiseText(composed)])
        #expect(state.mark(.impression, id: composed) == true)
        #expect(state.card(id: decomposed)?.isViewed == false)
        let reply = SyncReply(cursor: "2", replaces: false, cards: [], removed: [decomposed])
        state.merge(reply, at: now)
        #expect(state.ordered.map(\.identity) == [BytewiseText(composed)])
        // And the dismissal of one is no dismissal of the other when both come again
        state.merge(SyncReply(cursor: "3", replaces: true, cards: cards), at: now)
        #expect(state.visible(at: now).map(\.identity) == [BytewiseText(composed)])
        let feed = CardFeed(cards: cards)
        #expect(feed.card(id: decomposed)?.identity == BytewiseText(decomposed))
        let mine = ContentCardData(
            contentCardId: composed,
            contentCardClassType: .ad,
            createdAt: 0,
            isDismissible: true
        )
        let other = ContentCardData(
            contentCardId: decomposed,
            contentCardClassType: .ad,
            createdAt: 0,
            isDismissible: true
        )
        #expect(mine != other)
        #expect(CardFeed(userID: composed, cards: []) != CardFeed(userID: decomposed, cards: []))
    }
}
