import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@MainActor
@Suite("A feed whose user changes")
struct FeedUserTests {
    @Test("shows no card of the user of before, also where the next one's can't be had")
    func emptied() async throws {
        let harness = try await FeedHarness([.fixture("a")])
        let feed = harness.makeFeed()
        harness.show(feed)
        #expect(feed.displayedCards.map(\.id) == ["a"])
        harness.answer.change { $0 = nil }
        await harness.client.identify("other")
        #expect(await harness.settle { feed.displayedCards.isEmpty })
        harness.draw()
        #expect(feed.tableView.numberOfRows(inSection: 0) == 0)
        #expect(feed.tableView.backgroundView === feed.emptyFeedView)
        feed.dismissCard(at: IndexPath(row: 0, section: 0))
        #expect(harness.source.log.dismissals.isEmpty)
    }

    @Test("counts what the next user sees as well, though their cards have the IDs of those before")
    func impressions() async throws {
        let harness = try await FeedHarness([.fixture("a")])
        let feed = harness.makeFeed()
        harness.show(feed)
        harness.scroll(feed, to: 0)
        await harness.pass(0.1)
        #expect(harness.source.log.impressions == ["a"])
        await harness.client.identify("other")
        let hasCome = await harness.settle {
            harness.client.feed.lastSync != nil && feed.shownUser == "other" && feed.displayedCards.count == 1
        }
        #expect(hasCome)
        harness.draw()
        harness.scroll(feed, to: 0)
        #expect(harness.source.log.impressions == ["a"])
        await harness.pass(0.1)
        #expect(harness.source.log.impressions == ["a", "a"])
        #expect(harness.client.feed.userID == "other" && harness.client.feed.card(id: "a")?.isViewed == true)
    }

    @Test("shows their cards as unread by what they have seen, not by what the user before has seen")
    func marks() async throws {
        let harness = try await FeedHarness([])
        let now = harness.clock.now
        let source = SwitchedSource(CardFeed(userID: "ann", cards: [.fixture("a")], lastSync: now, at: now))
        let feed = ContentCardsTableViewController(source: source, clock: harness.clock)
        harness.show(feed)
        harness.scroll(feed, to: 0)
        await harness.pass(0.1)
        #expect(feed.marks.ids == ["a"])
        let seen = ContentCard.fixture("a") { $0.isViewed = true }
        source.show(CardFeed(userID: "bea", cards: [seen], lastSync: now, at: now))
        let hasCome = await harness.settle { feed.shownUser == "bea" }
        #expect(hasCome)
        harness.draw()
        #expect(feed.marks.ids.isEmpty && harness.cell(feed, 0)?.isViewed == true)
    }
}

/// Shows one feed after another, as a client does that has them in its files.
private final class SwitchedSource: CardFeedSource {
    private let current: Guarded<CardFeed>
    private let continuation: AsyncStream<CardFeed>.Continuation
    let updates: AsyncStream<CardFeed>

    init(_ feed: CardFeed) {
        current = Guarded(feed)
        let (stream, continuation) = AsyncStream.makeStream(of: CardFeed.self)
        updates = stream
        self.continuation = continuation
    }

    var feed: CardFeed { current.value }

    func show(_ feed: CardFeed) {
        current.change { $0 = feed }
        continuation.yield(feed)
    }

    func refresh(_ reason: SyncReason) async throws(ContentCardsError) {}
    func logImpression(_ card: ContentCard) -> Bool { true }
    func logClick(_ card: ContentCard, customAction: Bool) -> Bool { true }
    func logDismissal(_ card: ContentCard) -> Bool { true }
}
