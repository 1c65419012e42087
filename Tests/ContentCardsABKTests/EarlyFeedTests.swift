import BrowserUIKit
import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCardsABK

extension SharedInstanceTests {
    @Suite("A feed that a storyboard makes before the SDK is started")
    @MainActor
    struct EarlyFeeds {
        init() {
            Appboy.run.withLock { $0 = AppRun() }
        }

        @Test("shows the cards of the instance that is started later, once it appears, and logs by it")
        func beforeAppearing() async {
            let feed = ABKContentCardsTableViewController()
            let harness = await Harness([.fixture("a")])
            await harness.refresh()
            let screen = harness.show(feed)
            #expect(feed.displayedCards.map(\.id) == ["a"])
            let live = harness.appboy.contentCardsController.contentCards.first
            #expect(feed.cards?.firstObject as? ABKContentCard === live)
            feed.tableView(feed.tableView, didSelectRowAt: IndexPath(row: 0, section: 0))
            screen.drawIfNeeded()
            #expect(harness.appboy.contentCardsController.contentCards.first?.clicked == true)
            await harness.stop()
        }

        @Test("is empty on screen, and follows the instance once that is started")
        func onScreen() async {
            let feed = ABKContentCardsTableViewController()
            let screen = BrowserScreen { feed }
            screen.drawIfNeeded()
            #expect(feed.displayedCards.isEmpty)
            let harness = await Harness([.fixture("a")])
            await harness.refresh()
            await harness.settle { !feed.displayedCards.isEmpty }
            #expect(feed.displayedCards.map(\.id) == ["a"])
            Appboy.wipeDataAndDisableForAppRun()
            await harness.settle { feed.displayedCards.isEmpty }
            #expect(feed.displayedCards.isEmpty)
            Appboy.run.withLock { $0 = AppRun() }
            await harness.stop()
        }
    }
}
