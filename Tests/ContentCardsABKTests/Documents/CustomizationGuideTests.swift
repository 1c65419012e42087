import BrowserUIKit
import ContentCards
import ContentCardsABK
import ContentCardsTesting
import Foundation
import Testing

// The documented calls take their card implicitly unwrapped.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

extension String {
    /// The colour that a text such as `#FF8800` names.
    fileprivate func colorValue() -> UIColor? {
        guard count == 7, hasPrefix("#"), let value = Int(dropFirst(), radix: 16) else { return nil }
        let parts = [value >> 16, value >> 8 & 255, value & 255].map { CGFloat($0) / 255 }
        return UIColor(red: parts[0], green: parts[1], blue: parts[2], alpha: 1)
    }
}

/// Takes its colour from the card.
private final class ColouredCaptionedCell: ABKCaptionedImageContentCardCell {
    override func apply(_ captionedImageCard: ABKCaptionedImageContentCard!) {
        super.apply(captionedImageCard)
        if let name = card.extras?["background_color"] as? String, let color = name.colorValue() {
            rootView.backgroundColor = color
        } else {
            rootView.backgroundColor = .lightGray
        }
    }
}

/// Looks the same for all cards.
private class StyledClassicCell: ABKClassicContentCardCell {
    override func setUpUI() {
        super.setUpUI()
        rootView.backgroundColor = .lightGray
        rootView.layer.borderColor = UIColor.purple.cgColor
        unviewedLineViewColor = .red
        titleLabel.font = .italicSystemFont(ofSize: 20)
    }
}

/// Changes lengths before anything is laid out, and shows another image until that of the card is there.
private final class WideClassicImageCell: ABKClassicImageContentCardCell {
    override func setUp() {
        super.setUp()
        cardSidePadding = 4
        cardSpacing = 32
        padding = 12
    }

    override func apply(_ card: ABKContentCard!) {
        super.apply(card)
        classicImageView.layer.cornerRadius = 8
    }
}

/// Takes any card, below all that the SDK draws.
private final class BareBannerCell: ABKBaseContentCardCell {
    let label = UILabel()

    override func setUpUI() {
        super.setUpUI()
        label.translatesAutoresizingMaskIntoConstraints = false
        rootView.addSubview(label)
        rootViewLeadingConstraint.constant = 0
        rootViewTrailingConstraint.constant = 0
        cardWidthConstraint.constant = 600
        NSLayoutConstraint.activate([
            label.topAnchor.constraint(equalTo: rootView.topAnchor),
            label.leadingAnchor.constraint(equalTo: rootView.leadingAnchor),
            label.trailingAnchor.constraint(equalTo: rootView.trailingAnchor),
            label.bottomAnchor.constraint(equalTo: rootView.bottomAnchor),
        ])
    }

    override func apply(_ card: ABKContentCard!) {
        super.apply(card)
        applyAppboyAttributedTextStyle(from: (card as? ABKBannerContentCard)?.image, for: label)
    }
}

/// Has cells of its own for all kinds of cards, and writes one text over those of classic cards.
private final class OwnFeed: ABKContentCardsTableViewController {
    override func registerTableViewCellClasses() {
        super.registerTableViewCellClasses()
        tableView.register(ColouredCaptionedCell.self, forCellReuseIdentifier: "ABKCaptionedImageContentCardCell")
        tableView.register(BareBannerCell.self, forCellReuseIdentifier: "ABKBannerContentCardCell")
        tableView.register(WideClassicImageCell.self, forCellReuseIdentifier: "ABKClassicImageCardCell")
        tableView.register(StyledClassicCell.self, forCellReuseIdentifier: "ABKClassicCardCell")
    }

    override func populateContentCards() {
        guard let cards = Appboy.sharedInstance()?.contentCardsController.contentCards else { return }
        for card in cards {
            if let classicCard = card as? ABKClassicContentCard { classicCard.cardDescription = "Rewritten" }
        }
        super.cards = (cards as NSArray).mutableCopy() as? NSMutableArray
    }
}

/// Shows other cards in another order.
private final class FilteredFeed: ABKContentCardsTableViewController {
    override func populateContentCards() {
        let all = Appboy.sharedInstance()?.contentCardsController.contentCards ?? []
        cards = NSMutableArray(array: all.filter { $0.extras?["feed"] as? String == "home" }.reversed())
    }
}

