import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@MainActor
@Suite("What SwiftUI sets in a feed", .timeLimit(.minutes(20)))
struct FeedHookTests {
    private static let cards: [ContentCard] = [
        .fixture("coupon") {
            $0.extras = ["class_type": "coupon_code"]
            $0.priority = 3
        },
        .fixture("control") {
            $0.kind = .control
            $0.priority = 2
        },
        .fixture("plain") { $0.urlString = nil },
    ]

    private final class OwnCell: ContentCardCell {
        override var takesTapsBesideCard: Bool { true }
        override func setUpUI() { isAccessibilityElement = false }
    }

    @Test("gives the cards that it is for a cell of its own, which counts and is clicked as all are")
    func cell() async throws {
        let harness = try await FeedHarness(Self.cards)
        let feed = harness.makeFeed()
        let own = OwnCell(style: .default, reuseIdentifier: nil)
        feed.hooks.cell = { $1.classType == .coupon ? own : nil }
        harness.show(feed)
        #expect(harness.cell(feed, 0) === own && own.shownCard?.id == "coupon")
        #expect(harness.cell(feed, 1) is ControlCardCell)
        #expect(harness.cell(feed, 2) is ClassicContentCardCell)
        harness.scroll(feed, to: 0)
        await harness.pass(0.1)
        #expect(harness.source.log.impressions.contains("coupon"))
        #expect(!own.isViewed)
        harness.tap(own.nodeID, touching: own.nodeID)
        #expect(harness.source.log.clicks == ["coupon"])
        #expect(own.isViewed)
        own.onDelete?(own)
        #expect(harness.source.log.dismissals == ["coupon"])
    }

    @Test(
        "lets the app take a tap: one on a card with an address is logged in any case, another only where it is taken"
    )
    func tap() async throws {
        let harness = try await FeedHarness(Self.cards)
        let feed = harness.makeFeed()
        var (asked, isTaken) = ([String](), false)
        feed.hooks.opens = {
            asked.append($0.id)
            return isTaken
        }
        harness.show(feed)
        let coupon = try #require(harness.cell(feed, 0))
        let plain = try #require(harness.cell(feed, 2))
        harness.tap(plain.nodeID)
        #expect(asked == ["plain"] && harness.source.log.clicks.isEmpty)
        isTaken = true
        harness.tap(plain.nodeID)
        #expect(harness.source.log.customClicks == ["plain"])
        harness.tap(coupon.nodeID)
        #expect(harness.source.log.clicks == ["plain", "coupon"] && harness.source.log.customClicks == ["plain"])
        #expect(harness.opened.isEmpty)
    }

    @Test("never gives the app a card whose address is refused, or of a control group")
    func refused() async throws {
        let harness = try await FeedHarness([
            .fixture("script") { $0.urlString = "javascript:alert(1)" }, Self.cards[1],
        ])
        let feed = harness.makeFeed()
        feed.hooks.opens = { _ in
            Issue.record("The app was asked.")
            return true
        }
        harness.show(feed)
        for row in 0..<2 { harness.tap(try #require(harness.cell(feed, row)).nodeID) }
        for card in feed.displayedCards { feed.handleCardClick(card) }
        #expect(harness.source.log.clicks.isEmpty)
    }

    @Test("opens what leads out of the app as the view around it does")
    func address() async throws {
        let harness = try await FeedHarness(Self.cards)
        let feed = harness.makeFeed()
        var opened: [URL] = []
        feed.hooks.openURL = { opened.append($0) }
        harness.show(feed)
        harness.tap(try #require(harness.cell(feed, 0)).nodeID)
        #expect(opened.map(\.absoluteString) == ["https://shop.example/coupon"])
        #expect(harness.opened.isEmpty)
    }

    @Test("shows a view of the app's own in place of cards, and says why there are none")
    func placeholder() async throws {
        let harness = try await FeedHarness(nil)
        let feed = harness.makeFeed()
        let own = UIView()
        var shown: [FeedStatus] = []
        feed.hooks.placeholder = {
            shown.append($0)
            return $0 == .empty ? nil : own
        }
        harness.show(feed)
        #expect(shown.last == .loading && feed.tableView.backgroundView === own)
        #expect(await harness.settle { feed.refreshTask == nil })
        #expect(shown.last == .failed && feed.tableView.backgroundView === own)
        harness.answer.change { $0 = .sync([]) }
        feed.refreshCards(.manual)
        #expect(await harness.settle { shown.last == .empty })
        #expect(feed.tableView.backgroundView === feed.emptyFeedView)
        harness.answer.change { $0 = .sync(Self.cards) }
        feed.refreshCards(.manual)
        #expect(await harness.settle { !feed.displayedCards.isEmpty })
        #expect(feed.tableView.backgroundView == nil)
    }
}

#if canImport(Observation)
@Suite("The observable feed of any source", .timeLimit(.minutes(20)))
@MainActor
struct ObservableSourceTests {
    @Test("has the cards of a preview at once, and those of a client when they come")
    @available(iOS 17, macOS 14, tvOS 17, visionOS 1, *)
    func sources() async throws {
        let preview = ObservableCardFeed(PreviewFeed.sample)
        #expect(preview.feed == PreviewFeed.sample.feed)
        await preview.refresh()
        #expect(preview.error == nil && !preview.isRefreshing)

        let harness = try await FeedHarness([])
        let observed = ObservableCardFeed(harness.source)
        harness.answer.change { $0 = .sync([.fixture("a")]) }
        await observed.refresh()
        while observed.feed.count == 0 { await Task.yield() }
        #expect(observed.feed.cards.map(\.id) == ["a"])
        #expect(harness.source.log.refreshes == [.pulled])
        harness.answer.change { $0 = nil }
        await observed.refresh()
        #expect(observed.error?.code == .offline)
    }
}
#endif
