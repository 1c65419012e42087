import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@MainActor
@Suite("A feed among other screens", .timeLimit(.minutes(5)))
struct FeedAmongScreensTests {
    /// Shows a tab, and lets what is on it count.
    private func show(
        _ index: Int,
        of tabs: UITabBarController,
        _ feed: ContentCardsTableViewController,
        _ harness: FeedHarness
    ) async {
        tabs.selectedIndex = index
        harness.draw()
        harness.scroll(feed, to: 0)
        await harness.pass(0.1)
    }

    @Test("logs nothing in a tab that is not shown, although it has its view, and each time what is there once it is")
    func hiddenTab() async throws {
        let harness = try await FeedHarness([.fixture("a")])
        let feed = harness.makeFeed()
        let tabs = UITabBarController()
        tabs.viewControllers = [UIViewController(), feed]
        harness.show(tabs)
        feed.loadViewIfNeeded()
        harness.scroll(feed, to: 0)
        harness.clock.advance(by: 5)
        feed.impressions.update()
        #expect(harness.source.log.impressions.isEmpty && harness.source.log.refreshes.isEmpty)
        await show(1, of: tabs, feed, harness)
        #expect(harness.source.log.impressions == ["a"])
        tabs.selectedIndex = 0
        harness.draw()
        harness.answer.change { $0 = .sync([.fixture("a"), .fixture("b")], cursor: "2") }
        try await harness.client.refresh()
        harness.clock.advance(by: 5)
        feed.impressions.update()
        #expect(harness.source.log.impressions == ["a"])
        await show(1, of: tabs, feed, harness)
        #expect(harness.source.log.impressions == ["a", "a", "b"])
    }

    @Test("shows as seen what another feed has shown, which counts once as unviewed, and not what was dismissed there")
    func twoFeeds() async throws {
        let harness = try await FeedHarness([.fixture("a")])
        let (first, second) = (harness.makeFeed(), harness.makeFeed())
        let tabs = UITabBarController()
        tabs.viewControllers = [first, second]
        harness.show(tabs)
        second.loadViewIfNeeded()
        #expect(harness.client.feed.unviewedCount == 1 && harness.client.feed.count == 1)
        await show(0, of: tabs, first, harness)
        #expect(harness.source.log.impressions == ["a"])
        #expect(harness.client.feed.unviewedCount == 0)
        await show(1, of: tabs, second, harness)
        #expect(harness.source.log.impressions == ["a", "a"])
        #expect(harness.client.feed.unviewedCount == 0 && harness.client.feed.count == 1)
        #expect(harness.cell(second, 0)?.unviewedLineView.isHidden == true)
        second.dismissCard(at: IndexPath(row: 0, section: 0))
        tabs.selectedIndex = 0
        harness.draw()
        #expect(first.displayedCards.isEmpty && first.tableView.backgroundView === first.emptyFeedView)
        #expect(harness.source.log.dismissals == ["a"] && harness.client.feed.count == 0)
    }

    @Test("goes with the screen that it leaves, also while it waits for an answer")
    func released() async throws {
        let harness = try await FeedHarness([.fixture("a"), .fixture("b")])
        let navigation = UINavigationController(rootViewController: UIViewController())
        harness.show(navigation)
        harness.transport.answer("v1/sync") { _ in
            try await Task.sleep(nanoseconds: .max / 2)
            return .sync()
        }
        weak var left: ContentCardsTableViewController?
        do {
            let shown = harness.makeFeed()
            navigation.pushViewController(shown, animated: false)
            harness.draw()
            harness.scroll(shown, to: 0)
            shown.pulled()
            #expect(!shown.tableView.visibleCells.isEmpty && shown.refreshTask != nil)
            left = shown
        }
        navigation.popViewController(animated: false)
        harness.draw()
        let isGone = await harness.settle { left == nil }
        #expect(isGone)
        #expect(harness.client.feed.count == 2)
    }
}
