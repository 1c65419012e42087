import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@MainActor
@Suite("A feed whose user changes")
struct FeedUserTests {
    @Test("counts what the next user sees as well, though their cards have the IDs of those before")
    func impressions() async throws {
        let harness = try await FeedHarness([.fixture("a")])
        let feed = ContentCardsTableViewController(source: harness.source, clock: harness.clock)
        harness.show(feed)
        harness.scroll(feed, to: 0)
        await harness.pass(0.1)
        #expect(harness.source.log.impressions == ["a"])
        await harness.client.identify("other")
        let hasCome = await harness.settle {
            harness.client.feed.lastSync != nil && feed.shownUser == "other" && feed.displayedCards.count == 1
        }
        #expect(hasCome)
        harness.draw()
        harness.scroll(feed, to: 0)
        #expect(harness.source.log.impressions == ["a"])
        await harness.pass(0.1)
        #expect(harness.source.log.impressions == ["a", "a"])
        #expect(harness.client.feed.userID == "other" && harness.client.feed.card(id: "a")?.isViewed == true)
    }
}
