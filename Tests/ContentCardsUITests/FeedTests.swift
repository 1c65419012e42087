import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@MainActor
@Suite("A feed")
struct FeedTests {
    @Test("logs each card once a presentation after 0.1 seconds, control cards too")
    func impressions() async throws {
        let harness = try await FeedHarness(FeedHarness.mixedCards)
        let feed = harness.makeFeed()
        harness.show(feed)
        harness.scroll(feed, to: 0)
        #expect(harness.source.log.impressions.isEmpty)
        await harness.pass(0.1)
        #expect(harness.source.log.impressions == ["pinned", "control", "fresh", "old"])
        harness.scroll(feed, to: 300)
        harness.scroll(feed, to: 0)
        harness.clock.advance(by: 5)
        harness.scroll(feed, to: 1)
        #expect(harness.source.log.impressions.count == 4)
        feed.disappear(animated: false)
        feed.appear(animated: false)
        harness.draw()
        await harness.pass(0.1)
        #expect(harness.source.log.impressions.count == 8)
    }

    @Test("logs nothing for rows that are drawn ahead but not on screen")
    func offScreen() async throws {
        let harness = try await FeedHarness((0..<20).map { number in .fixture("c\(number)") { $0.priority = -number } })
        let feed = harness.makeFeed()
        harness.show(feed)
        harness.scroll(feed, to: 0, height: 450)
        #expect(feed.tableView.live.count > 3)
        await harness.pass(0.1)
        #expect(harness.source.log.impressions == ["c0", "c1"])
    }

    @Test("logs nothing for rows that are on screen, but under a bar")
    func underBar() async throws {
        let harness = try await FeedHarness((0..<20).map { number in .fixture("c\(number)") { $0.priority = -number } })
        let feed = harness.makeFeed()
        feed.additionalSafeAreaInsets = UIEdgeInsets(top: 0, left: 0, bottom: 310, right: 0)
        harness.show(feed)
        harness.scroll(feed, to: 0, height: 450)
        await harness.pass(0.1)
        #expect(harness.source.log.impressions == ["c0"])
        feed.additionalSafeAreaInsets.bottom = 40
        harness.scroll(feed, to: 1, height: 450)
        await harness.pass(0.1)
        #expect(harness.source.log.impressions == ["c0", "c1"])
    }

    @Test("shows the bar of a fresh card until it was away, and never for viewed and control cards")
    func unreadBar() async throws {
        let harness = try await FeedHarness(FeedHarness.mixedCards)
        let feed = harness.makeFeed()
        harness.show(feed)
        harness.scroll(feed, to: 0)
        await harness.pass(0.1)
        #expect(harness.client.feed.card(id: "fresh")?.isViewed == true)
        #expect(harness.cell(feed, 2)?.unviewedLineView.isHidden == false)
        #expect(harness.cell(feed, 3)?.unviewedLineView.isHidden == true)
        feed.disableUnreadIndicator = true
        harness.draw()
        #expect(harness.cell(feed, 2)?.unviewedLineView.isHidden == true)
        feed.disableUnreadIndicator = false
        harness.draw()
        #expect(harness.cell(feed, 2)?.unviewedLineView.isHidden == false)
        #expect(harness.cell(feed, 3)?.unviewedLineView.isHidden == true)
        feed.pulled()
        feed.tableView.reloadData()
        harness.draw()
        #expect(harness.cell(feed, 2)?.unviewedLineView.isHidden == true)
    }

    @Test("dismisses what may be dismissed, once, and shows the empty state after the last")
    func dismissal() async throws {
        let harness = try await FeedHarness([.fixture("only"), .fixture("control") { $0.kind = .control }])
        let feed = harness.makeFeed()
        harness.show(feed)
        let row = try #require(feed.displayedCards.firstIndex { $0.id == "only" })
        let cell = try #require(harness.cell(feed, row))
        harness.tap("\(cell.nodeID).swipe0")
        harness.tap("\(cell.nodeID).swipe0")
        #expect(harness.source.log.dismissals == ["only"])
        #expect(feed.displayedCards.map(\.id) == ["control"])
        #expect(feed.tableView.backgroundView === feed.emptyFeedView)
        #expect(harness.client.feed.card(id: "only") == nil)
    }

