import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("The store of the feed", .timeLimit(.minutes(20)))
struct FeedStoreTests {
    private let clock = ManualClock()
    private let store: FeedStore

    init() {
        store = FeedStore(clock: clock, sink: CardEventSink())
    }

    private func reply(_ cards: [ContentCard], cursor: String? = "1", replaces: Bool = true) -> SyncReply {
        SyncReply(cursor: cursor, replaces: replaces, cards: cards)
    }

    private func open(user: String? = "a", isDisabled: Bool = false) {
        store.open(DeviceRecord(deviceID: "d", user: user, isDisabled: isDisabled), FeedState())
    }

    @discardableResult
    private func switchUser(to user: String, load: FeedState = FeedState()) -> Bool {
        store.switchUser(to: user, load: { _ in load }, save: { _, _ in })
    }

    private func written(isLeaving: Bool = false) -> FeedState? {
        store.takeDirty(isLeaving: isLeaving)?.feed
    }

    @Test("says nothing to subscribers before it is loaded, and then what there is")
    func loading() async {
        var early = store.subscribe().makeAsyncIterator()
        store.publish()
        open()
        #expect(await early.next()?.userID == "a")
        var late = store.subscribe().makeAsyncIterator()
        #expect(await late.next()?.userID == "a")
        store.finish()
        #expect(await early.next() == nil)
        #expect(await late.next() == nil)
    }

    @Test("publishes a sync once to each subscriber, and none that is of a user of before")
    func generations() async {
        open()
        var updates = store.subscribe().makeAsyncIterator()
        _ = await updates.next()
        let old = store.current.generation
        switchUser(to: "b")
        switchUser(to: "a")
        // The same user is there again, and the answer is of before all the same.
        #expect(!store.merge(reply([.fixture("old")]), generation: old))
        #expect(store.cursor(generation: old) == nil)
        #expect(store.merge(reply([.fixture("new")]), generation: store.current.generation))
        #expect(store.cursor(generation: store.current.generation) == "1")
        var seen: [[String]] = []
        for _ in 0..<3 { seen.append(await updates.next()?.cards.map(\.id) ?? []) }
        #expect(seen == [[], [], ["new"]])
        store.finish()
        #expect(await updates.next() == nil)
    }

    @Test("takes no reply for nobody, nor while content cards are disabled")
    func refusedReplies() {
        open(user: nil)
        #expect(!store.merge(reply([.fixture("x")]), generation: store.current.generation))
        switchUser(to: "a")
        store.disable()
        #expect(!store.merge(reply([.fixture("x")]), generation: store.current.generation))
        #expect(store.snapshot.cards.isEmpty && store.snapshot.userID == nil && store.shown?.user == nil)
        #expect(store.device.user == "a")
        var loaded = FeedState()
        loaded.merge(reply([.fixture("cached")]), at: clock.now)
        store.enable { [loaded] user in user == "a" ? loaded : FeedState() }
        #expect(store.snapshot.cards.map(\.id) == ["cached"] && store.snapshot.userID == "a")
        // Enabling what is enabled loads nothing a second time.
        let generation = store.current.generation
        store.enable { _ in FeedState() }
        #expect(store.snapshot.count == 1 && store.current.generation == generation)
    }

    @Test("shows a user who is switched to while disabled nothing until content cards are enabled")
    func switchedWhileDisabled() {
        open(isDisabled: true)
        var cached = FeedState()
        cached.merge(reply([.fixture("cached")]), at: clock.now)
        #expect(switchUser(to: "b", load: cached))
        #expect(store.snapshot.cards.isEmpty && store.device.user == "b")
        #expect(store.act(.impression, cardID: "cached", isCustomAction: false) != .log(user: "b"))
        store.enable { [cached] _ in cached }
        #expect(store.snapshot.cards.map(\.id) == ["cached"])
        #expect(store.act(.impression, cardID: "cached", isCustomAction: false) == .log(user: "b"))
    }

