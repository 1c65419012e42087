import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@MainActor
@Suite("A feed that is refreshed", .timeLimit(.minutes(1)))
struct FeedRefreshTests {
    private func cards(_ ids: String) -> [ContentCard] {
        ids.enumerated().map { place, id in .fixture(String(id)) { $0.priority = -place } }
    }

    @Test(
        "asks for cards when it opens and the last sync is older than a minute, whichever way the clock was set",
        arguments: [(59.0, false), (60, false), (61, true), (-59, false), (-61, true)]
    )
    func timeout(seconds: TimeInterval, asks: Bool) async throws {
        let harness = try await FeedHarness(cards("a"))
        harness.clock.jump(by: seconds)
        let feed = harness.makeFeed()
        harness.show(feed)
        #expect((feed.refreshTask != nil) == asks)
        #expect(await harness.settle { feed.refreshTask == nil })
        let refreshes: [SyncReason] = asks ? [.feedOpened] : []
        #expect(harness.source.log.refreshes == refreshes)
    }

    @Test("asks in the name of the user where the app has set a shorter timeout, which the client would not obey")
    func shortTimeout() async throws {
        let harness = try await FeedHarness(cards("a"))
        harness.clock.jump(by: 11)
        let feed = harness.makeFeed()
        feed.cacheTimeout = 10
        harness.show(feed)
        #expect(await harness.settle { feed.refreshTask == nil })
        #expect(harness.source.log.refreshes == [.manual])
    }

    @Test("calls a refresh that the server put off no failure, and one that it could not answer one")
    func putOff() async throws {
        let refusals: [(TransportResponse?, ContentCardsText)] = [
            (.failure(429, code: "rate_limited", retryAfter: "60"), .empty), (.failure(500, code: "internal"), .failed),
            (nil, .failed), (.json("<html>"), .failed),
        ]
        for (answer, text) in refusals {
            let harness = try await FeedHarness([])
            let feed = harness.makeFeed()
            harness.show(feed)
            #expect(feed.emptyFeedLabel.text == feed.localizedString(.empty))
            harness.answer.change { $0 = answer }
            feed.refreshControl?.beginRefreshing()
            feed.pulled()
            #expect(await harness.settle { feed.refreshTask == nil })
            #expect(feed.refreshControl?.isRefreshing == false)
            #expect(feed.emptyFeedLabel.text == feed.localizedString(text))
            #expect(feed.retryButton.isHidden == (text == .empty))
        }
    }

    @Test("can be pulled while it is empty, which ends where no card comes and shows the one that does")
    func emptyPull() async throws {
        let harness = try await FeedHarness([])
        let feed = harness.makeFeed()
        harness.show(feed)
        let control = try #require(feed.refreshControl)
        for ids in ["", "a"] {
            let cards = cards(ids)
            harness.answer.change { $0 = .sync(cards, cursor: ids + "!") }
            harness.screen?.handle(BrowserEvent(control.nodeID, .refresh))
            #expect(control.isRefreshing)
            #expect(await harness.settle { !control.isRefreshing })
            harness.draw()
            #expect(feed.displayedCards.count == ids.count)
            #expect((feed.tableView.backgroundView === feed.emptyFeedView) == ids.isEmpty)
        }
        #expect(harness.source.log.refreshes == [.pulled, .pulled])
    }

    @Test("calls it a failure where the server put off each refresh of a feed that never had an answer")
    func putOffFromTheBeginning() async throws {
        let harness = try await FeedHarness(nil)
        harness.answer.change { $0 = .failure(503, code: "unavailable", retryAfter: "60") }
        let feed = harness.makeFeed()
        harness.show(feed)
        #expect(await harness.settle { feed.refreshTask == nil })
        for _ in 0..<2 {
            #expect(feed.emptyFeedLabel.text == feed.localizedString(.failed))
            #expect(!feed.retryButton.isHidden)
            feed.refreshCards(.manual)
            #expect(await harness.settle { feed.refreshTask == nil })
        }
    }

