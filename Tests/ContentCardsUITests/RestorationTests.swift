import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@MainActor
@Suite("The state of an app that is restored")
struct RestorationTests {
    /// Writes an archive, and returns what reads it.
    private func coder(_ write: (NSCoder) -> Void = { _ in }) throws -> NSKeyedUnarchiver {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        write(archiver)
        archiver.finishEncoding()
        return try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    }

    @Test("names rows by their cards, and finds them where they are now")
    func rows() async throws {
        let harness = try await FeedHarness([.fixture("a"), .fixture("b") { $0.priority = -1 }])
        let feed = harness.makeFeed()
        harness.show(feed)
        #expect(feed.tableView.restorationIdentifier != nil)
        let name = feed.modelIdentifierForElement(at: IndexPath(row: 1, section: 0), in: feed.tableView)
        #expect(name == "b")
        #expect(feed.modelIdentifierForElement(at: IndexPath(row: 2, section: 0), in: feed.tableView) == nil)
        harness.answer.change { $0 = .sync([.fixture("b"), .fixture("c") { $0.priority = -1 }]) }
        try await harness.client.refresh()
        #expect(await harness.settle { feed.displayedCards.map(\.id) == ["b", "c"] })
        #expect(feed.indexPathForElement(withModelIdentifier: "b", in: feed.tableView) == IndexPath(row: 0, section: 0))
        #expect(feed.indexPathForElement(withModelIdentifier: "a", in: feed.tableView) == nil)
    }

    private static let cards = (0..<12).map { number in ContentCard.fixture("c\(number)") { $0.priority = -number } }

    private func feed(_ harness: FeedHarness) -> (ContentCardsTableViewController, kept: Guarded<[String?]>) {
        let feed = harness.makeFeed()
        let kept = Guarded<[String?]>([])
        feed.hooks.keepPlace = { id in kept.change { $0.append(id) } }
        return (feed, kept)
    }

    @Test("keeps the card at the top when the feed or the app goes, and none where nothing was scrolled")
    func keepsPlace() async throws {
        let harness = try await FeedHarness(Self.cards)
        let (feed, kept) = feed(harness)
        harness.show(feed)
        harness.scroll(feed, to: 0)
        NotificationCenter.default.post(name: UIScene.didEnterBackgroundNotification, object: nil)
        #expect(kept.value == [nil])
        harness.scroll(feed, to: 0)
        harness.scroll(feed, to: 500)
        NotificationCenter.default.post(name: UIScene.didEnterBackgroundNotification, object: nil)
        #expect(kept.value == [nil, "c2"])
        harness.scroll(feed, to: 600)
        feed.viewDidDisappear(false)
        #expect(kept.value == [nil, "c2", "c3"])
        NotificationCenter.default.post(name: UIScene.didEnterBackgroundNotification, object: nil)
        #expect(kept.value.count == 3)
    }

    @Test("goes to the card that was at the top once there are rows, and only then")
    func restoresPlace() async throws {
        let harness = try await FeedHarness(Self.cards)
        let (feed, kept) = feed(harness)
        feed.hooks.wantedPlace = "c5"
        harness.show(feed)
        #expect(feed.hooks.wantedPlace == "c5" && feed.tableView.contentOffset.y <= 0)
        NotificationCenter.default.post(name: UIScene.didEnterBackgroundNotification, object: nil)
        #expect(kept.value.isEmpty)
        harness.scroll(feed, to: 0)
        harness.draw()
        #expect(feed.hooks.wantedPlace == nil)
        let top = feed.tableView.rectForRow(at: IndexPath(row: 5, section: 0)).minY
        #expect(feed.tableView.contentOffset.y == top - feed.tableView.adjustedContentInset.top)
        harness.scroll(feed, to: 0)
        #expect(feed.tableView.contentOffset.y <= 0)
    }

    @Test("begins at the top where the card is gone", arguments: ["gone", ""])
    func forgetsPlace(_ id: String) async throws {
        let harness = try await FeedHarness(Self.cards)
        let (feed, _) = feed(harness)
        feed.hooks.wantedPlace = id
        harness.show(feed)
        harness.scroll(feed, to: 0)
        #expect(feed.hooks.wantedPlace == nil && feed.tableView.contentOffset.y <= 0)
    }

    @Test("makes feeds of storyboards with the source that the app gives")
    func storyboards() throws {
        let feed = try #require(ContentCardsTableViewController(coder: try coder(), source: PreviewFeed.sample))
        feed.loadViewIfNeeded()
        feed.populateContentCards()
        #expect(feed.displayedCards.count == PreviewFeed.sample.feed.count)
        #expect(ContentCardsTableViewController(coder: try coder()) == nil)
        let modal = try #require(ContentCardsViewController(coder: try coder(), source: PreviewFeed.sample))
        #expect(modal.topViewController === modal.contentCardsViewController)
        #expect(modal.contentCardsViewController.navigationItem.rightBarButtonItem != nil)
    }

    @Test("opens a page again, which has to be one of the web")
    func page() throws {
        func restored(_ text: String) throws -> ContentCardsWebViewController {
            let old = ContentCardsWebViewController(url: try #require(URL(string: text)))
            let state = try coder(old.encodeRestorableState)
            let page = try #require(ContentCardsWebViewController(coder: try coder()))
            page.loadViewIfNeeded()
            page.decodeRestorableState(with: state)
            return page
        }
        let page = try restored("https://shop.example/a")
        #expect(page.url.absoluteString == "https://shop.example/a")
        #expect(page.webView.url == page.url)
        #expect(try restored("file:///etc/passwd").url == nil)
    }
}