extension SharedInstanceTests {
    @Suite("The customization guide")
    @MainActor
    struct CustomizationGuide {
        private static let cards: [ContentCard] = [
            .fixture("classic") { $0.priority = 5 },
            .fixture("green") {
                $0.kind = .captionedImage
                $0.priority = 4
                $0.extras = ["background_color": "#00FF00", "feed": "home"]
            },
            .fixture("grey") {
                $0.kind = .captionedImage
                $0.priority = 3
                $0.extras = ["feed": "home"]
            },
            .fixture("image") {
                $0.priority = 2
                $0.image = "https://shop.example/1.png"
            },
            .fixture("banner") {
                $0.kind = .banner
                $0.priority = 1
                $0.image = "https://shop.example/2.png"
            },
        ]

        private func show<Feed: ABKContentCardsTableViewController>(_ feed: Feed, _ harness: Harness) async -> Feed {
            await harness.refresh()
            harness.show(feed).drawIfNeeded()
            return feed
        }

        private func cell<Cell: UITableViewCell>(_ feed: UITableViewController, _ row: Int, _: Cell.Type) throws -> Cell
        {
            try #require(feed.tableView.cellForRow(at: IndexPath(row: row, section: 0)) as? Cell)
        }

        @Test("styles each card by its key-value pairs, and another card in the same cell again")
        func dynamicStyle() async throws {
            let harness = await Harness(Self.cards)
            let feed = await show(OwnFeed(), harness)
            let green = try cell(feed, 1, ColouredCaptionedCell.self)
            #expect(green.rootView.backgroundColor == .green)
            #expect(try cell(feed, 2, ColouredCaptionedCell.self).rootView.backgroundColor == .lightGray)
            green.apply(harness.appboy.contentCardsController.contentCards[2])
            #expect(green.rootView.backgroundColor == .lightGray)
            #expect(green.titleLabel.text == "Title of grey")
            await harness.stop()
        }

        @Test("styles all cards of a cell alike")
        func staticStyle() async throws {
            let harness = await Harness(Self.cards)
            let feed = await show(OwnFeed(), harness)
            let styled = try cell(feed, 0, StyledClassicCell.self)
            #expect(styled.rootView.backgroundColor == .lightGray)
            #expect(styled.rootView.layer.borderColor == UIColor.purple.cgColor)
            #expect(styled.unviewedLineView.backgroundColor == .red)
            #expect(styled.titleLabel.font == .italicSystemFont(ofSize: 20))
            await harness.stop()
        }

        @Test("shows the app's classes in place of the registered ones, subclasses of any cell")
        func customClasses() async throws {
            let harness = await Harness(Self.cards)
            let feed = await show(OwnFeed(), harness)
            let wide = try cell(feed, 3, WideClassicImageCell.self)
            #expect(wide.rootViewLeadingConstraint.constant == 4)
            #expect(wide.rootViewTopConstraint.constant == 16)
            #expect(wide.rootViewBottomConstraint.constant == 16)
            #expect(wide.padding == 12)
            #expect(wide.classicImageView.layer.cornerRadius == 8)
            let bare = try cell(feed, 4, BareBannerCell.self)
            #expect(bare.label.text == "https://shop.example/2.png")
            #expect(bare.cardWidthConstraint.constant == 600)
            await harness.stop()
        }

        @Test("shows the cards as the app has changed, chosen and ordered them")
        func populating() async throws {
            let harness = await Harness(Self.cards)
            let own = await show(OwnFeed(), harness)
            let classic = try cell(own, 0, ABKClassicContentCardCell.self)
            #expect(classic.descriptionLabel.text == "Rewritten")
            #expect(classic.titleLabel.text == "Title of classic")
            #expect(try cell(own, 1, ColouredCaptionedCell.self).descriptionLabel.text == "Description of green")
            let filtered = await show(FilteredFeed(), harness)
            #expect(filtered.cards?.compactMap { ($0 as? ABKContentCard)?.idString } == ["grey", "green"])
            #expect(filtered.tableView.numberOfRows(inSection: 0) == 2)
            await harness.stop()
        }
    }
}
