import ContentCards
import ContentCardsABK
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit

/// Rewrites the text of all classic cards.
private final class RewritingFeed: ABKContentCardsTableViewController {
    override func populateContentCards() {
        guard let cards = Appboy.sharedInstance()?.contentCardsController.contentCards else { return }
        for card in cards {
            if let classicCard = card as? ABKClassicContentCard { classicCard.cardDescription = "Rewritten" }
        }
        super.cards = (cards as NSArray).mutableCopy() as? NSMutableArray
    }

    override func registerTableViewCellClasses() {
        super.registerTableViewCellClasses()
        tableView.register(StyledCell.self, forCellReuseIdentifier: "ABKCaptionedImageContentCardCell")
    }
}

/// Has looks that all cards share, and a colour that the card's extras name.
private final class StyledCell: ABKCaptionedImageContentCardCell {
    override func setUpUI() {
        super.setUpUI()
        rootView.layer.borderColor = UIColor.purple.cgColor
        unviewedLineViewColor = .red
        titleLabel.font = .italicSystemFont(ofSize: 20)
    }

    override func apply(_ captionedImageCard: ABKCaptionedImageContentCard!) {
        super.apply(captionedImageCard)
        let name = captionedImageCard.extras?[ContentCardKey.backgroundColor.rawValue] as? String
        rootView.backgroundColor = name == "green" ? .green : .lightGray
    }
}

/// Observes as an app does, and converts cards as its one file about the SDK does.
@MainActor
private final class Observer {
    private(set) var updates: [Bool] = []

    func contentCardsUpdated(_ notification: Notification) {
        if let isSuccessful = notification.userInfo?[ABKContentCardsProcessedIsSuccessfulKey] as? Bool {
            updates.append(isSuccessful)
        }
    }

    func metaData(of card: ABKContentCard) -> [ContentCardKey: Any] {
        var metaData: [ContentCardKey: Any] = [:]
        switch card {
        case let banner as ABKBannerContentCard:
            metaData[.image] = banner.image
        case let captioned as ABKCaptionedImageContentCard:
            metaData[.title] = captioned.title
            metaData[.cardDescription] = captioned.cardDescription
            metaData[.image] = captioned.image
        case let classic as ABKClassicContentCard:
            metaData[.title] = classic.title
            metaData[.cardDescription] = classic.cardDescription
        default:
            break
        }
        metaData[.idString] = card.idString
        metaData[.created] = card.created
        metaData[.dismissible] = card.dismissible
        metaData[.urlString] = card.urlString
        metaData[.extras] = card.extras
        return metaData
    }
}

extension SharedInstanceTests {
    @Suite("The calls of the documents")
    @MainActor
    struct DocumentedCalls {
        private static let cards: [ContentCard] = [
            .fixture("classic") { $0.priority = 3 },
            .fixture("captioned") {
                $0.kind = .captionedImage
                $0.priority = 2
                $0.extras = ["background_color": "green", "class_type": "home_tile"]
            },
            .fixture("banner") {
                $0.kind = .banner
                $0.priority = 1
                $0.image = "https://shop.example/image.png"
            },
            .fixture("control") { $0.kind = .control },
        ]

        @Test("tell an observer that cards have come, who finds them at the controller")
        func observing() async {
            let harness = await Harness(Self.cards)
            let observer = Observer()
            let token = NotificationCenter.default.addObserver(
                observer,
                selector: observer.contentCardsUpdated,
                name: NSNotification.Name.ABKContentCardsProcessed,
                object: nil
            )
            Appboy.sharedInstance()?.requestContentCardsRefresh()
            await harness.settle { !observer.updates.isEmpty }
            #expect(observer.updates == [true])
            let controller = Appboy.sharedInstance()?.contentCardsController
            #expect(controller?.contentCards.map(\.idString) == ["classic", "captioned", "banner", "control"])
            #expect(controller?.contentCardCount() == 4)
            #expect(controller?.unviewedContentCardCount() == 3)
            #expect(controller?.lastUpdate == harness.clock.now)
            NotificationCenter.default.removeObserver(token)
            await harness.refresh()
            #expect(observer.updates == [true])
            await harness.stop()
        }

        @Test("turn cards into metadata of the app's own objects")
        func converting() async {
            let harness = await Harness(Self.cards)
            await harness.refresh()
            let data = harness.appboy.contentCardsController.contentCards.map(Observer().metaData)
            #expect(data.map { $0[.idString] as? String } == ["classic", "captioned", "banner", "control"])
            #expect(data[0][.title] as? String == "Title of classic")
            #expect(data[1][.cardDescription] as? String == "Description of captioned")
            #expect(data[2][.image] as? String == "https://shop.example/image.png")
            #expect(data[3][.title] == nil)
            let extras = data[1][.extras] as? [AnyHashable: Any]
            #expect(extras?[ContentCardKey.classType.rawValue] as? String == "home_tile")
            #expect(data[0][.created] as? Double == 1_789_000_000)
            await harness.stop()
        }

