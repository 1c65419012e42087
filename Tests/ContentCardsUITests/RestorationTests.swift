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
        let feed = ContentCardsTableViewController(source: harness.source, clock: harness.clock)
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