    @Test("ends with the last of two pulls, whose outcome alone counts")
    func twoPulls() async throws {
        let harness = try await FeedHarness(cards("a"))
        let feed = harness.makeFeed()
        harness.show(feed)
        harness.transport.answer("v1/sync") { _ in
            try await Task.sleep(nanoseconds: .max / 2)
            return .sync()
        }
        feed.refreshControl?.beginRefreshing()
        feed.pulled()
        let first = try #require(feed.refreshTask)
        feed.pulled()
        await first.value
        #expect(feed.refreshTask != nil)
        #expect(feed.refreshControl?.isRefreshing == true)
        await harness.clock.waitForSleeper(of: feed.attributes.refreshTimeout)
        harness.clock.advance(by: feed.attributes.refreshTimeout)
        #expect(await harness.settle { feed.refreshTask == nil })
        #expect(feed.refreshControl?.isRefreshing == false)
        #expect(feed.displayedCards.map(\.id) == ["a"])
    }

    @Test("shows what there still is where a refresh takes cards away while it is scrolled down")
    func fewerCards() async throws {
        let harness = try await FeedHarness(cards("abcdefghijklmnopqrstuvwxyz"))
        let feed = harness.makeFeed()
        harness.show(feed)
        for offset in stride(from: 0, through: 4_400, by: 400) { harness.scroll(feed, to: CGFloat(offset)) }
        for left in ["az", "z", ""] {
            let rest = cards(left)
            harness.answer.change { $0 = .sync(rest, cursor: left + "!") }
            try await harness.client.refresh()
            #expect(await harness.settle { feed.displayedCards.count == left.count })
            harness.draw()
            #expect(feed.tableView.numberOfRows(inSection: 0) == left.count)
            #expect((feed.tableView.backgroundView == nil) == !left.isEmpty)
        }
    }

    @Test(
        "dismisses no other card than the one whose button was touched, where rows have changed since it was drawn",
        arguments: [("xabc", ["b"]), ("xyabc", [])]
    )
    func dismissalBesideRefresh(ids: String, dismissed: [String]) async throws {
        let harness = try await FeedHarness(cards("abc"))
        let feed = harness.makeFeed()
        harness.show(feed)
        let cell = try #require(harness.cell(feed, 1))
        let (shown, swipe) = (cell.shownCard?.id, "\(cell.nodeID).swipe0")
        #expect(shown == "b")
        let more = cards(ids)
        harness.answer.change { $0 = .sync(more, cursor: "2") }
        try await harness.client.refresh()
        #expect(await harness.settle { feed.displayedCards.count == more.count })
        // The button has moved with its card, or is none any more where the card's row has no cell.
        harness.tap(swipe)
        #expect(harness.source.log.dismissals == dismissed)
        let rest = more.map(\.id).filter { !dismissed.contains($0) }
        #expect(feed.displayedCards.map(\.id) == rest)
        let present = try #require(harness.cell(feed, 0))
        harness.tap("\(present.nodeID).swipe0")
        #expect(harness.source.log.dismissals == dismissed + ["x"])
        #expect(feed.displayedCards.map(\.id) == Array(rest.dropFirst()))
        let dismissals = harness.source.log.dismissals
        for row in [rest.count - 1, 400] { feed.dismissCard(at: IndexPath(row: row, section: 0)) }
        #expect(harness.source.log.dismissals == dismissals)
    }

    @Test("asks neither for rows that are gone nor for what they would show")
    func absentRows() async throws {
        let harness = try await FeedHarness(cards("a"))
        let feed = harness.makeFeed()
        harness.show(feed)
        let table = try #require(feed.tableView)
        for row in [1, 7] {
            let path = IndexPath(row: row, section: 0)
            #expect(feed.tableView(table, cellForRowAt: path) is ControlCardCell)
            #expect(!feed.tableView(table, canEditRowAt: path))
            #expect(!feed.tableView(table, shouldHighlightRowAt: path))
            #expect(feed.tableView(table, heightForRowAt: path) == feed.slotHeight)
            feed.choseCard(at: path)
        }
        feed.sawCard(id: "gone")
        #expect(!feed.isVisible("gone"))
        #expect(harness.source.log.clicks.isEmpty)
        #expect(harness.source.log.impressions.isEmpty)
    }
}
