import ContentCards
import ContentCardsTesting
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@MainActor
@Suite("A feed that follows the inputs of a SwiftUI view")
struct FollowingTests {
    private final class CountingFeed: ContentCardsTableViewController {
        var applications = 0

        override func applyAttributes() {
            super.applyAttributes()
            applications += 1
        }
    }

    @Test("applies attributes where they look different, and keeps its rows where they don't")
    func looks() async throws {
        let harness = try await FeedHarness([.fixture("a"), .fixture("b")])
        let feed = CountingFeed(source: harness.source, clock: harness.clock)
        harness.show(feed)
        let row = try #require(harness.cell(feed, 0))
        var attributes = feed.attributes
        feed.applications = 0
        feed.follow(attributes)
        #expect(feed.applications == 0)
        #expect(harness.cell(feed, 0) === row)
        attributes.card.titleColor = .red
        feed.follow(attributes)
        #expect(feed.applications == 1)
        harness.draw()
        #expect((harness.cell(feed, 0) as? ClassicContentCardCell)?.titleLabel.textColor == .red)
        attributes.emptyStateMessage = "Nothing"
        feed.follow(attributes)
        #expect(feed.applications == 2)
    }

    @Test("takes what another function makes of the cards, without loading the rows that stay")
    func transform() async throws {
        let harness = try await FeedHarness([.fixture("a"), .fixture("b")])
        let feed = CountingFeed(source: harness.source, clock: harness.clock)
        harness.show(feed)
        let kept = try #require(feed.displayedCards.last?.id)
        let row = try #require(harness.cell(feed, 1))
        var attributes = feed.attributes
        feed.applications = 0
        attributes.transform = { $0.filter { $0.id == kept } }
        feed.follow(attributes)
        harness.draw()
        #expect(feed.displayedCards.map(\.id) == [kept])
        #expect(harness.cell(feed, 0) === row)
        attributes.transform = { $0 }
        feed.follow(attributes)
        #expect(feed.displayedCards.count == 2)
        #expect(feed.applications == 0)
    }
}