        @Test("log impressions each time, clicks with a url alone and dismissals once")
        func logging() async throws {
            let harness = await Harness([.fixture("a"), .fixture("b") { $0.urlString = nil }])
            await harness.refresh()
            let cards = harness.appboy.contentCardsController.contentCards
            let card = try #require(cards.first { $0.idString == "a" })
            let silent = try #require(cards.first { $0.idString == "b" })
            card.logContentCardImpression()
            card.logContentCardImpression()
            card.logContentCardClicked()
            silent.logContentCardClicked()
            #expect(card.viewed && card.clicked && !silent.clicked)
            #expect(harness.appboy.contentCardsController.unviewedContentCardCount() == 1)
            card.logContentCardDismissed()
            card.logContentCardDismissed()
            #expect(await harness.delivered() == ["impression", "impression", "click", "dismissal"])
            #expect(card.dismissed)
            #expect(harness.appboy.contentCardsController.contentCards == [silent])
            await harness.stop()
        }

        @Test("push a feed with a title and without bars of unread cards")
        func pushing() async {
            let harness = await Harness(Self.cards)
            await harness.refresh()
            let navigation = UINavigationController(rootViewController: UIViewController())
            let screen = harness.show(navigation)
            let contentCards = ABKContentCardsTableViewController()
            contentCards.title = "Messages"
            contentCards.disableUnreadIndicator = true
            navigation.pushViewController(contentCards, animated: true)
            screen.drawIfNeeded()
            #expect(navigation.topViewController === contentCards)
            #expect(contentCards.navigationItem.title == "Messages" || contentCards.title == "Messages")
            #expect(contentCards.cards?.count == 4)
            let first = contentCards.tableView.cellForRow(at: IndexPath(row: 0, section: 0))
            let cell = first as? ABKClassicContentCardCell
            #expect(cell?.titleLabel.text == "Title of classic")
            #expect(cell?.unviewedLineView.isHidden == true)
            await harness.stop()
        }

        @Test("present a feed with a Done button")
        func presenting() async {
            let harness = await Harness(Self.cards)
            await harness.refresh()
            let root = UIViewController()
            let screen = harness.show(root)
            let contentCards = ABKContentCardsViewController()
            contentCards.contentCardsViewController.title = "Messages"
            contentCards.contentCardsViewController.disableUnreadIndicator = true
            root.present(contentCards, animated: true, completion: nil)
            screen.drawIfNeeded()
            #expect(root.presentedViewController === contentCards)
            #expect(contentCards.topViewController === contentCards.contentCardsViewController)
            #expect(contentCards.contentCardsViewController.navigationItem.rightBarButtonItem != nil)
            await harness.stop()
        }

        @Test("draw what a subclass has written into the cards, in the cells that it has registered")
        func subclassing() async throws {
            let harness = await Harness(Self.cards)
            await harness.refresh()
            let feed = RewritingFeed()
            let screen = harness.show(feed)
            screen.drawIfNeeded()
            let first = feed.tableView.cellForRow(at: IndexPath(row: 0, section: 0))
            let classic = try #require(first as? ABKClassicContentCardCell)
            #expect(classic.descriptionLabel.text == "Rewritten")
            #expect(classic.titleLabel.text == "Title of classic")
            let second = feed.tableView.cellForRow(at: IndexPath(row: 1, section: 0))
            let styled = try #require(second as? StyledCell)
            #expect(styled.descriptionLabel.text == "Description of captioned")
            #expect(styled.rootView.backgroundColor == .green)
            #expect(styled.rootView.layer.borderColor == UIColor.purple.cgColor)
            #expect(styled.titleLabel.font == .italicSystemFont(ofSize: 20))
            let live = harness.appboy.contentCardsController.contentCards[1]
            #expect(styled.liveCard === live)
            await harness.stop()
        }

        @Test("log custom events, purchases and that a feed was displayed")
        func events() async {
            let harness = await Harness()
            harness.appboy.logCustomEvent("Added item to cart", withProperties: ["price": 3, "gift": true])
            harness.appboy.logPurchase("shoe", inCurrency: "USD", atPrice: NSDecimalNumber(string: "9.99"))
            harness.appboy.logContentCardsDisplayed()
            #expect(await harness.delivered() == ["custom", "purchase", "custom"])
            await harness.stop()
        }
    }
}