    @Test("offers no swipe and no tap on control cards, and gives them the smallest slot")
    func control() async throws {
        let harness = try await FeedHarness(FeedHarness.mixedCards)
        let feed = harness.makeFeed()
        harness.show(feed)
        let cell = try #require(harness.cell(feed, 1))
        #expect(cell is ControlCardCell)
        #expect(cell.swipeActions == nil)
        harness.tap(cell.nodeID)
        #expect(harness.source.log.clicks.isEmpty)
        #expect(feed.tableView.rectForRow(at: IndexPath(row: 1, section: 0)).height == 0.5)
        #expect(harness.cell(feed, 0)?.swipeActions == nil)
        #expect(harness.cell(feed, 2)?.swipeActions != nil)
    }

    @Test("shows the empty state for control cards alone, at first load too")
    func controlOnly() async throws {
        let harness = try await FeedHarness([.fixture("control") { $0.kind = .control }])
        let feed = harness.makeFeed()
        harness.show(feed)
        #expect(feed.tableView.backgroundView === feed.emptyFeedView)
        #expect(feed.emptyFeedLabel.text == feed.localizedString(.empty))
    }

    @Test("survives a card of an unknown kind")
    func unknownKind() async throws {
        let harness = try await FeedHarness([.fixture("new") { $0.kind = .unknown("hologram") }, .fixture("a")])
        let feed = harness.makeFeed()
        harness.show(feed)
        harness.scroll(feed, to: 0)
        await harness.pass(0.1)
        #expect(harness.source.log.impressions == ["a"])
    }

    // MARK: Refresh

    @Test("asks for cards when it was never synced, and says so when that fails")
    func failure() async throws {
        let harness = try await FeedHarness(nil)
        let feed = harness.makeFeed()
        harness.show(feed)
        #expect(feed.loadingIndicator.isAnimating)
        #expect(await harness.settle { feed.refreshTask == nil })
        #expect(harness.source.log.refreshes == [.feedOpened])
        #expect(feed.emptyFeedLabel.text == feed.localizedString(.failed))
        #expect(!feed.retryButton.isHidden)
        harness.answer.change { $0 = .sync(FeedHarness.mixedCards) }
        feed.retryButton.sendActions(for: .touchUpInside)
        #expect(await harness.settle { feed.displayedCards.count == 4 })
        #expect(feed.tableView.backgroundView == nil)
    }

    @Test("does not ask again within the cache timeout, and keeps its rows when a pull fails")
    func pull() async throws {
        let harness = try await FeedHarness(FeedHarness.mixedCards)
        let feed = harness.makeFeed()
        harness.show(feed)
        #expect(harness.source.log.refreshes.isEmpty)
        harness.answer.change { $0 = nil }
        let control = try #require(feed.refreshControl)
        harness.screen?.handle(BrowserEvent(control.nodeID, .refresh))
        #expect(control.isRefreshing)
        #expect(await harness.settle { !control.isRefreshing })
        #expect(harness.source.log.refreshes == [.pulled])
        #expect(feed.displayedCards.count == 4)
    }

    @Test("ends a pull that is never answered")
    func endlessPull() async throws {
        let harness = try await FeedHarness(FeedHarness.mixedCards)
        let feed = harness.makeFeed()
        harness.show(feed)
        harness.transport.answer("v1/sync") { _ in
            try await Task.sleep(nanoseconds: .max / 2)
            return .sync()
        }
        feed.refreshControl?.beginRefreshing()
        feed.pulled()
        await harness.pass(15)
        #expect(await harness.settle { feed.refreshControl?.isRefreshing == false })
    }

    @Test("takes new cards that arrive while it is open, and counts them")
    func arrival() async throws {
        let harness = try await FeedHarness([.fixture("a")])
        let feed = harness.makeFeed()
        harness.show(feed)
        harness.scroll(feed, to: 0)
        await harness.pass(0.1)
        harness.answer.change { $0 = .sync([.fixture("a"), .fixture("b")], cursor: "2") }
        try await harness.client.refresh()
        #expect(await harness.settle { feed.displayedCards.count == 2 })
        harness.draw()
        harness.scroll(feed, to: 0)
        await harness.pass(0.1)
        #expect(harness.source.log.impressions == ["a", "b"])
    }

    // MARK: Looks