    @Test("has to be written after a change, and after a sync without one only when the app is left")
    func dirt() {
        open()
        let generation = store.current.generation
        #expect(written(isLeaving: true) == nil)
        _ = store.merge(reply([.fixture("x")]), generation: generation)
        #expect(written()?.cursor == "1")
        #expect(written(isLeaving: true) == nil)
        _ = store.merge(reply([.fixture("x")]), generation: generation)
        #expect(written() == nil)
        #expect(written(isLeaving: true)?.lastSync == clock.now)
        // Another cursor alone is a change: the next launch would ask for too much.
        _ = store.merge(reply([], cursor: "2", replaces: false), generation: generation)
        #expect(written()?.cursor == "2")
        #expect(store.act(.impression, cardID: "x", isCustomAction: false) == .log(user: "a"))
        #expect(written()?.card(id: "x")?.isViewed == true)
        // The second impression is logged, and changes nothing.
        #expect(store.act(.impression, cardID: "x", isCustomAction: false) == .log(user: "a"))
        #expect(written() == nil)
    }

    @Test("saves the feed of the user who leaves, once, and no other feed")
    func leaving() {
        open()
        _ = store.merge(reply([.fixture("x")]), generation: store.current.generation)
        let saved = Collected<String>()
        let saving: (String, FeedState) -> Void = { user, feed in saved.add("\(user): \(feed.ordered.map(\.id))") }
        _ = store.switchUser(to: "a", load: { _ in FeedState() }, save: saving)
        #expect(saved.all.isEmpty && store.snapshot.count == 1)
        _ = store.switchUser(to: "b", load: { _ in FeedState() }, save: saving)
        #expect(saved.all == [#"a: ["x"]"#])
        _ = store.switchUser(to: "c", load: { _ in FeedState() }, save: saving)
        #expect(saved.all.count == 1)
        #expect(store.device.formerUsers.folders(at: clock.now) == Set(["a", "b"].map(FileName.hash)))
    }

    @Test("gives tokens once, in the order in which they came, also of a user who is there already")
    func tokens() {
        open()
        for (user, token) in [("a", "1"), ("b", "2"), ("b", "3")] {
            _ = store.switchUser(to: user, token: token, load: { _ in FeedState() }, save: { _, _ in })
        }
        let (current, tokens) = store.takeTokens()
        #expect(current.id == "b" && tokens.map(\.token) == ["1", "2", "3"] && tokens.map(\.user) == ["a", "b", "b"])
        #expect(store.takeTokens().tokens.isEmpty)
    }

    @Test("logs what the user does by what the card is: not what can't be dismissed, was dismissed or has expired")
    func actions() {
        open()
        let cards: [ContentCard] = [
            .fixture("stays") { $0.isDismissible = false }, .fixture("goes"),
            .fixture("brief") { $0.expiresAt = clock.now + 10 }, .fixture("bare") { $0.urlString = "" },
            .fixture("control") { $0.kind = .control },
        ]
        _ = store.merge(reply(cards), generation: store.current.generation)
        func act(_ action: CardAction, _ id: String, custom: Bool = false) -> Bool {
            store.act(action, cardID: id, isCustomAction: custom) == .log(user: "a")
        }
        let dismissals = [act(.dismissal, "stays"), act(.dismissal, "goes"), act(.dismissal, "goes")]
        let others = [act(.click, "bare"), act(.click, "bare", custom: true), act(.impression, "control")]
        #expect(dismissals == [false, true, false] && others == [false, true, true])
        #expect(store.snapshot.cards.allSatisfy { $0.id != "goes" } && store.snapshot.count == 4)
        // An impression that was seen in time may be told of after the card has expired.
        clock.advance(by: 10)
        let late = [act(.impression, "brief"), act(.impression, "nobody's")]
        #expect(store.snapshot.count == 3 && late == [true, false])
    }

    @Test("notes a content error once for a version of the card, for the user of the feed alone")
    func contentErrors() {
        open()
        let card = ContentCard.fixture("x") { $0.extras = ["k": "v"] }
        #expect(store.noteContentError(card) == nil)
        _ = store.merge(reply([card]), generation: store.current.generation)
        #expect(store.noteContentError(card)?.id == "a")
        #expect(store.noteContentError(card) == nil)
        switchUser(to: "b")
        #expect(store.noteContentError(card) == nil)
    }

    @Test("takes its subscribers off its list when they go, and publishes to the others")
    func unsubscribing() async {
        open()
        var kept = store.subscribe().makeAsyncIterator()
        _ = await kept.next()
        _ = store.subscribe()
        #expect(store.state.withLock { $0.subscribers.count } == 1)
        store.publish()
        #expect(await kept.next()?.userID == "a")
        store.finish()
        #expect(store.state.withLock { $0.subscribers.isEmpty })
    }
}
