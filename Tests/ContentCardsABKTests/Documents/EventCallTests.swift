import BrowserUIKit
import ContentCards
import ContentCardsABK
import ContentCardsTesting
import Foundation
import Testing

extension SharedInstanceTests {
    @Suite("The methods of the documents")
    @MainActor
    struct DocumentedMethods {
        @Test("log impressions each time, clicks with a url alone and dismissals once")
        func logging() async throws {
            let harness = await Harness([.fixture("a"), .fixture("b") { $0.urlString = nil }])
            await harness.refresh()
            let cards = harness.appboy.contentCardsController.contentCards
            let card = try #require(cards.first { $0.idString == "a" })
            let silent = try #require(cards.first { $0.idString == "b" })
            card.logContentCardImpression()
            card.logContentCardImpression()
            card.logContentCardClicked()
            silent.logContentCardClicked()
            #expect(card.viewed && card.clicked && !silent.clicked)
            #expect(harness.appboy.contentCardsController.unviewedContentCardCount() == 1)
            card.logContentCardDismissed()
            card.logContentCardDismissed()
            #expect(await harness.delivered() == ["impression", "impression", "click", "dismissal"])
            #expect(card.dismissed)
            #expect(harness.appboy.contentCardsController.contentCards == [silent])
            await harness.stop()
        }

        @Test("log once that a feed was displayed, also when a gesture that would have left it is let go")
        func displayedOnce() async {
            let harness = await Harness([.fixture("a")])
            await harness.refresh()
            let feed = ABKContentCardsTableViewController()
            let screen = harness.show(feed)
            feed.viewWillDisappear(true)
            feed.viewWillAppear(true)
            feed.viewDidAppear(true)
            screen.drawIfNeeded()
            await harness.settle()
            #expect(await harness.sent().map(\.members["name"]) == [.string("content_cards_displayed")])
            await harness.stop()
        }

        @Test("log custom events, purchases and that a feed was displayed")
        func events() async {
            let harness = await Harness()
            harness.appboy.logCustomEvent("Added item to cart", withProperties: ["price": 3, "gift": true])
            harness.appboy.logPurchase("shoe", inCurrency: "USD", atPrice: NSDecimalNumber(string: "9.99"))
            harness.appboy.logContentCardsDisplayed()
            #expect(await harness.delivered() == ["custom", "purchase", "custom"])
            await harness.stop()
        }
    }
}
