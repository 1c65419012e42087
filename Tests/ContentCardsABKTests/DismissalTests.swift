import BrowserUIKit
import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCardsABK

extension SharedInstanceTests {
    @Suite("A card that the user dismisses in a feed")
    @MainActor
    struct DismissedInFeed {
        init() {
            Appboy.run.withLock { $0 = AppRun() }
        }

        @Test("is gone from the cards of the feed as soon as from its rows")
        func cards() async {
            let harness = await Harness([.fixture("a"), .fixture("b")])
            await harness.refresh()
            let feed = ABKContentCardsTableViewController()
            let screen = harness.show(feed)
            #expect(feed.cards?.count == 2)
            feed.tableView(feed.tableView, commit: .delete, forRowAt: IndexPath(row: 0, section: 0))
            let ids = feed.cards?.compactMap { ($0 as? ABKContentCard)?.idString }
            #expect(ids?.count == 1 && ids == feed.displayedCards.map(\.id))
            screen.drawIfNeeded()
            await harness.stop()
        }
    }
}
