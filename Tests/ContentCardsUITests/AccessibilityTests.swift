import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@MainActor
@Suite("Accessibility of the feed")
struct AccessibilityTests {
    private struct Announcement: Decodable {
        var announce: String?
    }

    private let announced = Guarded<[String]>([])

    private func show(_ harness: FeedHarness) -> ContentCardsTableViewController {
        let feed = harness.makeFeed()
        harness.show(feed)
        harness.screen?.send = { [announced] data in
            let text = (try? JSONDecoder().decode(Announcement.self, from: data))?.announce
            if let text { announced.change { $0.append(text) } }
        }
        return feed
    }

    private func change(_ harness: FeedHarness, _ environment: String) {
        harness.screen?.receive(Data(#"{"environment":\#(environment)}"#.utf8))
        harness.draw()
    }

    @Test("puts a small image above the text at accessibility sizes, and beside it again at others")
    func textSize() async throws {
        let harness = try await FeedHarness([.fixture("a") { $0.image = "data:image/png;base64," }])
        let feed = show(harness)
        let cell = try #require(harness.cell(feed, 0) as? ClassicImageContentCardCell)
        func titleFollows() -> NSLayoutConstraint.Attribute? {
            let text = cell.cardText
            let tied = (text.constraintsBeside + text.constraintsUnder).filter {
                $0.isActive && $0.secondItem === cell.classicImageView
            }
            return tied.count == 1 ? tied[0].secondAttribute : nil
        }
        #expect(titleFollows() == .trailing)
        change(harness, #"{"text":7}"#)
        #expect(titleFollows() == .bottom)
        change(harness, #"{"text":6}"#)
        #expect(titleFollows() == .trailing)
        change(harness, #"{"text":11}"#)
        feed.tableView.reloadData()
        harness.draw()
        #expect(titleFollows() == .bottom)
    }

    private final class OpeningFeed: ContentCardsTableViewController {
        override func isActionable(_ card: ContentCard) -> Bool {
            card.classType == .coupon || super.isActionable(card)
        }
    }

    @Test("says of a card that it is a link, a button or text: by where it leads, by the app, and by a subclass")
    func traits() async throws {
        let addresses = ["https://shop.example", "shop://item/1", "javascript:alert(1)", nil, nil]
        let harness = try await FeedHarness(
            addresses.enumerated().map { index, address in
                .fixture("c\(index)") {
                    $0.urlString = address
                    $0.priority = -index
                    if index == 4 { $0.extras = ["class_type": "coupon_code"] }
                }
            }
        )
        let feed = OpeningFeed(source: harness.source, clock: harness.clock)
        harness.show(feed)
        for _ in 0..<3 { harness.scroll(feed, to: 0, rows: 100) }
        func traits() -> [UIAccessibilityTraits?] { (0..<5).map { harness.cell(feed, $0)?.accessibilityTraits } }
        #expect(traits() == [.link, .button, .staticText, .staticText, .button])
        feed.hooks.asksApp = { true }
        feed.reload()
        harness.draw()
        #expect(traits() == [.link, .button, .staticText, .button, .button])
        let cell = ClassicContentCardCell(style: .default, reuseIdentifier: nil)
        cell.apply(.fixture("own") { $0.urlString = nil })
        #expect(cell.accessibilityTraits == .staticText)
        cell.isActionable = true
        #expect(cell.accessibilityTraits == .button)
    }

    @Test(
        "reads what the image shows, in the language of the card, and a banner's title where nobody has said that",
        arguments: [("A beach", "A beach"), (nil, nil), ("", nil), (" \n\u{A0}", nil)] as [(String?, String?)]
    )
    func alternativeText(alt: String?, spoken: String?) {
        let cells: [ContentCardCell] = [
            BannerContentCardCell(style: .default, reuseIdentifier: nil),
            CaptionedImageContentCardCell(style: .default, reuseIdentifier: nil),
            ClassicImageContentCardCell(style: .default, reuseIdentifier: nil),
        ]
        let card = ContentCard.fixture("a") {
            $0.title = "Summer"
            $0.description = "By the sea"
            $0.language = "ja"
            $0.image = "data:image/png;base64,"
            $0.imageAlt = alt
        }
        for cell in cells { cell.apply(card) }
        #expect(cells[0].accessibilityLabel == spoken ?? "Summer")
        let texts = [spoken, "Summer", "By the sea"].compactMap { $0 }.joined(separator: ", ")
        #expect(cells[1].accessibilityLabel == texts && cells[2].accessibilityLabel == texts)
        #expect(cells.allSatisfy { $0.accessibilityLanguage == "ja" && $0.isAccessibilityElement })
        // Without an image there is nothing that the text could say of it.
        let plain = ClassicContentCardCell(style: .default, reuseIdentifier: nil)
        plain.apply(.fixture("b") { $0.imageAlt = alt })
        #expect(plain.accessibilityLabel == "Title of b, Description of b")
    }

    @Test("draws a border that stands out where the user wants more contrast")
    func contrast() async throws {
        let harness = try await FeedHarness([.fixture("a")])
        let feed = show(harness)
        let cell = try #require(harness.cell(feed, 0))
        func white() -> CGFloat? { cell.rootView.layer.borderColor?.components?.first }
        #expect(white() == 224.0 / 255)
        change(harness, #"{"contrast":true}"#)
        #expect(white() == 96.0 / 255)
        change(harness, #"{"contrast":true,"dark":true}"#)
        #expect(white() == 170.0 / 255)
        change(harness, "{}")
        #expect(white() == 224.0 / 255)
    }

    @Test("announces new cards in the plural, and neither what has gone nor control cards")
    func newCards() async throws {
        let harness = try await FeedHarness([.fixture("a")])
        let feed = show(harness)
        let control = ContentCard.fixture("c") { $0.kind = .control }
        harness.answer.change { $0 = .sync([.fixture("a"), .fixture("b"), .fixture("d"), control], cursor: "2") }
        try await harness.client.refresh()
        #expect(await harness.settle { feed.displayedCards.count == 4 })
        #expect(announced.value == ["2 new cards"])
        harness.answer.change { $0 = .sync([.fixture("a")], cursor: "3") }
        try await harness.client.refresh()
        #expect(await harness.settle { feed.displayedCards.count == 1 })
        #expect(announced.value == ["2 new cards"])
    }

    @Test("announces that a refresh the user asked for has failed")
    func failure() async throws {
        let harness = try await FeedHarness([.fixture("a")])
        let feed = show(harness)
        harness.answer.change { $0 = nil }
        feed.pulled()
        #expect(await harness.settle { feed.refreshTask == nil })
        #expect(announced.value == [ContentCardsText.failed.text(languages: ["en"])])
    }
}
