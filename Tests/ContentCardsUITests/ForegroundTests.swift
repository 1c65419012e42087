import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@MainActor
@Suite("A feed of an app that is in the background")
struct ForegroundTests {
    @Test("counts no card as seen, until the app is in the foreground again")
    func background() async throws {
        let harness = try await FeedHarness([.fixture("old")])
        let feed = harness.makeFeed()
        harness.show(feed)
        harness.scroll(feed, to: 0)
        await harness.pass(0.1)
        #expect(harness.source.log.impressions == ["old"])
        let scene = try #require(harness.screen?.scene)
        scene.move(to: .background)
        harness.answer.change { $0 = .sync([.fixture("old"), .fixture("pushed") { $0.priority = 2 }]) }
        try await harness.client.refresh()
        #expect(await harness.settle { feed.displayedCards.count == 2 })
        harness.draw()
        harness.scroll(feed, to: 0)
        harness.clock.advance(by: 5)
        feed.impressions.update()
        #expect(harness.source.log.impressions == ["old"])
        scene.move(to: .foregroundInactive)
        scene.move(to: .foregroundActive)
        #expect(harness.source.log.impressions == ["old"])
        await harness.pass(0.1)
        #expect(harness.source.log.impressions == ["old", "pushed"])
    }

    @Test("begins the time of a card afresh that was on screen for a moment before")
    func time() async throws {
        let harness = try await FeedHarness([.fixture("a")])
        let feed = harness.makeFeed()
        harness.show(feed)
        harness.scroll(feed, to: 0)
        harness.clock.advance(by: 0.05)
        let scene = try #require(harness.screen?.scene)
        scene.move(to: .background)
        harness.clock.advance(by: 10)
        scene.move(to: .foregroundActive)
        #expect(harness.source.log.impressions.isEmpty)
        await harness.pass(0.1)
        #expect(harness.source.log.impressions == ["a"])
    }

    @Test("keeps no feed alive to be told")
    func lifetime() async throws {
        let harness = try await FeedHarness([])
        weak var feed: ContentCardsTableViewController?
        do {
            let shown = harness.makeFeed()
            shown.loadViewIfNeeded()
            feed = shown
        }
        #expect(feed == nil)
    }
}
