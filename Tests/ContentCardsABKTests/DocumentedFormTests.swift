// These are the forms that apps write.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

import BrowserUIKit
import ContentCards
import ContentCardsABK
import ContentCardsTesting
import Foundation
import Testing

/// Overrides without `!`, as Swift allows for what headers leave open.
private final class PlainFeed: ABKContentCardsTableViewController {
    private(set) var clicked: [String] = []
    private(set) var identified = 0

    override func handleCardClick(_ card: ABKContentCard) { clicked.append(card.idString) }

    override func findCellIdentifier(with card: ABKContentCard) -> String {
        identified += 1
        return super.findCellIdentifier(with: card)
    }
}

/// Overrides with `!`.
private final class UnwrappedFeed: ABKContentCardsTableViewController {
    private(set) var clicked: [String] = []

    override func handleCardClick(_ card: ABKContentCard!) {
        clicked.append(card.idString)
        super.handleCardClick(card)
    }
}

private final class PlainBanner: ABKBannerContentCardCell {
    private(set) var applied: [String] = []

    override func apply(_ card: ABKContentCard) {
        applied.append("card")
        super.apply(card)
    }

    override func apply(_ bannerCard: ABKBannerContentCard) {
        applied.append("banner")
        super.apply(bannerCard)
    }
}

private final class UnwrappedClassic: ABKClassicContentCardCell {
    private(set) var applied: [String] = []

    override func apply(_ card: ABKContentCard!) {
        applied.append("card")
        super.apply(card)
    }

    override func apply(_ classicCard: ABKClassicContentCard!) {
        applied.append("classic")
        super.apply(classicCard)
    }
}

/// Brings its own views and lays them out itself.
private final class OwnViews: ABKClassicContentCardCell {
    let own = UILabel()

    override func setUpUI() {
        titleLabel = own
        super.setUpUI()
    }
}

private final class OwnCard: ABKContentCard, @unchecked Sendable {
    override var viewed: Bool {
        get { true }
        set {}
    }
}

private struct Weak {
    weak var listener: Listener?
}

private final class Listener {
    private(set) var heard = 0

    func update(_ notification: Notification) { heard += 1 }

    func updateAll() { heard += 10 }
}

extension SharedInstanceTests {
    @Suite("The documented forms")
    @MainActor
    struct Forms {
        @Test("of overrides are called with and without exclamation marks, once each")
        func overrides() async {
            let harness = await Harness([.fixture("a") { $0.urlString = "https://shop.example" }])
            await harness.refresh()
            let plain = PlainFeed()
            _ = harness.show(plain)
            #expect(plain.identified > 0)
            plain.tableView(plain.tableView, didSelectRowAt: IndexPath(row: 0, section: 0))
            #expect(plain.clicked == ["a"])
            let unwrapped = UnwrappedFeed()
            _ = harness.show(unwrapped)
            unwrapped.tableView(unwrapped.tableView, didSelectRowAt: IndexPath(row: 0, section: 0))
            #expect(unwrapped.clicked == ["a"])
            #expect(await harness.delivered().filter { $0 == "click" }.count == 1)
            await harness.stop()
        }

        @Test("of cells are called with the card, then with its class, and show it")
        func cells() {
            let banner = PlainBanner(style: .default, reuseIdentifier: nil)
            banner.apply(ContentCard.fixture("b") { $0.kind = .banner })
            #expect(banner.applied == ["card", "banner"])
            #expect(banner.shownCard?.id == "b")
            let classic = UnwrappedClassic(style: .default, reuseIdentifier: nil)
            classic.apply(ContentCard.fixture("c") { $0.title = "Title" })
            #expect(classic.applied == ["card", "classic"])
            #expect(classic.titleLabel.attributedText?.string == "Title")
        }

