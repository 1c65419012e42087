import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@MainActor
@Suite("A feed that stays where it is", .timeLimit(.minutes(1)))
struct StayingFeedTests {
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
        .fixture("old") {
            $0.priority = 1
            $0.isViewed = true
        },
    ]

    private func feed(_ harness: FeedHarness) -> ContentCardsTableViewController {
        ContentCardsTableViewController(source: harness.source, clock: harness.clock)
    }

    @Test("goes on as it was when a gesture that would have left it is let go: nothing counts, asks or loads again")
    func cancelledGesture() async throws {
        let harness = try await FeedHarness(Self.cards)
        let feed = feed(harness)
        harness.show(feed)
        harness.scroll(feed, to: 0)
        await harness.pass(0.1)
        feed.cacheTimeout = 0
        let cell = harness.cell(feed, 2)
        // The order in which UIKit calls: the feed has never disappeared.
        feed.viewWillDisappear(true)
        feed.viewWillAppear(true)
        feed.viewDidAppear(true)
        harness.draw()
        harness.clock.advance(by: 1)
        harness.scroll(feed, to: 0)
        #expect(harness.source.log.impressions == ["pinned", "control", "fresh", "old"])
        #expect(harness.source.log.refreshes.isEmpty)
        #expect(harness.cell(feed, 2) === cell)
        feed.viewWillDisappear(true)
        feed.viewDidDisappear(true)
        feed.viewWillAppear(true)
        feed.viewDidAppear(true)
        harness.draw()
        await harness.pass(0.1)
        #expect(harness.source.log.impressions.count == 8)
    }
}
