import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@MainActor
@Suite("A feed that stays where it is", .timeLimit(.minutes(1)))
struct StayingFeedTests {
    @Test("goes on as it was when a gesture that would have left it is let go: nothing counts, asks or loads again")
    func cancelledGesture() async throws {
        let harness = try await FeedHarness(FeedHarness.mixedCards)
        let feed = harness.makeFeed()
        harness.show(feed)
        harness.scroll(feed, to: 0)
        await harness.pass(0.1)
        feed.cacheTimeout = 0
        let cell = harness.cell(feed, 2)
        // The order in which UIKit calls: the feed has never disappeared.
        feed.viewWillDisappear(true)
        feed.viewWillAppear(true)
        feed.viewDidAppear(true)
        harness.draw()
        harness.clock.advance(by: 1)
        harness.scroll(feed, to: 0)
        #expect(harness.source.log.impressions == ["pinned", "control", "fresh", "old"])
        #expect(harness.source.log.refreshes.isEmpty)
        #expect(harness.cell(feed, 2) === cell)
        feed.viewWillDisappear(true)
        feed.viewDidDisappear(true)
        feed.viewWillAppear(true)
        feed.viewDidAppear(true)
        harness.draw()
        await harness.pass(0.1)
        #expect(harness.source.log.impressions.count == 8)
    }

    @Test("leaves its cells as they are after a refresh that changes nothing, and when it comes back to the screen")
    func nothingNew() async throws {
        let harness = try await FeedHarness(FeedHarness.mixedCards)
        let feed = harness.makeFeed()
        harness.show(feed)
        harness.scroll(feed, to: 0)
        await harness.pass(0.1)
        let table = try #require(feed.tableView)
        feed.pulled()
        #expect(await harness.settle { feed.refreshTask == nil })
        #expect(!table.needsReload)
        #expect(harness.cell(feed, 2)?.unviewedLineView.isHidden == true)
        feed.disappear(animated: false)
        feed.appear(animated: false)
        #expect(!table.needsReload)
        let cards = FeedHarness.mixedCards + [.fixture("new") { $0.priority = 5 }]
        harness.answer.change { $0 = .sync(cards, cursor: "2") }
        try await harness.client.refresh()
        #expect(await harness.settle { feed.displayedCards.count == 5 })
        #expect(!table.needsReload)
    }

    @Test("says how many cards a refresh has brought, though the refresh and the feed both tell of them")
    func announcement() async throws {
        let harness = try await FeedHarness([.fixture("a")])
        let feed = harness.makeFeed()
        harness.show(feed)
        var announced: [String] = []
        harness.screen?.send = { data in
            let message = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
            if let text = message?["announce"] as? String { announced.append(text) }
        }
        // Nobody follows the feed but the refresh itself, as where its end comes first.
        feed.updatesTask?.cancel()
        harness.answer.change { $0 = .sync([.fixture("a"), .fixture("b")], cursor: "2") }
        feed.pulled()
        #expect(await harness.settle { feed.refreshTask == nil })
        harness.draw()
        #expect(announced == [ContentCardsText.newCards(1, languages: feed.traitCollection.languages)])
        feed.feedChanged()
        harness.draw()
        #expect(announced.count == 1)
    }

    @Test("remembers how high the rows of its cards were, by card, until they are as wide no more")
    func rememberedHeights() async throws {
        let harness = try await FeedHarness(FeedHarness.mixedCards)
        let feed = harness.makeFeed()
        harness.show(feed)
        func estimate(_ row: Int) -> CGFloat {
            feed.tableView(feed.tableView, estimatedHeightForRowAt: IndexPath(row: row, section: 0))
        }
        #expect(estimate(2) == 400)
        harness.scroll(feed, to: 0, rows: 230)
        #expect([0, 2, 3].map(estimate) == [230, 230, 230])
        #expect(estimate(1) == 0.5)
        let cards = FeedHarness.mixedCards + [.fixture("new") { $0.priority = 5 }]
        harness.answer.change { $0 = .sync(cards, cursor: "2") }
        try await harness.client.refresh()
        #expect(await harness.settle { feed.displayedCards.count == 5 })
        let new = try #require(feed.displayedCards.firstIndex { $0.id == "new" })
        #expect(estimate(new) == 400)
        #expect((0..<5).count { estimate($0) == 230 } == 3)
    }

    @Test("heights are remembered while rows are as wide and texts as large, and of no more than a thousand cards")
    func heights() {
        var heights = RowHeights()
        let conditions = RowHeights.Conditions(width: 390, textSize: "L")
        for number in 0..<RowHeights.limit {
            heights.note(CGFloat(number + 1), of: BytewiseText("c\(number)"), under: conditions)
        }
        heights.note(.infinity, of: BytewiseText("c0"), under: conditions)
        heights.note(0, of: BytewiseText("c0"), under: conditions)
        #expect(heights.height(of: BytewiseText("c0"), under: conditions) == 1)
        #expect(heights.height(of: BytewiseText("c0"), under: .init(width: 800, textSize: "L")) == nil)
        heights.note(7, of: BytewiseText("c0"), under: conditions)
        #expect(heights.height(of: BytewiseText("c1"), under: conditions) == 2)
        heights.note(9, of: BytewiseText("one more"), under: conditions)
        #expect(heights.height(of: BytewiseText("c1"), under: conditions) == nil)
        #expect(heights.height(of: BytewiseText("one more"), under: conditions) == 9)
        heights.note(5, of: BytewiseText("c1"), under: .init(width: 390, textSize: "XL"))
        #expect(heights.height(of: BytewiseText("one more"), under: conditions) == nil)
    }
}