        @Test("of outlets take an app's own views, in which cards are shown")
        func outlets() throws {
            let cell = OwnViews(style: .default, reuseIdentifier: nil)
            cell.apply(ContentCard.fixture("c") { $0.title = "Title" })
            #expect(cell.own.attributedText?.string == "Title")
            #expect(cell.own.superview != nil)
            let banner = ABKBannerContentCardCell(style: .default, reuseIdentifier: nil)
            let image = UIImageView()
            let before = banner.bannerImageView
            banner.bannerImageView = image
            #expect(banner.bannerImageView === image && before !== image)
            let constraint = image.heightAnchor.constraint(equalToConstant: 10)
            banner.imageRatioConstraint = constraint
            banner.cardWidthConstraint = constraint
            #expect(banner.imageRatioConstraint === constraint && banner.cardWidthConstraint === constraint)
            cell.linkConstraints = [constraint, "no constraint"]
            #expect(cell.linkConstraints.count == 1)
            let priority = ABKContentCardPriorityLayoutRequiredBelowAppleRequired
            #expect(priority.rawValue == UILayoutPriority.required.rawValue - 1)
        }

        @Test("of controllers take an app's own feed, views of an empty one, and bars")
        func controllers() async {
            let harness = await Harness()
            let presented = ABKContentCardsViewController()
            let own = PlainFeed()
            presented.contentCardsViewController = own
            #expect(presented.viewControllers.count == 1 && presented.viewControllers.first === own)
            #expect(own.navigationItem.rightBarButtonItem != nil)
            let label = UILabel()
            own.emptyFeedLabel = label
            own.emptyFeedView = UIView()
            _ = harness.show(presented)
            #expect(own.emptyFeedLabel === label)
            let page = ABKContentCardsWebViewController()
            page.url = URL(string: "https://shop.example")
            page.progressBar = UIProgressView(progressViewStyle: .bar)
            page.webView = WKWebView(frame: .zero)
            #expect(page.url.host == "shop.example")
            #expect(ABKContentCardsTableViewController.getNavigationContentCards() != nil)
            await harness.stop()
        }

        @Test("of texts are known by their keys, and others are the app's")
        func textKeys() async {
            let harness = await Harness()
            let feed = ABKContentCardsTableViewController()
            let texts = ["no-card.text", "no-connection.message", "other"].map { name -> String? in
                feed.localizedAppboyContentCardsString(Optional("Appboy.content-cards.\(name)"))
            }
            #expect(texts[0]?.hasPrefix("Appboy") == false && texts[1]?.hasPrefix("Appboy") == false)
            #expect(texts[2] == "Appboy.content-cards.other")
            await harness.stop()
        }

        @Test("of texts for a page that can't be loaded are the app's own where it has them")
        func pageTexts() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: folder) }
            let strings = folder.appendingPathComponent("App.bundle/en.lproj")
            try FileManager.default.createDirectory(at: strings, withIntermediateDirectories: true)
            try Data(#""Appboy.no-connection.message" = "Offline";"#.utf8)
                .write(to: strings.appendingPathComponent("Localizable.strings"))
            let page = ABKContentCardsWebViewController()
            let usual = page.noConnectionMessage()
            page.appStrings = try #require(Bundle(path: folder.appendingPathComponent("App.bundle").path))
            #expect(page.noConnectionMessage() == "Offline" && usual != "Offline" && !usual.isEmpty)
        }

        @Test("of cards can be created empty and subclassed, and a copy keeps the class of the documented ones")
        func cards() throws {
            let card = ABKCaptionedImageContentCard()
            card.title = "Title"
            #expect(card.idString.isEmpty && card.expiresAt == -1 && card.title == "Title")
            let copy = try #require(card.copy() as? ABKCaptionedImageContentCard)
            #expect(copy !== card && copy.title == "Title")
            #expect(ABKBannerContentCard().image == "" && ABKContentCard().isControlCard())
            #expect(OwnCard().viewed)
            let object: NSObject = card
            #expect(object.isEqual(copy))
        }

        @Test("of observers by a method of their class are not held, and called while they live")
        func observers() {
            let name = NSNotification.Name("documented forms")
            var listener: Listener? = Listener()
            let watched = Weak(listener: listener)
            if let listener {
                NotificationCenter.default.addObserver(listener, selector: Listener.update, name: name, object: nil)
                NotificationCenter.default.addObserver(listener, selector: Listener.updateAll, name: name, object: nil)
            }
            NotificationCenter.default.post(name: name, object: nil)
            #expect(listener?.heard == 11)
            listener = nil
            #expect(watched.listener == nil)
            NotificationCenter.default.post(name: name, object: nil)
        }
    }
}
