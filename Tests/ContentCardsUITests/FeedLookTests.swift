import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@MainActor
@Suite("The look of a feed", .timeLimit(.minutes(20)))
struct FeedLookTests {
    private static let cards = (0..<3).map { number in ContentCard.fixture("c\(number)") { $0.priority = -number } }

    @Test("changes shadows with the appearance, also under an app's own border, and none that the app has set")
    func shadow() async throws {
        let harness = try await FeedHarness(Self.cards)
        let feed = harness.makeFeed()
        harness.show(feed)
        let cells = try (0..<3).map { try #require(harness.cell(feed, $0)) }
        cells[1].rootView.layer.borderColor = UIColor.purple.cgColor
        cells[2].rootView.layer.shadowColor = UIColor.purple.cgColor
        func white(_ row: Int) -> CGFloat? { cells[row].rootView.layer.shadowColor?.components?.first }
        #expect(white(0) == 178.0 / 255 && white(1) == 178.0 / 255)
        harness.screen?.receive(Data(#"{"environment":{"dark":true}}"#.utf8))
        #expect(white(0) == 0 && white(1) == 0)
        #expect(cells[1].rootView.layer.borderColor == UIColor.purple.cgColor)
        #expect(cells[2].rootView.layer.shadowColor == UIColor.purple.cgColor)
        #expect(cells[2].rootView.layer.borderColor?.components?.first == 85.0 / 255)
    }

    @Test("leaves a shadow that the app has set as it is where the border gets another colour, and the other way round")
    func apart() {
        // A screen of another test leaves its traits.
        UITraitCollection.current = UITraitCollection()
        let cell = ClassicContentCardCell(style: .default, reuseIdentifier: nil)
        cell.rootView.layer.shadowColor = UIColor.purple.cgColor
        cell.attributes.borderColor = .red
        #expect(cell.rootView.layer.borderColor == UIColor.red.cgColor)
        #expect(cell.rootView.layer.shadowColor == UIColor.purple.cgColor)
        cell.rootView.layer.borderColor = UIColor.green.cgColor
        cell.attributes.shadowColor = .blue
        #expect(cell.rootView.layer.shadowColor == UIColor.blue.cgColor)
        #expect(cell.rootView.layer.borderColor == UIColor.green.cgColor)
    }

    @Test("is light as soon as it is told to after it was shown, and follows the system again")
    func lightLater() async throws {
        let harness = try await FeedHarness(Self.cards)
        let feed = harness.makeFeed()
        harness.show(feed)
        #expect(feed.overrideUserInterfaceStyle == .unspecified)
        feed.enableDarkTheme = false
        #expect(feed.overrideUserInterfaceStyle == .light)
        feed.disableUnreadIndicator = true
        #expect(feed.overrideUserInterfaceStyle == .light)
        feed.enableDarkTheme = true
        #expect(feed.overrideUserInterfaceStyle == .unspecified)
    }

    @Test("says that it is empty in as many lines as that needs, in the user's text size")
    func emptyLabel() async throws {
        let harness = try await FeedHarness([])
        let feed = harness.makeFeed()
        harness.show(feed)
        #expect(feed.emptyFeedLabel.numberOfLines == 0)
        #expect(feed.emptyFeedLabel.adjustsFontForContentSizeCategory)
        #expect(feed.emptyFeedLabel.textAlignment == .center)
    }

    @Test("has a background behind its bar where it is presented, so that cards don't shine through")
    func modal() async throws {
        let harness = try await FeedHarness(Self.cards)
        let modal = ContentCardsViewController(source: harness.source)
        harness.show(modal)
        #expect(modal.view.backgroundColor == .systemGroupedBackground)
        #expect(modal.contentCardsViewController.navigationItem.rightBarButtonItem != nil)
    }

    private final class CountingFeed: ContentCardsTableViewController {
        private(set) var populations = 0

        override func populateContentCards() {
            populations += 1
            super.populateContentCards()
        }
    }

    @Test("lays out its rows again when the device is turned, and is as it was")
    func turned() async throws {
        let harness = try await FeedHarness(Self.cards)
        let feed = CountingFeed(source: harness.source, clock: harness.clock)
        harness.show(feed)
        let before = feed.populations
        harness.screen?.receive(Data(#"{"environment":{"width":844,"height":390}}"#.utf8))
        harness.draw()
        #expect(feed.populations == before + 1)
        #expect(feed.displayedCards.map(\.id) == ["c0", "c1", "c2"])
        #expect(harness.cell(feed, 0)?.shownCard?.id == "c0")
    }

    @Test("gives a row the height of its image once that has come, and loads no row again")
    func imageHeight() async throws {
        let images = ScriptedImages()
        let url = try #require(URL(string: "https://images.example/1.png"))
        let banner = ContentCard.fixture("banner") {
            $0.kind = .banner
            $0.image = url.absoluteString
            $0.imageAspectRatio = 2
        }
        let harness = try await FeedHarness([banner])
        let feed = harness.makeFeed()
        feed.imageLoader = CardImageLoader(fetcher: images, directory: nil)
        harness.show(feed)
        let cell = try #require(harness.cell(feed, 0) as? BannerContentCardCell)
        #expect(cell.imageRatioConstraint?.multiplier == 0.5)
        while await images.requests.isEmpty { await Task.yield() }
        await images.finish(url, with: ScriptedImages.image(40, 10))
        #expect(await harness.settle { cell.bannerImageView.state == .shown })
        #expect(cell.imageRatioConstraint?.multiplier == 0.25)
        #expect(!feed.tableView.needsReload)
        harness.draw()
        #expect(harness.cell(feed, 0) === cell)
        #expect(await images.requests == [url])
    }
}
