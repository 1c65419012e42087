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

    private func feed(_ harness: FeedHarness) -> ContentCardsTableViewController {
        ContentCardsTableViewController(source: harness.source, clock: harness.clock)
    }

    @Test("changes shadows with the appearance, also under an app's own border, and none that the app has set")
    func shadow() async throws {
        let harness = try await FeedHarness(Self.cards)
        let feed = feed(harness)
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
}