    @Test("speaks the language of its tab, not that of the process, and follows when that changes")
    func language() async throws {
        let harness = try await FeedHarness([.fixture("a")])
        let feed = harness.makeFeed()
        harness.show(feed)
        harness.screen?.receive(Data(#"{"environment":{"language":"ja-JP"}}"#.utf8))
        #expect(harness.cell(feed, 0)?.accessibilityValue == "未読")
        feed.displayedCards = []
        feed.updateStatus()
        #expect(feed.emptyFeedLabel.text == ContentCardsText.empty.text(languages: ["ja"]))
        harness.screen?.receive(Data(#"{"environment":{"language":"en-GB"}}"#.utf8))
        #expect(feed.emptyFeedLabel.text == ContentCardsText.empty.text(languages: ["en"]))
    }

    @Test("forces light whenever it is told to, and gives back what the app had set")
    func darkTheme() async throws {
        let harness = try await FeedHarness(FeedHarness.mixedCards)
        let feed = harness.makeFeed()
        feed.disableUnreadIndicator = true
        feed.enableDarkTheme = false
        harness.show(feed)
        #expect(feed.overrideUserInterfaceStyle == .light)
        feed.enableDarkTheme = true
        #expect(feed.overrideUserInterfaceStyle == .unspecified)
        feed.overrideUserInterfaceStyle = .dark
        feed.enableDarkTheme = true
        #expect(feed.overrideUserInterfaceStyle == .dark)
    }

    @Test("changes borders with the appearance, unless the app has set its own")
    func border() async throws {
        let harness = try await FeedHarness(FeedHarness.mixedCards)
        let feed = harness.makeFeed()
        harness.show(feed)
        let cell = try #require(harness.cell(feed, 2))
        let other = try #require(harness.cell(feed, 3))
        other.rootView.layer.borderColor = UIColor.purple.cgColor
        #expect(cell.rootView.layer.borderColor?.components?.first == 224.0 / 255)
        harness.screen?.receive(Data(#"{"environment":{"dark":true}}"#.utf8))
        #expect(cell.rootView.layer.borderColor?.components?.first == 85.0 / 255)
        #expect(other.rootView.layer.borderColor == UIColor.purple.cgColor)
    }

    @Test("reads a card as one element, with what is special about it and the way to delete it")
    func accessibility() async throws {
        let harness = try await FeedHarness(FeedHarness.mixedCards)
        let feed = harness.makeFeed()
        harness.show(feed)
        let cell = try #require(harness.cell(feed, 2))
        #expect(cell.accessibilityLabel == "Title of fresh, Description of fresh")
        #expect(cell.accessibilityValue == ContentCardsText.unread.text())
        let pinned = try #require(harness.cell(feed, 0))
        #expect(pinned.accessibilityValue?.contains(ContentCardsText.pinned.text()) == true)
        #expect(pinned.accessibilityCustomActions?.isEmpty == true)
        harness.tap("\(cell.nodeID).action0")
        #expect(harness.source.log.dismissals == ["fresh"])
    }

    // MARK: Customising

    final class CustomCell: ClassicContentCardCell {
        override func setUp() {
            super.setUp()
            cardSidePadding = 40
        }

        override func setUpUI() {
            super.setUpUI()
            rootView.backgroundColor = .lightGray
            unviewedLineViewColor = .red
            titleLabel.font = .italicSystemFont(ofSize: 20)
        }

        override func apply(_ card: ContentCard) {
            super.apply(card)
            if card.extras["colour"] == "yellow" { rootView.backgroundColor = .yellow }
        }
    }

    final class CustomFeed: ContentCardsTableViewController {
        override func registerTableViewCellClasses() {
            super.registerTableViewCellClasses()
            tableView.register(CustomCell.self, forCellReuseIdentifier: CardCellIdentifier.classic.rawValue)
        }

        override func populateContentCards() {
            super.populateContentCards()
            for index in displayedCards.indices { displayedCards[index].description = "overridden" }
        }
    }

    @Test("takes the app's cells, styles and texts")
    func subclasses() async throws {
        let harness = try await FeedHarness([
            .fixture("a") { $0.priority = 1 },
            .fixture("b") { $0.extras = ["colour": "yellow"] },
        ])
        let feed = CustomFeed(source: harness.source, clock: harness.clock)
        harness.show(feed)
        let first = try #require(harness.cell(feed, 0) as? CustomCell)
        let second = try #require(harness.cell(feed, 1) as? CustomCell)
        #expect(first.rootView.backgroundColor == .lightGray)
        #expect(second.rootView.backgroundColor == .yellow)
        #expect(first.unviewedLineView.backgroundColor == .red)
        #expect(first.titleLabel.font == .italicSystemFont(ofSize: 20))
        #expect(first.descriptionLabel.text == "overridden")
        #expect(first.rootViewLeadingConstraint?.constant == 40)
        #expect(first.rootViewTrailingConstraint?.constant == 40)
        feed.maxContentCardWidth = 1_024
        harness.draw()
        #expect(first.cardWidthConstraint?.constant == 1_024)
        #expect(first.rootView.backgroundColor == .lightGray)
        #expect(first.cardSidePadding == 40)
    }
}
