import BrowserUIKit
import ContentCards
import ContentCardsABK
import ContentCardsTesting
import Foundation
import Testing

/// Subscribes as the guide says, and looks at the cards when they have come.
@MainActor
private final class Subscriber {
    private(set) var lists: [[String]] = []
    private(set) var failureCount = 0

    func subscribe() {
        #if canImport(ObjectiveC)
        NotificationCenter.default.addObserver(
            self,
            selector: #selector(contentCardsUpdated),
            name: NSNotification.Name.ABKContentCardsProcessed,
            object: nil
        )
        #else
        NotificationCenter.default.addObserver(
            self,
            selector: { [weak self] in self?.update($0) },
            name: NSNotification.Name.ABKContentCardsProcessed,
            object: nil
        )
        #endif
    }

    func unsubscribe() {
        NotificationCenter.default.removeObserver(self)
    }

    #if canImport(ObjectiveC)
    @objc private func contentCardsUpdated(_ notification: Notification) { update(notification) }
    #endif

    private func update(_ notification: Notification) {
        guard let isSuccessful = notification.userInfo?[ABKContentCardsProcessedIsSuccessfulKey] as? Bool else {
            return
        }
        if isSuccessful {
            let cards = Appboy.sharedInstance()?.contentCardsController.contentCards
            lists.append(cards?.map(\.idString) ?? [])
        } else {
            failureCount += 1
        }
    }
}

#if !canImport(ObjectiveC)
/// Subscribes with a method, in a class that belongs to no actor.
private final class PlainSubscriber {
    private(set) var count = 0

    func subscribe(by observer: Any) {
        NotificationCenter.default.addObserver(
            observer,
            selector: contentCardsUpdated,
            name: NSNotification.Name.ABKContentCardsProcessed,
            object: nil
        )
    }

    private func contentCardsUpdated(_ notification: Notification) { count += 1 }
}
#endif

extension SharedInstanceTests {
    @Suite("The integration guide")
    @MainActor
    struct IntegrationGuide {
        private static let cards: [ContentCard] = [
            .fixture("classic") {
                $0.priority = 3
                $0.domain = "shop.example"
                $0.extras = ["k": "v"]
                $0.expiresAt = Date(timeIntervalSince1970: 1_790_100_000)
            },
            .fixture("captioned") {
                $0.kind = .captionedImage
                $0.priority = 2
                $0.image = "https://shop.example/1.png"
                $0.imageAspectRatio = 1.5
            },
            .fixture("banner") {
                $0.kind = .banner
                $0.priority = 1
                $0.image = "https://shop.example/2.png"
                $0.opensInWebView = true
            },
            .fixture("control") { $0.kind = .control },
        ]

        @Test("tells a subscriber of each refresh until it is removed, and has the cards by then")
        func subscribing() async {
            let harness = await Harness(Self.cards)
            let subscriber = Subscriber()
            subscriber.subscribe()
            await harness.refresh()
            #expect(subscriber.lists == [["classic", "captioned", "banner", "control"]])
            harness.transport.answer("v1/sync") { _ in throw TransportError.unreachable("scripted") }
            await harness.refresh()
            #expect(subscriber.failureCount == 1)
            subscriber.unsubscribe()
            await harness.refresh()
            #expect(subscriber.lists.count == 1)
            #expect(subscriber.failureCount == 1)
            await harness.stop()
        }

        @Test("advises a deep copy for changes of one's own: it changes alone")
        func copying() async throws {
            let harness = await Harness(Self.cards)
            await harness.refresh()
            let card = try #require(harness.appboy.contentCardsController.contentCards.first as? ABKClassicContentCard)
            let copy = try #require(card.copy() as? ABKClassicContentCard)
            copy.title = "Mine"
            copy.extras = ["k": "other"]
            #expect(card.title == "Title of classic")
            #expect(card.extras as? [String: String] == ["k": "v"])
            #expect(copy == card)
            #expect(copy.hasSameId(card))
            await harness.stop()
        }

        @Test("lists the properties of every kind of card")
        func properties() async throws {
            let harness = await Harness(Self.cards)
            await harness.refresh()
            let cards = harness.appboy.contentCardsController.contentCards
            let classic = try #require(cards[0] as? ABKClassicContentCard)
            #expect(!classic.viewed && !classic.dismissed && !classic.clicked && !classic.pinned && !classic.isTest)
            #expect(classic.dismissible)
            #expect(classic.created == 1_789_000_000)
            #expect(classic.expiresAt == 1_790_100_000)
            #expect(classic.url == "https://shop.example/classic")
            #expect(classic.urlString == classic.url)
            #expect(!classic.openURLInWebView && !classic.openUrlInWebView)
            #expect(classic.image == nil)
            #expect(classic.domain == "shop.example")
            let captioned = try #require(cards[1] as? ABKCaptionedImageContentCard)
            #expect(captioned.image == "https://shop.example/1.png")
            #expect(captioned.imageAspectRatio == 1.5)
            #expect(captioned.expiresAt == -1)
            #expect(captioned.cardDescription == "Description of captioned")
            #expect(captioned.domain == nil)
            let banner = try #require(cards[2] as? ABKBannerContentCard)
            #expect(banner.image == "https://shop.example/2.png")
            #expect(banner.imageAspectRatio == 0)
            #expect(banner.openURLInWebView)
            #expect(cards[3].isControlCard())
            #expect(type(of: cards[3]) == ABKContentCard.self)
            await harness.stop()
        }

        #if !canImport(ObjectiveC)
        @Test("takes a method in place of a selector")
        func method() async {
            let harness = await Harness(Self.cards)
            let subscriber = PlainSubscriber()
            subscriber.subscribe(by: subscriber)
            await harness.refresh()
            #expect(subscriber.count == 1)
            NotificationCenter.default.removeObserver(subscriber)
            await harness.refresh()
            #expect(subscriber.count == 1)
            await harness.stop()
        }
        #endif

        @Test("pushes a feed with a title and without bars of unread cards")
        func pushing() async {
            let harness = await Harness(Self.cards)
            await harness.refresh()
            let navigationController: UINavigationController? = UINavigationController(
                rootViewController: UIViewController()
            )
            let screen = harness.show(navigationController ?? UIViewController())
            let contentCards = ABKContentCardsTableViewController()
            contentCards.title = "Messages"
            contentCards.disableUnreadIndicator = true
            navigationController?.pushViewController(contentCards, animated: true)
            screen.drawIfNeeded()
            #expect(navigationController?.topViewController === contentCards)
            #expect(contentCards.navigationItem.title == "Messages")
            #expect(contentCards.cards?.count == 4)
            let cell = contentCards.tableView.cellForRow(at: IndexPath(row: 0, section: 0))
            #expect((cell as? ABKClassicContentCardCell)?.titleLabel.text == "Title of classic")
            #expect((cell as? ABKBaseContentCardCell)?.unviewedLineView.isHidden == true)
            contentCards.navigationItem.title = "News"
            #expect(contentCards.navigationItem.title == "News")
            await harness.stop()
        }

        @Test("presents a feed with a bar, a title and a Done button, which takes it away again")
        func presenting() async throws {
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
            #expect(contentCards.contentCardsViewController.navigationItem.title == "Messages")
            let done = contentCards.contentCardsViewController.navigationItem.rightBarButtonItem
            #expect(done != nil)
            try harness.tap("Done", on: screen)
            #expect(root.presentedViewController == nil)
            await harness.stop()
        }
    }
}
