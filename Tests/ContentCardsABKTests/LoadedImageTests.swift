import BrowserUIKit
import ContentCards
import ContentCardsABK
import ContentCardsTesting
import ContentCardsUI
import Foundation
import Testing

/// Gives an image of three by one for each address.
private struct WideImages: ImageFetching {
    func data(from url: URL, isFresh: Bool) async throws -> Data {
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
            + Data([0, 0, 0, 60, 0, 0, 0, 20, 8, 6])
    }
}

/// Counts how often the table asks for a cell.
private final class CountingFeed: ABKContentCardsTableViewController {
    private(set) var cellCount = 0

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        cellCount += 1
        return super.tableView(tableView, cellForRowAt: indexPath)
    }
}

extension SharedInstanceTests {
    @Suite("A feed whose image has come")
    @MainActor
    struct LoadedImages {
        @Test("gives the card the ratio of its image, and leaves its rows as they are when the card is seen")
        func ratio() async throws {
            let harness = await Harness([
                .fixture("banner") {
                    $0.kind = .banner
                    $0.image = "https://shop.example/1.png"
                }
            ])
            await harness.refresh()
            let feed = CountingFeed()
            feed.imageLoader = CardImageLoader(fetcher: WideImages(), directory: nil)
            let screen = harness.show(feed)
            let card = try #require(harness.appboy.contentCardsController.contentCards.first as? ABKBannerContentCard)
            await harness.settle { card.imageAspectRatio == 3 }
            screen.drawIfNeeded()
            #expect(card.imageAspectRatio == 3)
            let count = feed.cellCount
            #expect(count > 0)
            card.logContentCardImpression()
            await harness.settle { feed.displayedCards.first?.isViewed == true }
            screen.drawIfNeeded()
            #expect(feed.displayedCards.first?.isViewed == true && feed.cellCount == count)
            await harness.stop()
        }
    }
}
