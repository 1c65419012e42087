import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("The state of a feed")
struct FeedStateTests {
    let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func state(_ cards: ContentCard...) -> FeedState {
        var state = FeedState()
        state.merge(SyncReply(cursor: "1", replaces: true, cards: cards), at: now)
        return state
    }

    @Test("orders pinned cards first, then by priority, then newest, then by id")
    func order() {
        let state = state(
            .fixture("old") { $0.createdAt = now - 10 },
            .fixture("b"),
            .fixture("a"),
            .fixture("new") { $0.createdAt = now },
            .fixture("important") { $0.priority = 5 },
            .fixture("pinned-old") { ($0.isPinned, $0.createdAt) = (true, now - 100) },
            .fixture("pinned-new") { ($0.isPinned, $0.createdAt) = (true, now - 50) }
        )
        let expected = ["pinned-new", "pinned-old", "important", "new", "old", "a", "b"]
        #expect(state.visible(at: now).map(\.id) == expected)
    }

    @Test("asks for everything once after the clock was ahead, since cards that seemed to have expired are gone")
    func clockAhead() {
        var state = state(.fixture("a") { $0.expiresAt = now + 86_400 })
        state.merge(SyncReply(cursor: "2", replaces: false, cards: []), at: now + 2 * 86_400)
        #expect(state.visible(at: now).isEmpty)
        #expect(state.cursor(at: now + 2 * 86_400) == "2")
        #expect(state.cursor(at: now + 2 * 86_400 - 30) == "2", "Clocks are put right by seconds all the time.")
        #expect(state.cursor(at: now) == nil)
        var late = state
        late.merge(SyncReply(cursor: "3", replaces: false, cards: []), at: now)
        #expect(late.cursor(at: now) == nil, "The reply was asked for when the clock was ahead.")
        state.merge(SyncReply(cursor: "3", replaces: true, cards: [.fixture("a")]), at: now)
        #expect(state.cursor(at: now) == "3")
    }

    @Test("takes changes, additions and removals without touching the rest, test cards included")
    func delta() {
        var state = state(.fixture("a"), .fixture("b"), .fixture("test") { $0.isTest = true })
        let changed = ContentCard.fixture("b") { $0.title = "changed" }
        let reply = SyncReply(cursor: "2", replaces: false, cards: [changed, .fixture("c")], removed: ["a"])
        let isNews = state.merge(reply, at: now)
        #expect(isNews)
        #expect(Set(state.visible(at: now).map(\.id)) == ["b", "c", "test"])
        #expect(state.card(id: "b")?.title == "changed")
        #expect(state.cursor == "2")
    }

    @Test("says that nothing changed when nothing did, and notes the sync all the same")
    func unchanged() {
        var state = state(.fixture("a"))
        let isNews = state.merge(SyncReply(cursor: "1", replaces: false, cards: []), at: now + 5)
        #expect(!isNews)
        #expect(state.lastSync == now + 5)
    }

    @Test("joins what was done here with what was done elsewhere")
    func flags() {
        var state = state(.fixture("a"))
        state.mark(.impression, id: "a")
        let elsewhere = ContentCard.fixture("a") { $0.isClicked = true }
        state.merge(SyncReply(cursor: "2", replaces: true, cards: [elsewhere]), at: now)
        #expect(state.card(id: "a")?.isViewed == true)
        #expect(state.card(id: "a")?.isClicked == true)
    }

    @Test("never shows a dismissed card again, not even after it was gone in between")
    func dismissed() {
        var state = state(.fixture("a"))
        let news = [state.mark(.dismissal, id: "a"), state.mark(.dismissal, id: "a")]
        #expect(news == [true, false])
        state.merge(SyncReply(cursor: "2", replaces: true, cards: []), at: now)
        state.merge(SyncReply(cursor: "3", replaces: true, cards: [.fixture("a")]), at: now)
        #expect(state.visible(at: now).isEmpty)
    }

    @Test("drops a card at the very moment it expires, and knows when that is")
    func expiry() {
        let state = state(.fixture("a") { $0.expiresAt = now + 60 }, .fixture("b"))
        #expect(state.nextExpiry(after: now) == now + 60)
        #expect(state.visible(at: now + 59.9).count == 2)
        #expect(state.visible(at: now + 60).map(\.id) == ["b"])
        #expect(state.nextExpiry(after: now + 60) == nil)
    }

    @Test("keeps a card visible again when the clock is set back before its expiry")
    func clockBack() {
        let state = state(.fixture("a") { $0.expiresAt = now + 60 })
        #expect(state.visible(at: now + 100).isEmpty)
        #expect(state.visible(at: now).count == 1)
    }

    @Test("counts control cards, and not as unviewed; dismissed and expired cards count nowhere")
    func counts() {
        let feed = CardFeed(
            cards: ContentCard.fixtures + [
                .fixture("viewed") { $0.isViewed = true },
                .fixture("gone") { $0.isDismissed = true },
                .fixture("over") { $0.expiresAt = now },
                .fixture("strange") { $0.kind = .unknown("hologram") },
            ],
            at: now
        )
        #expect(feed.count == 6)
        #expect(feed.unviewedCount == 3)
        #expect(feed.presentableCards.count == 4)
    }

    @Test("is empty to the eye when it has control cards only")
    func controlOnly() {
        let feed = CardFeed(cards: [.fixture("c") { $0.kind = .control }], at: now)
        #expect(feed.isEmpty)
        #expect(feed.count == 1)
    }

    @Test("survives the way to the disk and back, and asks for everything again after an update of the SDK")
    func cache() throws {
        var before = state(
            .fixture("a"),
            .fixture("b") {
                ($0.expiresAt, $0.priority, $0.extras) = (now + 0.125, -3, ["k": "日本"])
                ($0.kind, $0.imageAspectRatio, $0.language) = (.unknown("x"), 1.5, "ja")
                ($0.opensInWebView, $0.isPinned, $0.isTest, $0.isDismissible) = (true, true, true, false)
            }
        )
        before.mark(.dismissal, id: "a")
        var cached = CachedFeed(user: "u", state: before)
        let restored = try #require(Envelope.open(Envelope.seal(cached.bytes), CachedFeed.init))
        #expect(restored.state == before)
        #expect(restored.state.ordered.map(\.isDismissed).contains(true))
        cached.version = "0.9"
        #expect(cached.state.cursor == nil)
        #expect(cached.state.ordered == before.ordered)
    }
}
