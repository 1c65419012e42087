import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@MainActor
@Suite("Clicks in a feed")
struct FeedClickTests {
    private static let cards: [ContentCard] = [
        .fixture("pinned") {
            $0.isPinned = true
            $0.isDismissible = false
        },
        .fixture("control") {
            $0.kind = .control
            $0.priority = 3
        },
        .fixture("fresh") { $0.priority = 2 },
    ]

    final class Delegate: ContentCardsTableViewControllerDelegate {
        var isFeedToHandle = true
        var handled: [URL] = []

        func contentCardTableViewController(
            _ viewController: ContentCardsTableViewController,
            shouldHandleCardClick url: URL
        ) -> Bool { isFeedToHandle }

        func contentCardTableViewController(
            _ viewController: ContentCardsTableViewController,
            didHandleCardClick url: URL
        ) {
            handled.append(url)
        }
    }

    @Test("opens an address, logs the click and tells the delegate")
    func click() async throws {
        let harness = try await FeedHarness(Self.cards)
        let feed = harness.makeFeed()
        let delegate = Delegate()
        feed.clickDelegate = delegate
        harness.show(feed)
        harness.tap(try #require(harness.cell(feed, 2)).nodeID)
        #expect(harness.source.log.clicks == ["fresh"])
        #expect(harness.opened == ["https://shop.example/fresh"])
        #expect(delegate.handled.count == 1)
        #expect(harness.cell(feed, 2)?.unviewedLineView.isHidden == true)
    }

    @Test("counts a card as seen before the click where nobody had the time to see it, once a presentation")
    func impressionFirst() async throws {
        let harness = try await FeedHarness(Self.cards)
        let feed = harness.makeFeed()
        harness.show(feed)
        harness.scroll(feed, to: 0)
        #expect(harness.source.log.impressions.isEmpty)
        let cell = try #require(harness.cell(feed, 2))
        harness.tap(cell.nodeID)
        #expect(harness.source.log.impressions == ["fresh"] && harness.source.log.clicks == ["fresh"])
        #expect(harness.client.feed.card(id: "fresh")?.isViewed == true)
        harness.tap(cell.nodeID)
        await harness.pass(0.1)
        #expect(harness.source.log.impressions.count { $0 == "fresh" } == 1)
    }

    @Test("counts no card as seen that the app itself clicks")
    func clickedByApp() async throws {
        let harness = try await FeedHarness(Self.cards)
        let feed = harness.makeFeed()
        harness.show(feed)
        feed.handleCardClick(Self.cards[2])
        #expect(harness.source.log.impressions.isEmpty && harness.source.log.clicks == ["fresh"])
        #expect(harness.client.feed.card(id: "fresh")?.isViewed == false)
    }

    @Test("takes a touch on a card as a click, and one beside it as none")
    func touchBesideCard() async throws {
        let harness = try await FeedHarness(Self.cards)
        let feed = harness.makeFeed()
        harness.show(feed)
        let cell = try #require(harness.cell(feed, 2) as? ClassicContentCardCell)
        for element in [cell.nodeID, cell.contentView.nodeID, "v0", "\(cell.nodeID).swipe0"] {
            harness.tap(cell.nodeID, touching: element)
        }
        #expect(harness.source.log.clicks.isEmpty)
        harness.tap(cell.nodeID, touching: cell.titleLabel.nodeID)
        harness.tap(cell.nodeID, touching: cell.rootView.nodeID)
        #expect(harness.source.log.clicks == ["fresh", "fresh"])
        harness.tap("\(cell.nodeID).swipe0", touching: "\(cell.nodeID).swipe0")
        #expect(harness.source.log.dismissals == ["fresh"])
    }

    @Test("opens a page in front of what the app presents over the feed")
    func pageInFront() async throws {
        let card = ContentCard.fixture("web") {
            $0.urlString = "https://shop.example/"
            $0.opensInWebView = true
        }
        let harness = try await FeedHarness([card])
        let (feed, sheet) = (harness.makeFeed(), UIViewController())
        harness.show(feed)
        feed.present(sheet, animated: false)
        feed.handleCardClick(card)
        let page = sheet.presentedViewController as? UINavigationController
        #expect(page?.topViewController is ContentCardsWebViewController && harness.source.log.clicks == ["web"])
    }

    @Test("opens a page in front of what lies over its navigation controller, and pushes it once that is gone")
    func pageInFrontOfNavigation() async throws {
        let card = ContentCard.fixture("web") { $0.opensInWebView = true }
        let harness = try await FeedHarness([card])
        let (feed, sheet) = (harness.makeFeed(), UIViewController())
        let navigation = UINavigationController(rootViewController: feed)
        harness.show(navigation)
        navigation.present(sheet, animated: false)
        feed.handleCardClick(card)
        let page = (sheet.presentedViewController as? UINavigationController)?.topViewController
        #expect((page as? ContentCardsWebViewController)?.showDoneButton == true)
        #expect(navigation.topViewController === feed)
        navigation.dismiss(animated: false)
        #expect(navigation.presentedViewController == nil)
        feed.handleCardClick(card)
        #expect(navigation.topViewController is ContentCardsWebViewController)
    }

    @Test("logs but opens nothing when the delegate or the app takes the click")
    func interceptedClick() async throws {
        let harness = try await FeedHarness(Self.cards)
        let feed = harness.makeFeed()
        let delegate = Delegate()
        delegate.isFeedToHandle = false
        feed.clickDelegate = delegate
        var asked: [String] = []
        feed.urlHandler = { url, card in
            asked.append(card.id + " " + url.absoluteString)
            return true
        }
        harness.show(feed)
        feed.handleCardClick(Self.cards[2])
        #expect(asked.isEmpty)
        delegate.isFeedToHandle = true
        feed.handleCardClick(Self.cards[2])
        #expect(asked == ["fresh https://shop.example/fresh"])
        #expect(harness.source.log.clicks.count == 2)
        #expect(harness.opened.isEmpty)
        #expect(delegate.handled.isEmpty)
    }

    @Test("neither logs nor opens what must not be opened", arguments: [nil, " ", "javascript:alert(1)", "data:,x"])
    func refusedClick(text: String?) async throws {
        let harness = try await FeedHarness([.fixture("a") { $0.urlString = text }])
        let feed = harness.makeFeed()
        harness.show(feed)
        harness.tap(try #require(harness.cell(feed, 0)).nodeID)
        #expect(harness.source.log.clicks.isEmpty)
        #expect(harness.opened.isEmpty)
    }

    @Test("pushes a page, or presents it where there is no navigation controller")
    func webPage() async throws {
        let card = ContentCard.fixture("a") { $0.opensInWebView = true }
        let harness = try await FeedHarness([card])
        let pushed = harness.makeFeed()
        let navigation = UINavigationController(rootViewController: pushed)
        harness.show(navigation)
        pushed.handleCardClick(card)
        #expect((navigation.topViewController as? ContentCardsWebViewController)?.url == card.url)
        let alone = harness.makeFeed()
        harness.show(alone)
        alone.handleCardClick(card)
        let presented = alone.presentedViewController as? UINavigationController
        let page = presented?.topViewController as? ContentCardsWebViewController
        #expect(page?.navigationItem.rightBarButtonItem != nil)
    }
}
